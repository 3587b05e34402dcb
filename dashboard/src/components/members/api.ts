/** What members are asked and changed by. */
import { queryOptions } from '@tanstack/react-query';
import { api, ApiFailure, unwrapData } from '../../api/client';
import { meQuery, queryClient } from '../../api/queries';
import { readMessage } from '../ErrorBox';

/** An account, a partner, or the installation. */
export type MembersPlace = { account_id: number } | { partner_id: number } | Record<string, never>;

export const membersQuery = (place: MembersPlace) =>
  queryOptions({
    queryKey: ['members', place],
    queryFn: ({ signal }) => unwrapData(api.GET('/auth/v1/members', { params: { query: place }, signal })),
  });

/** A change of members may be one of the user's own role. */
export async function refreshMembers(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['members'] });
  await queryClient.invalidateQueries(meQuery);
}

/** The service says why a role may not: for example that a person is a member elsewhere too. */
export const readReason = (error: unknown): string =>
  error instanceof ApiFailure && error.status === 403 ? error.message : readMessage(error);

/** What the page of an install asks. */
import { queryOptions } from '@tanstack/react-query';
import { unwrapData, projectApi } from '../../api/client';
import type { components } from '@adtrail/client';
import { curlCall } from '../../shell';

export type Explanation = components['schemas']['Explanation'];
export type Candidate = components['schemas']['Candidate'];
export type Decision = NonNullable<Explanation['decision']>;
export type InstallFacts = NonNullable<Explanation['install']>;

const UNDECIDED_MS = 1_000;
const EVENTS = 100;

/** A decision is final; until it is there, it is asked for every second. */
export const explanationQuery = (projectId: number, installId: string) =>
  queryOptions({
    queryKey: ['explanation', projectId, installId],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(projectId).GET('/api/v1/installs/{install_id}/explanation', {
          params: { path: { install_id: installId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data && !state.data.decided ? UNDECIDED_MS : false),
  });

/** The install as the list has it: its user, country and system. */
export const installQuery = (projectId: number, installId: string) =>
  queryOptions({
    queryKey: ['install', projectId, installId],
    queryFn: async ({ signal }) => {
      const query = { search: installId, limit: 10 };
      const answer = await unwrapData(projectApi(projectId).GET('/api/v1/installs', { params: { query }, signal }));
      return answer.installs.find((one) => one.install_id === installId) ?? null;
    },
  });

export const eventsQuery = (projectId: number, installId: string) =>
  queryOptions({
    queryKey: ['install-events', projectId, installId],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(projectId).GET('/api/v1/installs/{install_id}/events', {
          params: { path: { install_id: installId }, query: { limit: EVENTS } },
          signal,
        }),
      ),
  });

export const buildCurl = (installId: string, key: string): string =>
  curlCall(`${window.location.origin}/api/v1/installs/${encodeURIComponent(installId)}/explanation`, {
    headers: [`service-key: ${key}`],
  });

/** What became of single clicks, and samples of refused requests (docs/contract/partners.md). */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, projectApi, unwrapData } from './client';
import type { components } from '@adtrail/client';

export type FoundTouches = components['schemas']['FoundTouches'];
export type RefusedRequest = components['schemas']['RefusedRequest'];

/** Who asks: a partner, or the advertiser for a project. */
export interface Asker {
  readonly area: 'project' | 'partner';
  readonly id: number;
}

const PAGE = 50;

export const touchesQuery = ({ area, id }: Asker, search: string) =>
  queryOptions({
    queryKey: ['touches', area, id, search],
    queryFn: ({ signal }) => {
      const query = { search };
      return unwrapData(
        area === 'partner'
          ? api.GET('/admin/v1/partners/{id}/touches', { params: { path: { id }, query }, signal })
          : projectApi(id).GET('/api/v1/touches', { params: { query }, signal }),
      );
    },
    staleTime: 0,
  });

interface Filters {
  readonly reason?: string | undefined;
  readonly id?: number;
}

const readRefused = ({ area, id }: Asker, given: Filters, before: number | undefined, signal: AbortSignal) => {
  const query = {
    limit: PAGE,
    ...(given.reason !== undefined && { reason: given.reason }),
    ...(given.id !== undefined && { id: given.id }),
    ...(before !== undefined && { before }),
  };
  return unwrapData(
    area === 'partner'
      ? api.GET('/admin/v1/partners/{id}/refused-requests', { params: { path: { id }, query }, signal })
      : projectApi(id).GET('/api/v1/refused-requests', { params: { query }, signal }),
  );
};

export const refusedQuery = (asker: Asker, reason: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['refused requests', asker.area, asker.id, reason],
    queryFn: ({ signal, pageParam }) => readRefused(asker, { reason }, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** One sample of a partner; undefined where it is not kept any more. */
export const sampleQuery = (partnerId: number, sample: number | undefined) =>
  queryOptions({
    queryKey: ['refused request', partnerId, sample],
    queryFn: async ({ signal }) =>
      (await readRefused({ area: 'partner', id: partnerId }, { id: sample ?? 0 }, undefined, signal)).requests[0] ??
      null,
    enabled: sample !== undefined,
  });

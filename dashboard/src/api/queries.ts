/** What pages ask, as queries of TanStack Query: each has its key, so that equal questions share an answer. */
import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api, ApiFailure, unwrapData, projectApi } from './client';
import type { paths } from './generated';

type QueryOperation = paths['/api/v1/reporting/query']['post'];
/** A question to `POST /api/v1/reporting/query`. */
export type Question = QueryOperation['requestBody']['content']['application/json'];
/** Its answer. */
export type Report = QueryOperation['responses']['200']['content']['application/json'];
export type ReportRow = Report['results'][number];

/** Figures grow while one looks at them, but not so fast that going back and forth should ask again. */
const FRESH_MS = 60_000;
const MAX_RETRIES = 2;

/** Only what may be different the next time is asked again: no answer, an engine away, too many questions. */
const isWorthRetrying = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 503 || error.status === 429);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
      retryDelay: (failures, error) =>
        1000 * Math.min(error instanceof ApiFailure && error.retryAfter ? error.retryAfter : 2 ** failures, 10),
      refetchOnWindowFocus: false,
    },
  },
});

/** Who is signed in and may what, or an ApiFailure 401. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => unwrapData(api.GET('/auth/v1/me', { signal })),
  retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => unwrapData(api.GET('/auth/v1/providers', { signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => unwrapData(api.GET('/auth/v1/sessions', { signal })),
});

/** What can be asked for, which is the same for every project. */
export const modelQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['model'],
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/reporting/model', { signal })),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  });

/** Figures of a project. A question that is undefined is not asked. */
export const reportQuery = (projectId: number, question: Question | undefined) =>
  queryOptions({
    queryKey: ['report', projectId, question],
    queryFn: ({ signal }) =>
      // Without `format` it is never a file.
      unwrapData(
        projectApi(projectId).POST('/api/v1/reporting/query', { body: question as Question, signal }),
      ) as Promise<Report>,
    enabled: question !== undefined,
    // The figures of before stay, dimmed, until the new ones are there: nothing jumps.
    placeholderData: keepPreviousData,
  });

/** {@link reportQuery} as a hook. */
export const useReport = (projectId: number, question: Question | undefined) =>
  useQuery(reportQuery(projectId, question));

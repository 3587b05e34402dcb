/** What pages ask, as queries of TanStack Query: each has its key, so that equal questions share an answer. */
import { keepPreviousData, QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiFailure, unwrapData, projectApi } from './client';
import { withoutUnspent } from '../unspent';
import type { paths } from '@adtrail/client';

type QueryOperation = paths['/api/v1/reporting/query']['post'];
type Body = QueryOperation['requestBody']['content']['application/json'];
/** A question to `POST /api/v1/reporting/query`; the days of a comparison are more than its schema can say. */
export type Question = Omit<Body, 'compare'> & {
  compare?: string | { readonly from: string; readonly to: string };
};
/** Its answer. */
export type Report = QueryOperation['responses']['200']['content']['application/json'];
export type ReportRow = Report['results'][number];

/** Figures grow while one looks at them, but not so fast that going back and forth should ask again. */
const FRESH_MS = 60_000;
/** Ranges that are over hardly change. */
const FINISHED_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
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

const askReport = async (projectId: number, body: Question, signal: AbortSignal): Promise<Report> =>
  withoutUnspent(
    await unwrapData(projectApi(projectId).POST('/api/v1/reporting/query', { body: body as Body, signal })),
  );

/** Two days ago it is past in every zone; what arrives late, or is priced anew, is seen after FINISHED_MS. */
const isFinished = ({ to }: Question) => Date.parse(to) < Date.now() - 2 * DAY_MS;

const FIRST = [
  ['app', ['installs', 'clicks', 'spend']],
  ['web', ['page_views']],
] as const;
const EVER = { from: '2000-01-01', to: '2100-01-01' };

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

/** The first day of which a project has installs, clicks or spend, or else visits; null where it has nothing. */
export const firstDayQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['first-day', projectId],
    queryFn: async ({ signal }) => {
      for (const [source, metrics] of FIRST) {
        const order: [string, string][] = [['day', 'asc']];
        const body = { source, metrics: [...metrics], dimensions: ['day'], ...EVER, order_by: order, limit: 1 };
        const report = await askReport(projectId, body, signal);
        const day = report.results[0]?.dimensions[0];
        if (day !== undefined) return day;
      }
      return null;
    },
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** Figures of a project. A question that is undefined is not asked. */
export const reportQuery = (projectId: number, question: Question | undefined) =>
  queryOptions({
    queryKey: ['report', projectId, question],
    queryFn: ({ signal }) => askReport(projectId, question as Question, signal),
    staleTime: question !== undefined && isFinished(question) ? FINISHED_MS : FRESH_MS,
    gcTime: FINISHED_MS,
    enabled: question !== undefined,
    // The figures of before stay, dimmed, until the new ones are there: nothing jumps.
    placeholderData: keepPreviousData,
  });

/** {@link reportQuery} as a hook. */
export const useReport = (projectId: number, question: Question | undefined) =>
  useQuery(reportQuery(projectId, question));

/**
 * Asks these at once, while the page is drawn, in this order and before what the parts of the page ask: the service
 * answers a few at a time, and figures come before lists.
 */
export function usePrefetchedReports(projectId: number, questions: readonly (Question | undefined)[]): void {
  const client = useQueryClient();
  for (const question of questions) {
    const query = reportQuery(projectId, question);
    if (question && !client.getQueryState(query.queryKey)) void client.prefetchQuery(query);
  }
}

/** What the log of messages asks, and what is sent again (docs/contract/postbacks.md). */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import type { components } from '../../api/generated';
import { queryClient } from '../../api/queries';
import type { Static } from '../../search';
import type { messagesSearch } from './search';

export type Attempt = components['schemas']['PostbackAttempt'];
export type View = Static<typeof messagesSearch>;
export type Selection = Omit<components['schemas']['ReplayOfPostbacks'], 'dry_run' | 'after'>;

const PAGE = 50;
const LIVE_MS = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PARAMETERS = { install: 'install_id', tid: 'tid', message: 'postback_id', destination: 'destination' } as const;

/** What is no ID of a message is not asked for. */
export const isSearchable = ({ by, search }: View) => by !== 'message' || search === undefined || UUID.test(search);

/** Days that the service would refuse are not asked for. */
export const areDays = ({ from, to }: View) => from === undefined || to === undefined || from <= to;

const buildFilters = ({ outcome, kind, by, search, from, to }: View) => ({
  ...(outcome !== 'any' && { outcome }),
  ...(kind !== 'any' && { kind }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(search !== undefined && { [PARAMETERS[by]]: search }),
});

const logKey = (id: number) => ['messages', id] as const;

/** The latest attempts come by themselves, as long as nobody has loaded more. */
export const logQuery = (id: number, view: View) =>
  infiniteQueryOptions({
    queryKey: [...logKey(id), buildFilters(view)],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...buildFilters(view), limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) };
      return unwrapData(api.GET('/admin/v1/projects/{id}/postbacks/log', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    enabled: isSearchable(view) && areDays(view),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LIVE_MS),
  });

export const pendingQuery = (id: number) =>
  queryOptions({
    queryKey: [...logKey(id), 'pending'],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/admin/v1/projects/{id}/postbacks/pending', { params: { path: { id } }, signal })),
    staleTime: 0,
    refetchInterval: LIVE_MS,
  });

export const refreshMessages = (id: number) => queryClient.invalidateQueries({ queryKey: logKey(id) });

/**
 * Counts messages, or sends them once more: to the end, however many requests that takes. `onProgress` hears how many
 * there are so far.
 */
export async function replay(
  id: number,
  selection: Selection,
  dryRun: boolean,
  onProgress?: (count: number) => void,
): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const body = { ...selection, dry_run: dryRun, ...(after !== undefined && { after }) };
    const answer = await unwrapData(
      api.POST('/admin/v1/projects/{id}/postbacks/replay', { params: { path: { id } }, body }),
    );
    count += answer.would_send ?? answer.sent ?? 0;
    after = answer.next;
    onProgress?.(count);
  } while (after !== undefined);
  return count;
}

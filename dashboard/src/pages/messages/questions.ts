/** What the log of messages asks, and what is sent again (docs/contract/postbacks.md). */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import type { components } from '@adtrail/client';
import { queryClient } from '../../api/queries';
import type { Static } from '../../search';
import { usePlace } from '../../session';
import type { messagesSearch } from './search';

export type Attempt = components['schemas']['PostbackAttempt'];
export type View = Static<typeof messagesSearch>;
export type Selection = Omit<components['schemas']['ReplayOfPostbacks'], 'dry_run' | 'after'>;

const PAGE = 50;
const LIVE_MS = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PARAMETERS = {
  install: 'install_id',
  tid: 'tid',
  campaign: 'display_id',
  message: 'postback_id',
  destination: 'destination',
} as const;

/** Whose messages they are: those of a project, or those to a partner. */
export interface LogPlace {
  readonly area: 'project' | 'partner';
  readonly id: number;
}

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

const logKey = ({ area, id }: LogPlace) => ['messages', area, id] as const;

/** The latest attempts come by themselves, as long as nobody has loaded more. */
export const logQuery = (place: LogPlace, view: View) =>
  infiniteQueryOptions({
    queryKey: [...logKey(place), buildFilters(view)],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...buildFilters(view), limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) };
      const options = { params: { path: { id: place.id }, query }, signal };
      return unwrapData(
        place.area === 'project'
          ? api.GET('/admin/v1/projects/{id}/postbacks/log', options)
          : api.GET('/admin/v1/partners/{id}/postbacks/log', options),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    enabled: isSearchable(view) && areDays(view),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LIVE_MS),
  });

export const pendingQuery = (place: LogPlace) =>
  queryOptions({
    queryKey: [...logKey(place), 'pending'],
    queryFn: ({ signal }) => {
      const options = { params: { path: { id: place.id } }, signal };
      return unwrapData(
        place.area === 'project'
          ? api.GET('/admin/v1/projects/{id}/postbacks/pending', options)
          : api.GET('/admin/v1/partners/{id}/postbacks/pending', options),
      );
    },
    staleTime: 0,
    refetchInterval: LIVE_MS,
  });

export const refreshMessages = (id: number) =>
  queryClient.invalidateQueries({ queryKey: logKey({ area: 'project', id }) });

/** The project or partner that the page is about. */
export function useLogPlace(): LogPlace {
  const place = usePlace();
  if (!place || place.area === 'installation') throw new Error('This page is about no project and no partner');
  return { area: place.area, id: place.id };
}

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

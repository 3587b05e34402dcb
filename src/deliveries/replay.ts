/** Sends messages once more that were settled: one, a selection, or those of a day (docs/contract/postbacks.md). */
import type { Postgres } from '../db/postgres';
import type { Reads } from '../reporting/bounded-reads';
import * as queries from './queries';
import type { EventPlace, Recipients, Selection } from './queries';

/** Events whose messages are chosen by one statement. */
const EVENTS_AT_ONCE = 5_000;
/** After so long a request begins no further statement. */
const REQUEST_MS = 8_000;
/** Before every event. */
export const FIRST_PLACE: EventPlace = { kind: 0, time: 0, subject: '00000000-0000-0000-0000-000000000000' };

export interface ReplayInput {
  readonly selection: Omit<Selection, 'project'>;
  readonly partner: number | undefined;
  readonly webhook: number | undefined;
  /** The place of the event that the request before came to. */
  readonly after: EventPlace;
  /** Nothing is sent. */
  readonly dryRun: boolean;
}

export interface Replayed {
  readonly messages: number;
  /** Where the next request continues; undefined where there is nothing left. */
  readonly next: EventPlace | undefined;
}

/**
 * Under their own IDs, by the templates, overrides and webhooks as they are now. What waits to be sent anyway is not
 * sent twice, and not counted.
 *
 * Killed in between, a part of them is sent.
 */
export async function replayMessages(
  {
    postgres,
    clickhouse,
    now,
  }: { readonly postgres: Postgres; readonly clickhouse: Reads; readonly now: () => number },
  project: number,
  { partner, webhook, after, dryRun, ...input }: ReplayInput,
): Promise<Replayed> {
  const until = now() + REQUEST_MS;
  const selection = { project, ...input.selection };
  const events = selection.events.length > 0 ? selection.events : null;
  let messages = 0;
  for (let place = after; ;) {
    const found = await queries.readEventsToReplay(clickhouse, selection, place, EVENTS_AT_ONCE);
    const postbackIds = queries.choosesByLog(selection) ? found.flatMap((event) => event.postback_ids) : null;
    const to: Recipients = { partner, webhook, postbackIds, events };
    if (found.length > 0) messages += await queries.replay(postgres, found, to, dryRun);
    const last = found.at(-1);
    if (!last || found.length < EVENTS_AT_ONCE) return { messages, next: undefined };
    place = { kind: last.type === 'install' ? 0 : 1, time: last.event_ms, subject: last.subject };
    if (now() > until) return { messages, next: place };
  }
}

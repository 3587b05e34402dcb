/** Sends messages once more that were settled: one, a selection, or those of a day (docs/contract.md, Postbacks). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import * as queries from './queries';
import type { Recipients, Selection } from './queries';

/** Events whose messages are chosen by one statement. */
const EVENTS_AT_ONCE = 5_000;

/**
 * Under their own IDs, by the templates, overrides and webhooks as they are now. What waits to be sent anyway is not
 * sent twice. With `dryRun` nothing is sent.
 *
 * Resolves with the number of messages. Killed in between, a part of them is sent.
 */
export async function replayMessages(
  postgres: Postgres,
  clickhouse: ClickHouse,
  selection: Selection,
  recipients: Omit<Recipients, 'postbackIds'>,
  dryRun: boolean,
): Promise<number> {
  const to = { ...recipients, postbackIds: selection.postbackIds };
  let messages = 0;
  for (let after = 0; ; after += EVENTS_AT_ONCE) {
    const events = await queries.readEventsToReplay(clickhouse, selection, after, EVENTS_AT_ONCE);
    if (events.length > 0) messages += await queries.replay(postgres, events, to, dryRun);
    if (events.length < EVENTS_AT_ONCE) return messages;
  }
}

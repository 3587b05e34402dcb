/** adtrail.web_visitors and web_touches: each visitor with what the events are credited to, derived as a whole. */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import type { Queryable } from '../../db/postgres';
import type { EventDeduplicator } from '../../ingest/deduplicator';
import type { TableChanges } from '../change-tracker';
import type { Materialization } from '../materialization';
import * as queries from './queries';

/** About what one statement derives, so that its memory is bounded; a visitor is never split. */
const VISITORS_PER_STATEMENT = 50_000;
/** One visitor in so many is read to find where statements end: enough for parts of about equal size. */
const SAMPLE = 5_000;
/** Two processes that stored one event on two visitors did so within this time. */
const REPEATS_WITHIN_MS = 15_000;

/**
 * A visitor of whom something is new is derived again from all events: nothing is added up, so no repeat counts
 * twice.
 */
export const createWebVisitors = (clickhouse: ClickHouse, webEvents: EventDeduplicator): Materialization => ({
  name: 'web-visitors',
  lock: LOCKS.webReports,
  sources: ['web_events'],
  async run({ db, changes, version }) {
    const events = changes.of('web_events');
    const repeats = await webEvents.sweepRepeats(events.since === 0 ? 0 : events.since - REPEATS_WITHIN_MS);
    // A visitor whose only events were repeats is derived to nothing: its former row must not stay.
    if (repeats.length > 0) await queries.emptyVisitors(clickhouse, { ids: repeats, version: version - 1 });
    await derive(clickhouse, db, events, repeats, version);
    return 'done';
  },
});

async function derive(
  clickhouse: ClickHouse,
  db: Queryable,
  { since, insertTimes, all, rows }: TableChanges,
  repeats: readonly string[],
  version: number,
): Promise<void> {
  const pause_times = (await queries.readPauseTimes(db)).map((row) => row.ms);
  const changed = { everybody: since === 0, since, insert_times: insertTimes, all, repeats };
  const boundaries =
    rows > VISITORS_PER_STATEMENT ? await queries.readBoundaries(clickhouse, { since, every: SAMPLE }) : [];
  const ends = boundaries.filter((_, i) => i % (VISITORS_PER_STATEMENT / SAMPLE) === 0).map((row) => row.visitor_id);
  for (const [i, up_to] of [...ends, ''].entries()) {
    const part = { ...changed, after: ends[i - 1] ?? '', up_to, version };
    await queries.deriveTouches(clickhouse, part);
    await queries.deriveVisitors(clickhouse, { ...part, pause_times });
  }
}

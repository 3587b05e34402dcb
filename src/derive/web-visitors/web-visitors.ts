/** adtrail.web_visitors and web_touches: each visitor with what the events are credited to, derived as a whole. */
import type { ClickHouse } from '../../db/clickhouse';
import { WEB_EVENTS } from '../../ingest/deduplicator';
import { sweepEvents } from '../../ingest/sweep';
import { deriveInChunks } from '../chunks';
import type { Materialization } from '../materialization';
import type { Quarantine } from '../quarantine';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

const NAME = 'web-visitors';
/** About this many new rows make a chunk of a run, so that its memory is bounded. */
const ROWS_PER_CHUNK = 500_000;
/** Two processes that stored one event on two visitors did so within this time. */
const REPEATS_WITHIN_MS = 15_000;

/**
 * A visitor of whom something is new is derived again from all events: nothing is added up, so no repeat counts
 * twice.
 */
export const createWebVisitors = (clickhouse: ClickHouse, quarantine: Quarantine): Materialization => ({
  name: NAME,
  ...DERIVATIONS['web-visitors'],
  isStale: () => quarantine.hasRetries(NAME),
  async run({ db, changes, version }) {
    const { since, insertTimes, all } = changes.of('web_events');
    const repeats = await sweepEvents(clickhouse, WEB_EVENTS, since === 0 ? 0 : since - REPEATS_WITHIN_MS);
    // A visitor whose only events were repeats is derived to nothing: its former row must not stay.
    if (repeats.length > 0) await queries.emptyVisitors(clickhouse, { ids: repeats, version: version - 1 });
    const pause_times = (await queries.readPauseTimes(db)).map((row) => row.ms);
    const changed = { run_id: version, rows_per_chunk: ROWS_PER_CHUNK, since, insert_times: insertTimes, all, repeats };
    await queries.selectChanged(clickhouse, changed);
    await deriveInChunks(clickhouse, NAME, version, queries, quarantine, async (chunk) => {
      await queries.deriveTouches(clickhouse, chunk);
      await queries.deriveVisitors(clickhouse, { ...chunk, pause_times });
    });
    await quarantine.release(NAME, changes.until);
    return 'done';
  },
});

/**
 * Settles what is sent about installs and events: once for each, as soon as the install is decided
 * (docs/contract/postbacks.md).
 *
 * Killed anywhere, the next run finds the same events again, and PostgreSQL has noted which messages were settled. That
 * is noted by the day of receipt for as long as anything may be sent about an event unasked: so no repeat, and no run
 * over all events from the start, settles a message twice.
 */
import type { ClickHouse } from '../../db/clickhouse';
import type { Postgres } from '../../db/postgres';
import { DAY_MS, dayIn } from '../../lib/time';
import type { InsertRange } from '../change-tracker';
import { inStretches, type TableRange } from '../fill';
import type { Materialization } from '../materialization';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

/** Nothing is sent unasked about an event received longer ago than this. */
const SETTLED_FOR_MS = 30 * DAY_MS;
/** About this many new rows are settled by one statement. */
const ROWS_AT_ONCE = 10_000;
/** How often it is forgotten what was settled about events that are too old. */
const FORGET_MS = 3_600_000;

const SOURCES = DERIVATIONS.outbox.sources;
type Source = (typeof SOURCES)[number];

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** Brings the configuration in ClickHouse up to date: names, partners and rates are those in force. */
  readonly syncConfiguration: () => Promise<void>;
  readonly now: () => number;
  /** Told when there is something to send. */
  readonly onSettled: () => void;
}

export function createOutbox(options: OutboxOptions): Materialization {
  const { postgres, now } = options;
  let forgotAt = 0;
  return {
    name: 'outbox',
    ...DERIVATIONS.outbox,
    async run(context) {
      const { since, ...of } = await queries.readDestinations(postgres);
      const oldest = Math.max(now() - SETTLED_FOR_MS, since ?? Infinity);
      // Nobody is to be notified of anything: what is new is looked at, and done with.
      if (since === null) return 'done';
      await options.syncConfiguration();
      await inStretches(context, SOURCES, ROWS_AT_ONCE, async (stretch) => {
        const chunks = Math.ceil(sumRows(stretch) / ROWS_AT_ONCE);
        for (let chunk = 0; chunk < chunks; chunk++) {
          const [run] = await queries.nextRun(postgres);
          const batch = { run_id: run?.version as number, ...splitRanges(stretch), chunk, chunks };
          await settle(options, { ...batch, ...of, oldest });
        }
      });
      if (now() - forgotAt > FORGET_MS) {
        // A day more: a run that is under way may still look at it.
        await queries.dropSettled(postgres, dayIn('UTC', now() - SETTLED_FOR_MS - DAY_MS));
        forgotAt = now();
      }
      return 'done';
    },
  };
}

async function settle({ postgres, clickhouse, onSettled }: OutboxOptions, batch: queries.Batch): Promise<void> {
  await queries.collect(clickhouse, batch);
  const [collected] = await queries.readCollected(clickhouse, { run_id: batch.run_id });
  if (!collected || collected.events === 0) return;
  await queries.noteEvents(clickhouse, batch, collected);
  const events = await queries.readEvents(clickhouse, { run_id: batch.run_id });
  if (events.length === 0) return;
  if ((await queries.settle(postgres, JSON.stringify(events))) > 0) onSettled();
}

const sumRows = (ranges: readonly InsertRange[]) => ranges.reduce((sum, { rows }) => sum + rows, 0);

/** From the first to the last range of each table; of a table without any, nothing. */
function splitRanges(stretch: readonly TableRange[]) {
  const measureSpan = (table: Source) => {
    const own = stretch.filter((range) => range.table === table);
    return { from: Math.min(...own.map(({ from }) => from)), to: Math.max(...own.map(({ to }) => to)), own };
  };
  const [events, installs] = [measureSpan('app_events'), measureSpan('installs')];
  return {
    events_from: events.own.length > 0 ? events.from : 0,
    events_to: events.own.length > 0 ? events.to : 0,
    installs_from: installs.own.length > 0 ? installs.from : 0,
    installs_to: installs.own.length > 0 ? installs.to : 0,
  };
}

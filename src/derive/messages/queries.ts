/** The queries behind the settling of messages, one function per statement of clickhouse/queries and sql/queries. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Queryable } from '../../db/postgres';
import { postgresQuery, readQuery } from '../../db/sql';
import { command, query } from '../queries';

export { readVersion as nextRun } from '../queries';

/** What one run settles. */
export interface Batch extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  /** Events and decisions stored from these times on, and before those, in milliseconds. */
  readonly events_from: number;
  readonly events_to: number;
  readonly installs_from: number;
  readonly installs_to: number;
  readonly chunk: number;
  readonly chunks: number;
  /** Only events received from then on, in milliseconds. */
  readonly oldest: number;
  /** Only of these projects; of others nobody is told anything. */
  readonly concerned: readonly number[];
  readonly projects: readonly number[];
  readonly partners: readonly number[];
}

interface Destinations extends Record<string, unknown> {
  concerned: number[];
  projects: number[];
  partners: number[];
  since: number | null;
}
const destinations = postgresQuery<Destinations>('outbox.destinations');
/** The projects and partners with anybody to notify, and since when, in milliseconds; null where there is nobody. */
export const readDestinations = async (db: Queryable) =>
  (await destinations(db))[0] ?? { concerned: [], projects: [], partners: [], since: null };

/** Collects the events of a batch, with the decisions about their installs. */
export const collect = command('outbox.collect');

interface Collected extends Record<string, unknown> {
  readonly events: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly ctv_impressions: number;
  readonly link_opens: number;
}
/** How many events were collected, and how many of them need something to be looked up. */
export const readCollected = query<Collected>('outbox.batch');

/** Planning a statement costs more than running it: what no event needs is not in it. */
const TOUCHES = ['clicks', 'impressions', 'ctv_impressions'] as const;
const notes = new Map<string, ReturnType<typeof command>>();

/** Writes to adtrail.outbox_events what may be sent about the events that were collected. */
export function noteEvents(db: ClickHouse, batch: Batch, collected: Collected): Promise<void> {
  const touches = TOUCHES.filter((table) => collected[table] > 0).map(
    (table) => `outbox.step-${table.replace('_', '-')}`,
  );
  const returns = collected.link_opens > 0 ? 'outbox.step-returns' : 'outbox.step-no-returns';
  const key = [...touches, returns].join();
  const note =
    notes.get(key) ??
    command('outbox.settle', {
      touches: touches.length > 0 ? touches : 'outbox.step-no-touches',
      returns,
      credited: 'outbox.step-credited',
      priced: 'outbox.step-priced',
    });
  notes.set(key, note);
  return note(db, batch);
}

/** What PostgreSQL needs of an event to choose who is notified of it. */
export const readEvents = query<{ subject: string; project_id: number }>('outbox.settled-events');

const settleText = readQuery('sql', 'outbox.settle', {
  messages: 'outbox.step-messages',
  fresh: 'outbox.step-fresh',
  added: 'outbox.step-added',
});
/** Settles what is sent about events, those of `readEvents` as JSON, and resolves with the number of messages. */
export const settle = async (db: Queryable, events: string) =>
  (await db.rows<{ messages: number }>(settleText, [events, false]))[0]?.messages ?? 0;
export const dropSettled = postgresQuery('outbox.drop-settled');

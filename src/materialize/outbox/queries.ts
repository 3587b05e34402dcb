/** The queries behind the settling of messages, one function per file of clickhouse/queries and sql/queries. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Queryable } from '../../db/postgres';
import { readStepwiseQuery } from '../../db/sql';
import { command, postgresQuery, query } from '../queries';

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
  readonly projects: readonly number[];
  readonly partners: readonly number[];
}

const destinations = postgresQuery<{ projects: number[]; partners: number[]; since: number | null }>(
  'outbox.destinations',
);
/** Of which projects and partners anybody is told, and since when, in milliseconds; null where nobody is. */
export const readDestinations = async (db: Queryable) =>
  (await destinations(db))[0] ?? { projects: [], partners: [], since: null };

const note = command('outbox.settle');
/** Writes to adtrail.outbox_events what may be told of the events of a batch. */
export const noteEvents = (db: ClickHouse, batch: Batch) => note(db, batch);

/** What PostgreSQL needs of an event to choose who is told of it. */
export const readEvents = query<{ subject: string; project_id: number }>('outbox.settled-events');

const settleText = readStepwiseQuery('sql', 'outbox.settle', {
  messages: 'outbox.step-messages',
  fresh: 'outbox.step-fresh',
  added: 'outbox.step-added',
});
/** Settles what is sent about events, those of `readEvents` as JSON, and resolves with the number of messages. */
export const settle = async (db: Queryable, events: string) =>
  (await db.rows<{ messages: number }>(settleText, [events, false]))[0]?.messages ?? 0;
export const dropSettled = postgresQuery('outbox.drop-settled');

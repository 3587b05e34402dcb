/** The queries behind ingest, one function per statement of clickhouse/queries. */
import type { Readable } from 'node:stream';
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';
import { LEAST_VERSION } from './receipts';

/** A table of records and the column that holds their ID. */
export interface RecordTable {
  readonly table: string;
  readonly idColumn: string;
}

const texts = {
  daysOfTouches: readQuery('clickhouse', 'ingest.days-of-touches'),
  versionsOfEvents: readQuery('clickhouse', 'ingest.versions-of-events'),
  hideLaterTouches: readQuery('clickhouse', 'ingest.hide-later-touches'),
  countOfLate: readQuery('clickhouse', 'ingest.count-of-late'),
  lateRepeats: readQuery('clickhouse', 'ingest.late-repeats'),
  idsStoredLate: readQuery('clickhouse', 'ingest.ids-stored-late'),
  newestParts: readQuery('clickhouse', 'derive.newest-parts'),
  idsOfOtherDays: readQuery('clickhouse', 'ingest.ids-of-other-days'),
  countOfOtherDays: readQuery('clickhouse', 'ingest.count-of-other-days'),
  firstVersionOfDay: readQuery('clickhouse', 'ingest.first-version-of-day'),
  repeatedAppEvents: readQuery('clickhouse', 'ingest.repeated-app-events'),
  sweepAppEvents: readQuery('clickhouse', 'ingest.sweep-app-events'),
  hiddenInstalls: readQuery('clickhouse', 'ingest.hidden-installs'),
  moveHiddenInstalls: readQuery('clickhouse', 'ingest.move-hidden-installs'),
  repeatedWebEvents: readQuery('clickhouse', 'ingest.repeated-web-events'),
  sweepWebEvents: readQuery('clickhouse', 'ingest.sweep-web-events'),
  idsStoredSince: readQuery('clickhouse', 'ingest.ids-stored-since'),
  countOfRows: readQuery('clickhouse', 'ingest.count-of-rows'),
};
const params = ({ table, idColumn }: RecordTable) => ({ table, id_column: idColumn });

/** The first and the last day of receipt of those of the touches that the table holds, by their IDs. */
export async function readDaysOfTouches(
  db: ClickHouse,
  of: RecordTable,
  ids: readonly string[],
): Promise<Map<string, { readonly first: string; readonly last: string }>> {
  const rows = await db.rows<{ id: string; first: string; last: string }>(texts.daysOfTouches, { ...params(of), ids });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The versions of the first and the last receipt of those of the events that the table holds, by their IDs; 0 and 0
 * where all their rows are hidden.
 */
export async function readVersionsOfEvents(
  db: ClickHouse,
  of: RecordTable,
  ids: readonly string[],
): Promise<Map<string, { readonly first: number; readonly last: number }>> {
  const query = { ...params(of), ids };
  const rows = await db.rows<{ id: string; first: number; last: number }>(texts.versionsOfEvents, query);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Hides the rows of these touches in all days of receipt but the first of each. */
export const hideLaterTouches = (db: ClickHouse, of: RecordTable, ids: readonly string[]) =>
  db.command(texts.hideLaterTouches, { ...params(of), ids });

/** Text that is another one once a row of the tables has been stored, where one server holds all of them. */
export async function readNewestParts(db: ClickHouse, tables: readonly string[]): Promise<string> {
  return JSON.stringify((await db.rows<{ newest_parts: unknown }>(texts.newestParts, { tables }))[0]?.newest_parts);
}

/** How many touches were stored at `since` (milliseconds) or later, after the day of receipt. */
export async function countOfLate(db: ClickHouse, of: RecordTable, since: number): Promise<number> {
  return (await db.rows<{ rows: number }>(texts.countOfLate, { ...params(of), since }))[0]?.rows ?? 0;
}

/**
 * IDs of touches stored at `since` (milliseconds) or later, after the day of receipt, that stand on several days: those
 * of one part of several, counted from 0.
 */
export async function readLateRepeats(
  db: ClickHouse,
  of: RecordTable,
  since: number,
  part: { readonly chunks: number; readonly chunk: number },
): Promise<string[]> {
  return (await db.rows<{ id: string }>(texts.lateRepeats, { ...params(of), since, ...part })).map(({ id }) => id);
}

/** The IDs received before `today` and stored at `since` (milliseconds) or later, as UUIDs in RowBinary. */
export function readIdsStoredLate(db: ClickHouse, of: RecordTable, today: string, since: number): Promise<Readable> {
  return db.binary(texts.idsStoredLate, { ...params(of), today, since });
}

/** The IDs received on other days than `today`, from `since` on, as UUIDs in RowBinary, 16 bytes each. */
export function readIdsOfOtherDays(db: ClickHouse, of: RecordTable, today: string, since: string): Promise<Readable> {
  return db.binary(texts.idsOfOtherDays, { ...params(of), today, since });
}

export async function countOfOtherDays(db: ClickHouse, of: RecordTable, today: string, since: string): Promise<number> {
  return (await db.rows<{ rows: number }>(texts.countOfOtherDays, { ...params(of), today, since }))[0]?.rows ?? 0;
}

export async function readFirstVersionOfDay(db: ClickHouse, of: RecordTable, today: string): Promise<number> {
  const query = { ...params(of), today, least: LEAST_VERSION };
  return (await db.rows<{ version: number }>(texts.firstVersionOfDay, query))[0]?.version ?? 0;
}

/** The IDs of all rows stored at `since` (milliseconds) or later, as UUIDs in RowBinary, 16 bytes each. */
export function readIdsStoredSince(db: ClickHouse, of: RecordTable, since: number): Promise<Readable> {
  return db.binary(texts.idsStoredSince, { ...params(of), since });
}

export async function countOfRows(db: ClickHouse, of: RecordTable): Promise<number> {
  return (await db.rows<{ rows: number }>(texts.countOfRows, { table: of.table }))[0]?.rows ?? 0;
}

const readIds = async (db: ClickHouse, text: string, since: number) =>
  (await db.rows<{ id: string }>(text, { since })).map((row) => row.id);

/** IDs of app events that stand on two installs, of those stored at `since` (milliseconds) or later. */
export const readRepeatedAppEvents = (db: ClickHouse, since: number) => readIds(db, texts.repeatedAppEvents, since);

/** IDs of web events that stand on two visitors, of those stored at `since` (milliseconds) or later. */
export const readRepeatedWebEvents = (db: ClickHouse, since: number) => readIds(db, texts.repeatedWebEvents, since);

/** Hides all rows of these events but the first received of each. */
export const sweepAppEvents = (db: ClickHouse, ids: readonly string[]) => db.command(texts.sweepAppEvents, { ids });
export const sweepWebEvents = (db: ClickHouse, ids: readonly string[]) => db.command(texts.sweepWebEvents, { ids });

/** The keys of install events that were hidden at `since` (milliseconds) or later. */
export const readHiddenInstalls = (db: ClickHouse, since: number) =>
  db.rows<{ project_id: number; install_id: string; event_key: string }>(texts.hiddenInstalls, { since });

/** Gives install events another key that share one with an event that was hidden at `since` (milliseconds) or later. */
export const moveHiddenInstalls = (db: ClickHouse, since: number) => db.command(texts.moveHiddenInstalls, { since });

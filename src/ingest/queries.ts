/** The queries behind ingest, one function per file of clickhouse/queries. */
import type { Readable } from 'node:stream';
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';

/** A table of records and the column that holds their ID. */
export interface RecordTable {
  readonly table: string;
  readonly idColumn: string;
}

const sql = (name: string) => readQuery('clickhouse', `ingest.${name}`);
const texts = {
  knownIds: sql('known-ids'),
  idsOfOtherDays: sql('ids-of-other-days'),
  countOfOtherDays: sql('count-of-other-days'),
  firstVersionOfDay: sql('first-version-of-day'),
  sweepMidnight: sql('sweep-midnight'),
  repeatedAppEvents: sql('repeated-app-events'),
  sweepAppEvents: sql('sweep-app-events'),
  repeatedWebEvents: sql('repeated-web-events'),
  sweepWebEvents: sql('sweep-web-events'),
  idsStoredSince: sql('ids-stored-since'),
  countOfRows: sql('count-of-rows'),
};
const params = ({ table, idColumn }: RecordTable) => ({ table, id_column: idColumn });

/** Which of the IDs the table holds; a few hundred at a time, since they travel in the address of the request. */
export async function readKnownIds(db: ClickHouse, of: RecordTable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(texts.knownIds, { ...params(of), ids });
  return new Set(rows.map((row) => row.id));
}

/** The IDs received on other days than `today`, from `since` on, as UUIDs in RowBinary, 16 bytes each. */
export function readIdsOfOtherDays(db: ClickHouse, of: RecordTable, today: string, since: string): Promise<Readable> {
  return db.binary(texts.idsOfOtherDays, { ...params(of), today, since });
}

export async function countOfOtherDays(db: ClickHouse, of: RecordTable, today: string, since: string): Promise<number> {
  return (await db.rows<{ rows: number }>(texts.countOfOtherDays, { ...params(of), today, since }))[0]?.rows ?? 0;
}

export async function readFirstVersionOfDay(db: ClickHouse, of: RecordTable, today: string): Promise<number> {
  return (await db.rows<{ version: number }>(texts.firstVersionOfDay, { ...params(of), today }))[0]?.version ?? 0;
}

/** Hides the records of the day that the day before already has. */
export function sweepMidnight(db: ClickHouse, of: RecordTable, day: string): Promise<void> {
  return db.command(texts.sweepMidnight, { ...params(of), day });
}

/** The IDs of all rows stored at `since` (milliseconds) or later, as UUIDs in RowBinary, 16 bytes each. */
export function readIdsStoredSince(db: ClickHouse, of: RecordTable, since: number): Promise<Readable> {
  return db.binary(texts.idsStoredSince, { ...params(of), since });
}

export async function countOfRows(db: ClickHouse, of: RecordTable): Promise<number> {
  return (await db.rows<{ rows: number }>(texts.countOfRows, { table: of.table }))[0]?.rows ?? 0;
}

const idsOf = async (db: ClickHouse, text: string, since: number) =>
  (await db.rows<{ id: string }>(text, { since })).map((row) => row.id);

/** IDs of app events that stand on two installs, of those stored at `since` (milliseconds) or later. */
export const readRepeatedAppEvents = (db: ClickHouse, since: number) => idsOf(db, texts.repeatedAppEvents, since);

/** IDs of web events that stand on two visitors, of those stored at `since` (milliseconds) or later. */
export const readRepeatedWebEvents = (db: ClickHouse, since: number) => idsOf(db, texts.repeatedWebEvents, since);

/** Hides all rows of these events but the first received of each. */
export const sweepAppEvents = (db: ClickHouse, ids: readonly string[]) => db.command(texts.sweepAppEvents, { ids });
export const sweepWebEvents = (db: ClickHouse, ids: readonly string[]) => db.command(texts.sweepWebEvents, { ids });

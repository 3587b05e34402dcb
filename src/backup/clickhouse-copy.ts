/** The tables of ClickHouse, by its own BACKUP and RESTORE. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';
import { StartError } from '../errors';
import { readTable } from '../tables/tables';
import type { Manifest } from './manifest';
import type { Store } from '../stores/store';

const texts = {
  tables: readQuery('clickhouse', 'backup.tables'),
  migrations: readQuery('clickhouse', 'backup.migrations'),
  sum: readQuery('clickhouse', 'backup.sum'),
  progress: readQuery('clickhouse', 'backup.progress'),
  columns: readQuery('clickhouse', 'backup.columns'),
  partitions: readQuery('clickhouse', 'backup.partitions'),
  rows: readQuery('clickhouse', 'backup.rows'),
};

/** Holds the tables as they are at one moment while they are copied: their parts, by hard links. */
const FROZEN = 'adtrail_backup';
const PROGRESS_MS = 200;
/** How many characters are shown of what ClickHouse says about a failure. */
const MESSAGE_LENGTH = 500;
/** Adding up the hashes of a table may take long; readers come first. */
const SUM_LIMITS = { max_threads: 1, max_memory_usage: '1000000000' } as const;

/** Filled by inserts into another table, before which it comes in a backup and after which it is poured. */
export const isFilledByView = (table: string) => readTable(table)?.backup === 'first';

export type CopiedTable = Manifest['clickhouse'][number];

/** A table, and the bytes of its parts. */
export interface Table extends Record<string, unknown> {
  readonly name: string;
  readonly bytes: number;
}

export const readTables = (db: ClickHouse, database = 'adtrail') => db.rows<Table>(texts.tables, { database });

export const readMigrations = async (db: ClickHouse) =>
  (await db.rows<{ name: string }>(texts.migrations)).map(({ name }) => name);

export const readVersion = async (db: ClickHouse) =>
  (await db.rows<{ version: string }>('SELECT version() AS version'))[0]?.version ?? '';

/** Takes away what a process left that was killed while it took a backup, too. */
export const dropFrozen = (db: ClickHouse) => db.command(`DROP DATABASE IF EXISTS ${FROZEN} SYNC`);

export async function startFreezing(db: ClickHouse): Promise<void> {
  await dropFrozen(db);
  await db.command(`CREATE DATABASE ${FROZEN} ENGINE = Atomic`);
}

/** Keeps the rows that a table has now. */
export async function freeze(db: ClickHouse, table: string): Promise<void> {
  await db.command(`CREATE TABLE ${FROZEN}.${table} CLONE AS adtrail.${table}`);
  // What is counted is what is copied.
  await db.command(`SYSTEM STOP MERGES ${FROZEN}.${table}`);
}

/** Adds a frozen table to the backup `id`; what the backup `base` has of it is not copied again. */
export async function copyTable(
  db: ClickHouse,
  { name, bytes }: Table,
  store: Store,
  { id, base }: { readonly id: string; readonly base: string | undefined },
): Promise<CopiedTable> {
  const sums = await readChecksum(db, FROZEN, name);
  const basis = base === undefined ? [] : [`base_backup = ${store.clickhouse(tablePath(base, name))}`];
  await run(db, store, `BACKUP TABLE ${FROZEN}.${name} TO ${store.clickhouse(tablePath(id, name))}`, basis);
  return { table: name, bytes, ...sums };
}

/** Brings a table of a backup into `adtrail`, where it is empty or not there; its rows are not merged from then on. */
export async function restoreTable(db: ClickHouse, table: string, store: Store, id: string): Promise<void> {
  const restore = `RESTORE TABLE ${FROZEN}.${table} AS adtrail.${table} FROM ${store.clickhouse(tablePath(id, table))}`;
  // Options that are set at a start, such as fsync, may differ.
  const settings = ['allow_different_table_def = 1'];
  await run(db, store, restore, [...settings, 'structure_only = 1']);
  // A merge would leave fewer rows than there were.
  await db.command(`SYSTEM STOP MERGES adtrail.${table}`);
  await run(db, store, restore, settings);
}

/**
 * Brings the rows of a table from one ClickHouse to another one, which has the table. What a view of it has put there
 * goes first: the rows are those of the backup.
 */
export async function pour(
  from: ClickHouse,
  to: ClickHouse,
  table: string,
  cluster: string | undefined,
): Promise<void> {
  const local = cluster ? `${table}_local ON CLUSTER '${cluster}'` : table;
  if (isFilledByView(table)) await to.command(`TRUNCATE TABLE adtrail.${local}`);
  const columns = (await from.rows<{ name: string }>(texts.columns, { database: 'adtrail', table })).map(
    ({ name }) => name,
  );
  const partitions = await from.rows<{ id: string }>(texts.partitions, { database: 'adtrail', table });
  for (const { id } of partitions) {
    const rows = await from.file(texts.rows, { database: 'adtrail', table, partition: id }, 'Native', SUM_LIMITS);
    await to.insertFile(`adtrail.${table}`, columns, rows);
  }
}

const tablePath = (id: string, table: string) => `${id}/clickhouse/${table}`;

/** How many rows there are, and the sum of their hashes. */
export async function readChecksum(
  db: ClickHouse,
  database: string,
  table: string,
): Promise<Pick<CopiedTable, 'rows' | 'sum'>> {
  for await (const [rows, sum] of await db.tuples(texts.sum, { database, table }, SUM_LIMITS))
    return { rows: Number(rows), sum: String(sum) };
  throw new Error(`${database}.${table} was not counted`);
}

/**
 * Runs a BACKUP or RESTORE to its end, however long that takes.
 *
 * @throws StartError with what ClickHouse says, for example that it may not write there.
 */
async function run(db: ClickHouse, store: Store, statement: string, settings: readonly string[]): Promise<void> {
  const id = randomUUID();
  try {
    await db.command(`${statement} SETTINGS ${[...settings, `id = '${id}'`].join(', ')} ASYNC`);
  } catch (error) {
    throw error instanceof ClickHouseError ? refusedBy(store, error.message) : error;
  }
  for (;;) {
    const [progress] = await db.rows<{ status: string; error: string }>(texts.progress, { id });
    if (progress?.status === 'BACKUP_CREATED' || progress?.status === 'RESTORED') return;
    if (progress?.status !== 'CREATING_BACKUP' && progress?.status !== 'RESTORING')
      throw refusedBy(store, progress?.error ?? 'it was started again');
    await sleep(PROGRESS_MS);
  }
}

const refusedBy = (store: Store, text: string) =>
  new StartError(`ClickHouse and ${store.name}: ${store.withoutSecrets(text).slice(0, MESSAGE_LENGTH)}`);

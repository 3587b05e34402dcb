/** PostgreSQL, out of one snapshot and back into an empty database, by COPY. */
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { StartError } from '../errors';
import { readQuery } from '../db/sql';
import { listProcesses, type Manifest } from './manifest';
import { meter, type Store } from '../stores/store';

const texts = {
  tables: readQuery('sql', 'backup.tables'),
  references: readQuery('sql', 'backup.references'),
  sequences: readQuery('sql', 'backup.sequences'),
  migrations: readQuery('sql', 'backup.migrations'),
  keepLogs: readQuery('sql', 'backup.keep-logs'),
  holdMessages: readQuery('sql', 'backup.hold-messages'),
};

/**
 * Where restored sequences continue: as far after the last number that was given as no process gives while a backup is
 * taken. Rows in ClickHouse may have numbers that were given after the snapshot.
 */
const SEQUENCE_GAP = 100_000;

export type CopiedTable = Manifest['postgres'][number];
type Columns = Pick<CopiedTable, 'table' | 'columns'>;

const identifier = (name: string) => pg.escapeIdentifier(name);
const tablePath = (id: string, table: string) => `${id}/postgres/${table}.copy.gz`;

/** A separate connection: a table may take longer to copy than a statement of the service may. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'adtrail backup' });
  // Whoever waits for a statement is told that the connection broke.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const readRows = async <T extends pg.QueryResultRow>(client: pg.Client, sql: string, values: unknown[] = []) =>
  (await client.query<T>(sql, values)).rows;

/** The whole database at one moment. */
export class PostgresSnapshot {
  private constructor(private readonly client: pg.Client) {}

  /** What the database holds when this resolves is what it holds for the snapshot. */
  static async open(url: string): Promise<PostgresSnapshot> {
    const client = await connect(url);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The first statement takes the snapshot.
    await client.query('SELECT count(*) FROM schema_migrations');
    return new PostgresSnapshot(client);
  }

  async version(): Promise<string> {
    return (await readRows<{ server_version: string }>(this.client, 'SHOW server_version'))[0]?.server_version ?? '';
  }

  async migrations(): Promise<string[]> {
    return (await readRows<{ name: string }>(this.client, texts.migrations)).map(({ name }) => name);
  }

  async tables(): Promise<Columns[]> {
    const rows = await readRows<{ name: string; columns: string[] }>(this.client, texts.tables);
    return rows.map(({ name: table, columns }) => ({ table, columns }));
  }

  /** Sequences have no snapshot: these are the numbers of now. */
  async sequences(): Promise<Record<string, number>> {
    const rows = await readRows<{ name: string; last: number }>(this.client, texts.sequences);
    return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
  }

  /** Copies a table into the backup of that ID. */
  async copy({ table, columns }: Columns, store: Store, id: string): Promise<CopiedTable> {
    const list = columns.map(identifier).join(', ');
    const [counted] = await readRows<{ rows: number }>(
      this.client,
      `SELECT count(*)::integer AS rows FROM ${identifier(table)}`,
    );
    const copy = this.client.query(copyTo(`COPY ${identifier(table)} (${list}) TO STDOUT`));
    const compressed = createGzip();
    const [sum] = await Promise.all([store.write(tablePath(id, table), compressed), pipeline(copy, compressed)]);
    return { table, columns, rows: counted?.rows ?? 0, ...sum };
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** What is made of messages that waited when the backup was taken. */
export type Messages = 'hold' | 'send';

/**
 * Puts what a backup has into a database that has the same schema, in one transaction: killed anywhere, nothing has
 * happened. Triggers do not see it: what they did is in the backup.
 *
 * @throws StartError where a file is not what was written.
 */
export async function restorePostgres(url: string, store: Store, manifest: Manifest, messages: Messages) {
  const client = await connect(url);
  try {
    await client.query('BEGIN');
    const tables = inOrder(manifest.postgres, await readRows<Reference>(client, texts.references));
    const all = tables.map(({ table }) => identifier(table)).join(', ');
    for (const { table } of tables) await client.query(`ALTER TABLE ${identifier(table)} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${all}`);
    for (const table of tables) await restoreTable(client, store, manifest.id, table);
    for (const { table } of tables) await client.query(`ALTER TABLE ${identifier(table)} ENABLE TRIGGER USER`);
    for (const [name, last] of Object.entries(manifest.sequences))
      await client.query('SELECT setval($1::regclass, $2)', [identifier(name), last + sequenceGap(name)]);
    // A schema of before they were there has neither logs nor messages.
    const has = (name: string) => tables.some(({ table }) => table === name);
    if (has('ingest_processes')) await client.query(texts.keepLogs, [listProcesses(manifest.ingest_log)]);
    if (has('restores') && messages === 'hold') await client.query(texts.holdMessages, [manifest.taken_at]);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** IDs that people see continue without a gap: ClickHouse has no later ones. */
const sequenceGap = (sequence: string) => (sequence.endsWith('_id_seq') ? 0 : SEQUENCE_GAP);

interface Reference {
  readonly name: string;
  readonly referenced: string;
}

/** What is referred to comes before what refers to it. */
function inOrder(tables: readonly CopiedTable[], references: readonly Reference[]): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      ({ table }) =>
        !references.some(
          ({ name, referenced }) => name === table && [...waiting].some((other) => other.table === referenced),
        ),
    );
    if (ready.length === 0) throw new Error('Tables of PostgreSQL refer to each other in a circle');
    for (const table of ready) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}

async function restoreTable(client: pg.Client, store: Store, id: string, of: CopiedTable): Promise<void> {
  const { table, columns, rows, sha256 } = of;
  const through = meter();
  const into = client.query(copyFrom(`COPY ${identifier(table)} (${columns.map(identifier).join(', ')}) FROM STDIN`));
  const file = tablePath(id, table);
  await pipeline(await store.read(file), through, createGunzip(), into);
  if (through.sum().sha256 !== sha256) throw new StartError(`${store.name}: ${file} is not what was written.`);
  if (into.rowCount !== rows)
    throw new StartError(`${store.name}: ${file} has ${into.rowCount} rows instead of ${rows}.`);
}

/** Brings PostgreSQL and ClickHouse to the newest schema: forward only, one process at a time. */
import { createHash } from 'node:crypto';
import { LOCKS } from './advisory-lock';
import type { ClickHouse } from './clickhouse';
import { renderForCluster } from './cluster-ddl';
import type { Postgres, Queryable } from './postgres';
import { readMigrations, splitStatements, type Migration } from './sql';
import { applyViews, VIEWS } from './views';

/** The data were written by another schema than this version can bring forward; the message says what to do. */
export class SchemaError extends Error {}

/** Names of the files of an earlier schema, to which a backup belongs. */
export interface SchemaFiles {
  readonly postgres: readonly string[];
  readonly clickhouse: readonly string[];
}

/**
 * Makes the schema that a backup was taken with, in empty databases, without views: they are of the newest schema.
 *
 * @throws SchemaError for a schema that this version does not know.
 */
export async function migrateTo(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
  files: SchemaFiles,
): Promise<void> {
  const [own, wanted] = [
    { postgres: readMigrations('sql'), clickhouse: readMigrations('clickhouse') },
    { postgres: new Set(files.postgres), clickhouse: new Set(files.clickhouse) },
  ];
  for (const engine of ['postgres', 'clickhouse'] as const)
    for (const name of files[engine])
      if (!own[engine].some((file) => file.name === name))
        throw new SchemaError(`The backup was taken by a later version of adtrail: this one has no migration ${name}.`);
  await postgres.session(async (db) => {
    await db.rows('SET statement_timeout = 0');
    await migratePostgres(
      db,
      own.postgres.filter(({ name }) => wanted.postgres.has(name)),
    );
    await db.rows('RESET statement_timeout');
  });
  await migrateClickHouse(
    clickhouse,
    cluster,
    own.clickhouse.filter(({ name }) => wanted.clickhouse.has(name)),
  );
}

/**
 * Applies what is missing to both engines and returns the names of the files applied; then makes the views anew. Safe
 * when several processes start at once: the others wait, then find nothing to do. Killed half-way, a PostgreSQL file
 * has not happened at all; a ClickHouse file is run again from its top, so its statements must bear repetition (IF
 * NOT EXISTS).
 *
 * A migration is frozen once it has landed: its SHA-256 is stored, and a file that differs from it is refused.
 *
 * @throws SchemaError for data that an older or newer version wrote, whose migrations are not among these.
 */
export async function migrate(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
): Promise<string[]> {
  return postgres.session(async (db) => {
    // A long wait is legal here: another process may be applying a long migration.
    await db.rows('SET statement_timeout = 0');
    await db.rows('SELECT pg_advisory_lock($1)', [LOCKS.migration]);
    try {
      const applied = [
        ...(await migratePostgres(db, readMigrations('sql'))),
        ...(await migrateClickHouse(clickhouse, cluster, readMigrations('clickhouse'))),
      ];
      await applyViews(clickhouse, cluster);
      return applied;
    } finally {
      await db.rows('SELECT pg_advisory_unlock($1)', [LOCKS.migration]);
      await db.rows('RESET statement_timeout');
    }
  });
}

interface Applied extends Record<string, unknown> {
  name: string;
  sha256: string;
}

const hashMigration = ({ text }: Migration) => createHash('sha256').update(text).digest('hex');

const otherVersion = (engine: string, name: string) =>
  new SchemaError(
    `The data in ${engine} have the schema of another version of adtrail: ${name} is not what this version has. ` +
      'Start the version that wrote them, or start this one on empty data (another DATA_DIR, or empty databases).',
  );

/** The migrations that are not applied yet. */
function findMissing(engine: string, migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of applied) {
    const file = files.get(name);
    if (!file || hashMigration(file) !== sha256) throw otherVersion(engine, name);
  }
  return migrations.filter(({ name }) => !applied.some((one) => one.name === name));
}

async function migratePostgres(db: Queryable, files: readonly Migration[]): Promise<string[]> {
  await db.rows(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY,
      sha256 text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`,
  );
  // The schema before 0.2.0 kept no hashes: to_jsonb finds none, and the file counts as another one.
  const applied = await db.rows<Applied>(
    "SELECT name, coalesce(to_jsonb(schema_migrations) ->> 'sha256', '') AS sha256 FROM schema_migrations",
  );
  const missing = findMissing('PostgreSQL', files, applied);
  for (const migration of missing) await migratePostgresFile(db, migration);
  return missing.map(({ name }) => `sql/migrations/${name}`);
}

async function migratePostgresFile(db: Queryable, migration: Migration): Promise<void> {
  const { name, text } = migration;
  await db.rows('BEGIN');
  try {
    await db.rows(text);
    await db.rows('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [name, hashMigration(migration)]);
    await db.rows('COMMIT');
  } catch (error) {
    await db.rows('ROLLBACK');
    throw new Error(`Migration sql/migrations/${name} failed: ${String(error)}`, { cause: error });
  }
}

const MIGRATIONS_TABLE = `-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.applied_migrations (
  name String COMMENT 'File under clickhouse/migrations',
  sha256 String COMMENT 'SHA-256 of the file when it was applied',
  applied_at DateTime('UTC') DEFAULT now() COMMENT 'When it was applied'
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY name
COMMENT 'ClickHouse migrations that have been applied'`;

async function migrateClickHouse(
  clickhouse: ClickHouse,
  cluster: string | undefined,
  files: readonly Migration[],
): Promise<string[]> {
  const run = async (statement: string) => {
    for (const rendered of cluster ? renderForCluster(statement, cluster) : [statement])
      await clickhouse.command(rendered);
  };
  await run('CREATE DATABASE IF NOT EXISTS adtrail ENGINE = Atomic');
  await refuseFormerSchema(clickhouse);
  await run(MIGRATIONS_TABLE);
  const all = await clickhouse.rows<Applied>('SELECT DISTINCT name, sha256 FROM adtrail.applied_migrations FINAL');
  const applied = all.filter(({ name }) => name !== VIEWS);
  const missing = findMissing('ClickHouse', files, applied);
  for (const migration of missing) {
    const { name, text } = migration;
    try {
      for (const statement of splitStatements(text)) await run(statement);
      const row = JSON.stringify([name, hashMigration(migration)]);
      await clickhouse.insert('adtrail.applied_migrations', ['name', 'sha256'], [row]);
    } catch (error) {
      throw new Error(`Migration clickhouse/migrations/${name} failed: ${String(error)}`, { cause: error });
    }
  }
  return missing.map(({ name }) => `clickhouse/migrations/${name}`);
}

/** Before 0.2.0 the list of migrations had another name and no hashes. */
async function refuseFormerSchema(clickhouse: ClickHouse): Promise<void> {
  const former = await clickhouse.rows(
    "SELECT name FROM system.tables WHERE database = 'adtrail' AND name = 'schema_migrations'",
  );
  if (former.length > 0) throw otherVersion('ClickHouse', 'the table schema_migrations');
}

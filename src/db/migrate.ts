/** Brings PostgreSQL and ClickHouse to the newest schema: forward only, one process at a time. */
import type { ClickHouse } from './clickhouse';
import { renderForCluster } from './cluster-ddl';
import type { Postgres, Queryable } from './postgres';
import { readMigrations, splitStatements } from './sql';

/** The advisory lock under which migrations run; other processes that start meanwhile wait for it. */
const MIGRATION_LOCK = 7_203_001;

/**
 * Applies what is missing to both engines and returns the names of the files applied. Safe when several processes
 * start at once: the others wait, then find nothing to do. Killed half-way, a PostgreSQL file has not happened at
 * all; a ClickHouse file is run again from its top, so its statements must bear repetition (IF NOT EXISTS).
 */
export async function migrate(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
): Promise<string[]> {
  return postgres.session(async (db) => {
    // A long wait is legal here: another process may be applying a long migration.
    await db.rows('SET statement_timeout = 0');
    await db.rows('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return [...(await migratePostgres(db)), ...(await migrateClickHouse(clickhouse, cluster))];
    } finally {
      await db.rows('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await db.rows('RESET statement_timeout');
    }
  });
}

async function migratePostgres(db: Queryable): Promise<string[]> {
  await db.rows(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const done = new Set((await db.rows<{ name: string }>('SELECT name FROM schema_migrations')).map((row) => row.name));
  const missing = readMigrations('sql').filter(({ name }) => !done.has(name));
  for (const { name, text } of missing) {
    await db.rows('BEGIN');
    try {
      await db.rows(text);
      await db.rows('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
      await db.rows('COMMIT');
    } catch (error) {
      await db.rows('ROLLBACK');
      throw new Error(`Migration sql/migrations/${name} failed: ${String(error)}`, { cause: error });
    }
  }
  return missing.map(({ name }) => `sql/migrations/${name}`);
}

async function migrateClickHouse(clickhouse: ClickHouse, cluster: string | undefined): Promise<string[]> {
  const run = async (statement: string) => {
    for (const rendered of cluster ? renderForCluster(statement, cluster) : [statement])
      await clickhouse.command(rendered);
  };
  await run('CREATE DATABASE IF NOT EXISTS adtrail ENGINE = Atomic');
  await run(
    "-- cluster: on every node\nCREATE TABLE IF NOT EXISTS adtrail.schema_migrations (name String COMMENT 'File under clickhouse/migrations', applied_at DateTime('UTC') DEFAULT now() COMMENT 'When it was applied')\nENGINE = ReplacingMergeTree(applied_at)\nORDER BY name\nCOMMENT 'ClickHouse migrations that have been applied'",
  );
  const done = new Set(
    (await clickhouse.rows<{ name: string }>('SELECT DISTINCT name FROM adtrail.schema_migrations')).map(
      (row) => row.name,
    ),
  );
  const missing = readMigrations('clickhouse').filter(({ name }) => !done.has(name));
  for (const { name, text } of missing) {
    try {
      for (const statement of splitStatements(text)) await run(statement);
      await clickhouse.insert('adtrail.schema_migrations', ['name'], [JSON.stringify([name])]);
    } catch (error) {
      throw new Error(`Migration clickhouse/migrations/${name} failed: ${String(error)}`, { cause: error });
    }
  }
  return missing.map(({ name }) => `clickhouse/migrations/${name}`);
}

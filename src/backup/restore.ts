/** Puts a backup into empty engines, and holds what is there against what the manifest says. */
import { COPIED_TABLES } from '../configuration/clickhouse-config-sync';
import type { ClickHouse } from '../db/clickhouse';
import { migrateTo } from '../db/migrate';
import type { Postgres } from '../db/postgres';
import { StartError } from '../errors';
import * as clickhouseCopy from './clickhouse-copy';
import { restoreLogs } from './ingest-log-copy';
import type { Manifest } from './manifest';
import { restorePostgres, type Messages } from './postgres-copy';
import type { Store } from '../stores/store';
import type { Tell } from './take';

export interface RestoreParts {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  /** The folder of the ingest logs. */
  readonly logs: string;
  /** An embedded engine that reads the backup, where `clickhouse` is a server; else the same one. */
  readonly reader: ClickHouse;
  readonly messages: Messages;
}

/** @throws StartError where something is there already. */
export async function mustBeEmpty({
  postgres,
  clickhouse,
}: Pick<RestoreParts, 'postgres' | 'clickhouse'>): Promise<void> {
  const [schema] = await postgres.rows<{ there: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS there",
  );
  if (schema?.there || (await clickhouseCopy.readTables(clickhouse)).length > 0)
    throw new StartError('There are data already: restore into empty engines (another DATA_DIR, or empty databases).');
}

/**
 * ClickHouse first, PostgreSQL last: what was not restored to its end has no workspace.
 *
 * @throws StartError where a file is damaged, or a table is not what it was.
 */
export async function restoreBackup(parts: RestoreParts, store: Store, manifest: Manifest, tell: Tell): Promise<void> {
  await mustBeEmpty(parts);
  await migrateTo(parts.postgres, parts.clickhouse, parts.cluster, manifest.migrations);
  const { clickhouse, reader } = parts;
  const isServer = reader !== clickhouse;
  const total = manifest.clickhouse.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { table, rows, sum, bytes } of manifest.clickhouse) {
    tell({ stage: `restoring ${table}`, done, total });
    await clickhouseCopy.restoreTable(reader, table, store, manifest.id);
    const there = await clickhouseCopy.readChecksum(reader, 'adtrail', table);
    if (there.rows !== rows || there.sum !== sum)
      throw new StartError(
        `adtrail.${table} has ${there.rows} rows of sum ${there.sum} instead of ${rows} of sum ${sum}.`,
      );
    if (isServer) await clickhouseCopy.pour(reader, clickhouse, table, parts.cluster);
    done += bytes;
  }
  // What was copied while the backup was taken may be newer than PostgreSQL's: the next start copies all of it again.
  for (const table of COPIED_TABLES) await clickhouse.command(`TRUNCATE TABLE adtrail.${table}`);
  tell({ stage: 'restoring PostgreSQL', done, total });
  await restoreLogs(parts.logs, store, manifest);
  await restorePostgres(parts.databaseUrl, store, manifest, parts.messages);
  tell({ stage: 'done', done: total, total });
}

/**
 * Brings the tables to what the configuration says of storage: flushing to the disk, and how long personal data
 * stays.
 */
import type { ClickHouse } from './clickhouse';

export interface StorageOptions {
  /** CLICKHOUSE_FSYNC: an acknowledged record survives the machine's power, not only the process. */
  readonly fsync: boolean;
  /** CLICKHOUSE_TTL_DAYS: days after receipt when personal data is blanked; undefined: never. */
  readonly ttlDays: number | undefined;
  readonly cluster: string | undefined;
}

/**
 * What identifies or describes a person's device. Everything else, the IDs first of all, stays: dedup for good rests
 * on it.
 */
const PERSONAL = ['gaid', 'idfa', 'ip', 'ua', 'tv_ifa', 'user', 'device'];
/** Derived tables whose rows are personal data as a whole: they go when their time has come. */
const PERSONAL_ROWS = ['touch_keys', 'touch_keys_local'];
const FSYNC = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
};

const tablesSql =
  "SELECT name, create_table_query AS ddl FROM system.tables WHERE database = 'adtrail' AND engine LIKE '%MergeTree'";
const columnsSql =
  "SELECT table, name FROM system.columns WHERE database = 'adtrail' AND name IN {names:Array(String)}";

/**
 * Applies what differs from the configuration, after migrations. Two processes that do it at once do it twice, to the
 * same end.
 */
export async function applyStorageOptions(db: ClickHouse, { fsync, ttlDays, cluster }: StorageOptions): Promise<void> {
  const tables = await db.rows<{ name: string; ddl: string }>(tablesSql);
  const columns = await db.rows<{ table: string; name: string }>(columnsSql, { names: PERSONAL });
  for (const { name: table, ddl } of tables) {
    const alter = (change: string) =>
      db.command(`ALTER TABLE adtrail.${table} ${cluster ? `ON CLUSTER '${cluster}' ` : ''}${change}`);
    if (fsync !== ddl.includes('fsync_after_insert = 1')) {
      await alter(
        fsync
          ? `MODIFY SETTING ${Object.entries(FSYNC)
              .map(([name, value]) => `${name} = ${value}`)
              .join(', ')}`
          : `RESET SETTING ${Object.keys(FSYNC).join(', ')}`,
      );
    }
    const wanted = ttlDays && `TTL toDateTime(received_at) + toIntervalDay(${ttlDays})`;
    if (PERSONAL_ROWS.includes(table) && (wanted ? !ddl.includes(wanted) : ddl.includes(' TTL ')))
      await alter(wanted ? `MODIFY ${wanted}` : 'REMOVE TTL');
    for (const { name } of columns.filter((column) => column.table === table)) {
      const definition = new RegExp(`^ *\`${name}\` .*$`, 'm').exec(ddl.replaceAll(', `', ',\n `'))?.[0] ?? '';
      if (wanted ? definition.includes(wanted) : !definition.includes(' TTL ')) continue;
      await alter(wanted ? `MODIFY COLUMN ${name} ${wanted}` : `MODIFY COLUMN ${name} REMOVE TTL`);
    }
  }
}

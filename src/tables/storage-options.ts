/**
 * Brings the tables to what the configuration says of storage: flushing to the disk, and how long personal data
 * stays.
 */
import type { ClickHouse } from '../db/clickhouse';
import { personalColumns, quoted, readRegister, type RegisteredColumn } from '../db/personal-data';
import type { Expiry } from './table';
import { readTable } from './tables';

export interface StorageOptions {
  /** FSYNC: an acknowledged record survives the machine's power, not only the process. */
  readonly fsync: boolean;
  /** CLICKHOUSE_TTL_DAYS: days after receipt when personal data is blanked; undefined: never. */
  readonly ttlDays: number | undefined;
  readonly cluster: string | undefined;
}

/** How many finished changes ClickHouse keeps the text of: the fewest that it takes. */
const KEPT_MUTATIONS = 'finished_mutations_to_keep = 1';
const FSYNC = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
};

const tablesSql =
  "SELECT name, create_table_query AS ddl FROM system.tables WHERE database = 'adtrail' AND engine LIKE '%MergeTree'";
/**
 * Applies what differs from the configuration, after migrations. Two processes that do it at once do it twice, to the
 * same end.
 */
export async function applyStorageOptions(db: ClickHouse, { fsync, ttlDays, cluster }: StorageOptions): Promise<void> {
  const tables = await db.rows<{ name: string; ddl: string }>(tablesSql);
  const register = await readRegister(db);
  for (const { name: table, ddl } of tables) {
    const alter = (change: string) =>
      db.command(`ALTER TABLE adtrail.${table} ${cluster ? `ON CLUSTER '${cluster}' ` : ''}${change}`);
    const { holds, expiry } = readTable(table) ?? {};
    const synced = fsync && holds !== 'working';
    if (synced !== ddl.includes('fsync_after_insert = 1')) {
      await alter(
        synced
          ? `MODIFY SETTING ${Object.entries(FSYNC)
              .map(([name, value]) => `${name} = ${value}`)
              .join(', ')}`
          : `RESET SETTING ${Object.keys(FSYNC).join(', ')}`,
      );
    }
    if (!ddl.includes(KEPT_MUTATIONS)) await alter(`MODIFY SETTING ${KEPT_MUTATIONS}`);
    const change = expiry && ttlChange(expiry, ddl, register.get(table) ?? [], ttlDays);
    if (change) await alter(change);
  }
}

/**
 * What makes the TTL of a table what it should be, in one statement, so that its parts are written anew once; undefined
 * where it is so.
 */
function ttlChange(
  expiry: Expiry,
  ddl: string,
  columns: readonly RegisteredColumn[],
  days: number | undefined,
): string | undefined {
  const ttl = (column: string, until = days) => `TTL toDateTime(${column}) + toIntervalDay(${until})`;
  if ('dropsAfter' in expiry) {
    const kept = Math.min(days ?? Infinity, expiry.days ?? Infinity);
    const end = ttl(expiry.dropsAfter, kept);
    if (kept !== Infinity) return ddl.includes(end) ? undefined : `MODIFY ${end}`;
    return ddl.includes(' TTL ') ? 'REMOVE TTL' : undefined;
  }
  const wanted = ttl(expiry.blanksAfter);
  const changes = personalColumns(columns).flatMap(({ name }) => {
    const definition = new RegExp(`^ *\`${name}\` .*$`, 'm').exec(ddl.replaceAll(', `', ',\n `'))?.[0] ?? '';
    if (days) return definition.includes(wanted) ? [] : [`MODIFY COLUMN ${quoted(name)} ${wanted}`];
    return definition.includes(' TTL ') ? [`MODIFY COLUMN ${quoted(name)} REMOVE TTL`] : [];
  });
  return changes.length > 0 ? changes.join(', ') : undefined;
}

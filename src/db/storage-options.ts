/**
 * Brings the tables to what the configuration says of storage: flushing to the disk, and how long personal data
 * stays.
 */
import type { ClickHouse } from './clickhouse';
import { personalColumns, quoted, readRegister, type RegisteredColumn } from './personal-data';

export interface StorageOptions {
  /** FSYNC: an acknowledged record survives the machine's power, not only the process. */
  readonly fsync: boolean;
  /** CLICKHOUSE_TTL_DAYS: days after receipt when personal data is blanked; undefined: never. */
  readonly ttlDays: number | undefined;
  readonly cluster: string | undefined;
}

/**
 * Derived tables whose rows are personal data as a whole: they go when their time has come, counted from this column.
 * `installs_by_identifier` is made of events within seconds, and a touch is received when it has happened.
 */
const ROWS_THAT_EXPIRE: Readonly<Record<string, string>> = {
  touches_by_id: 'received_at',
  touches_by_identifier: 'touch_time',
  installs_by_identifier: 'noted_at',
};
/** The same for tables whose rows go after some days anyway. */
const ROWS_THAT_GO: Readonly<Record<string, { readonly column: string; readonly days: number }>> = {
  outbox_events: { column: 'noted_at', days: 90 },
  postbacks: { column: 'attempted_at', days: 90 },
};
/** From which column the days of a table's columns are counted, where it is not the receipt. */
const COUNTED_FROM: Readonly<Record<string, string>> = { web_visitors: 'last_day', journeys: 'start_time' };
/** What one run of a worker is about: gone within hours anyway, and of no use to anybody after a crash. */
const WORKING = new Set([
  'attribution_batches',
  'attribution_matches',
  'attribution_candidates',
  'attribution_reinstalls',
  'journey_batches',
  'journey_members',
  'journey_records',
  'outbox_batches',
  'web_visitor_batches',
]);
/** What is gone soon anyway. */
const SHORT_LIVED = new Set([...WORKING, 'erasure_subjects']);
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
    const logical = table.replace(/_local$/, '');
    const synced = fsync && !WORKING.has(logical);
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
    const change = SHORT_LIVED.has(logical) ? undefined : ttlChange(logical, ddl, register.get(table) ?? [], ttlDays);
    if (change) await alter(change);
  }
}

/**
 * What makes the TTL of a table what it should be, in one statement, so that its parts are written anew once; undefined
 * where it is so.
 */
function ttlChange(
  table: string,
  ddl: string,
  columns: readonly RegisteredColumn[],
  days: number | undefined,
): string | undefined {
  const ttl = (column: string, until = days) => `TTL toDateTime(${column}) + toIntervalDay(${until})`;
  const going = ROWS_THAT_GO[table];
  if (going) {
    const end = ttl(going.column, Math.min(days ?? Infinity, going.days));
    return ddl.includes(end) ? undefined : `MODIFY ${end}`;
  }
  const time = ROWS_THAT_EXPIRE[table];
  if (time) {
    if (days) return ddl.includes(ttl(time)) ? undefined : `MODIFY ${ttl(time)}`;
    return ddl.includes(' TTL ') ? 'REMOVE TTL' : undefined;
  }
  const wanted = ttl(COUNTED_FROM[table] ?? 'received_at');
  const changes = personalColumns(columns).flatMap(({ name }) => {
    const definition = new RegExp(`^ *\`${name}\` .*$`, 'm').exec(ddl.replaceAll(', `', ',\n `'))?.[0] ?? '';
    if (days) return definition.includes(wanted) ? [] : [`MODIFY COLUMN ${quoted(name)} ${wanted}`];
    return definition.includes(' TTL ') ? [`MODIFY COLUMN ${quoted(name)} REMOVE TTL`] : [];
  });
  return changes.length > 0 ? changes.join(', ') : undefined;
}

/** The queries that all materializations share, and how each of them reads its own files. */
import type { ClickHouse, Limits } from '../db/clickhouse';
import { postgresQuery, readQuery, type Steps } from '../db/sql';
import type { FactTable } from '../tables/derivations';

/** Deriving leaves a core to ingest, and never outlives the request that asked for it. */
const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1500000000', max_execution_time: 25 };

type Params = Readonly<Record<string, unknown>>;

/** A function that runs a statement of clickhouse/queries without a result; it may select from steps. */
export const command = (name: string, steps?: Steps) => {
  const text = readQuery('clickhouse', name, steps);
  return (db: ClickHouse, params: Params) => db.command(text, params, LIMITS);
};

/** A function that reads the rows of a query of clickhouse/queries. */
export const query = <T extends Record<string, unknown>>(name: string) => {
  const text = readQuery('clickhouse', name);
  return (db: ClickHouse, params: Params = {}) => db.rows<T>(text, params, LIMITS);
};

export const readInserts = query<{ inserted_at: number; rows: number }>('derive.inserts');
export const readNewestParts = query<{ until: number; newest_parts: [table: FactTable, parts: string][] }>(
  'derive.newest-parts',
);
export const readInsertMinutes = query<{ inserted_at: number; rows: number }>('derive.insert-minutes');

/** The numbers of the chunks of a run, and the greatest of them. */
export const readChunks = query<{ chunk: number }>('derive.chunks');
export const readLastChunk = query<{ chunk: number }>('derive.last-chunk');

export const readVersion = postgresQuery<{ version: number }>('derive.next-version');

export interface WatermarkRow extends Record<string, unknown> {
  watermark: number;
  /** Receipt time, in milliseconds, up to which everything accepted is taken in. */
  settled: number;
  recent_rows: Partial<Record<FactTable, number>>;
}
export const readWatermarkRow = postgresQuery<WatermarkRow>('derive.read-watermark');
/** No row where PostgreSQL knows of more. */
export const writeWatermarkRow = postgresQuery<{ name: string }>('derive.write-watermark');
export const writeSettled = postgresQuery('derive.write-settled');

export interface SettingsRow extends Record<string, unknown> {
  id: number;
  timezone: string;
  inactivity_days: number;
  derived_timezone: string | null;
  derived_inactivity_days: number | null;
}
export const readSettings = postgresQuery<SettingsRow>('derive.settings');
export const putSettings = postgresQuery('derive.put-settings');

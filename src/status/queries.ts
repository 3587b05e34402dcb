/** The queries behind the status, one function per statement of sql/queries and clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import type { Row } from '../db/postgres';
import { postgresQuery, readQuery } from '../db/sql';

export interface WatermarkRow extends Row {
  name: string;
  /** In milliseconds since 1970; 0 for never. */
  watermark: number;
  settled: number;
  sources: string[];
}
export const readWatermarks = postgresQuery<WatermarkRow>('status.watermarks');
/** Those of the accounts. */
export const readProjects = postgresQuery<{ id: number }>('status.projects');

/** The projects in which something is counted. */
export type Within = Readonly<Record<'of_all', boolean> & Record<'projects', readonly number[]>>;

const storedSince = readQuery('clickhouse', 'status.stored-since');
/** How many rows a table has that were stored after a time, in milliseconds. */
export const countStoredSince = async (db: ClickHouse, table: string, since: number, within: Within) =>
  (await db.rows<{ rows: number }>(storedSince, { table, since, ...within }))[0]?.rows ?? 0;

const undecided = readQuery('clickhouse', 'status.undecided');
/** Installs without a decision, and when the first of them was received. */
export const countUndecided = async (db: ClickHouse, within: Within) =>
  (await db.rows<{ installs: number; oldest: string | null }>(undecided, within))[0];

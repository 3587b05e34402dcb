/** The queries behind `adtrail doctor`, one function per file of sql/queries and clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import { queriesOf, readQuery } from '../db/sql';

const sql = queriesOf('doctor');

export interface PostgresServer extends Record<string, unknown> {
  readonly version: string;
  /** For example 160004. */
  readonly version_number: number;
  /** Milliseconds since 1970. */
  readonly clock: number;
  readonly connections: number;
  readonly most_connections: number;
}
export const readPostgres = sql<PostgresServer>('server');
export const readWaitingMessages = sql<{ host: string; messages: number; seconds: number }>('waiting-messages');

const clickhouse = <T extends Record<string, unknown>>(name: string) => {
  const text = readQuery('clickhouse', name);
  return (db: ClickHouse, params: Record<string, unknown> = {}) => db.rows<T>(text, params);
};
export const readClickHouse = clickhouse<{ version: string; clock: number }>('doctor.server');
export const readDisks = clickhouse<{ name: string; path: string; free: number; total: number }>('doctor.disks');
export const readParts = clickhouse<{ table: string; parts: number }>('doctor.parts');
export const readMutations = clickhouse<{ table: string; mutations: number; reason: string }>('doctor.mutations');
export const readBrokenParts = clickhouse<{ table: string; parts: number; names: string }>('storage.broken-parts');

/** The queries behind `adtrail doctor`, one function per statement of sql/queries and clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import { postgresQuery, readNodesQuery, readQuery } from '../db/sql';

export interface PostgresServer extends Record<string, unknown> {
  readonly version: string;
  /** For example 160004. */
  readonly version_number: number;
  /** Milliseconds since 1970. */
  readonly clock: number;
  readonly connections: number;
  readonly most_connections: number;
}
export const readPostgres = postgresQuery<PostgresServer>('doctor.server');
export const readWaitingMessages = postgresQuery<{ host: string; messages: number; seconds: number }>(
  'doctor.waiting-messages',
);

/** A question to the one server, or to every node of a cluster. */
const ofNodes =
  <T extends Record<string, unknown>>(name: string) =>
  (db: ClickHouse, cluster: string | undefined, params: Record<string, unknown> = {}) =>
    db.rows<T>(readNodesQuery(name, cluster), params);

/** `clock` is in milliseconds since 1970. */
export const readServers = ofNodes<{ node: string; version: string; clock: number }>('doctor.servers');
export const readDisks = ofNodes<{ node: string; name: string; free: number; total: number }>('doctor.disks');
export const readParts = ofNodes<{ table: string; parts: number }>('doctor.parts');
export const readMutations = ofNodes<{ table: string; mutations: number; reason: string }>('doctor.mutations');
export const readBrokenParts = ofNodes<{ table: string; parts: number; names: string }>('storage.broken-parts');

const nodes = readQuery('clickhouse', 'doctor.nodes');
/** How many nodes a cluster has. */
export const countNodes = async (db: ClickHouse, cluster: string) =>
  (await db.rows<{ nodes: number }>(nodes, { cluster }))[0]?.nodes ?? 0;

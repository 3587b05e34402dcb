/** The queries behind the setting up of a project, one function per statement of sql/queries and clickhouse/queries. */
import { postgresQuery, readQuery } from '../db/sql';
import type { Reads } from '../reporting/bounded-reads';

export const readConfigured = postgresQuery<{ app: boolean; domain: boolean; key: boolean }>('setup.configured');

interface RefusalRow extends Record<string, unknown> {
  readonly source: string;
  readonly reason: string;
  readonly field: string;
  readonly refused: number;
}
export const readRefusals = postgresQuery<RefusalRow & { readonly last_at: Date }>('setup.refusals');

const received = readQuery('clickhouse', 'setup.received');
type Received = Record<'app_event' | 'web_event' | 'click' | 'spend', number>;
export const readReceived = async (db: Reads, project_id: number): Promise<Received | undefined> =>
  (await db.rows<Received>(received, { project_id }))[0];

const refusedRequests = readQuery('clickhouse', 'setup.refused-requests');
export const readRefusedRequests = (db: Reads, project_id: number, since: number) =>
  db.rows<RefusalRow & { readonly last_at: string }>(refusedRequests, { project_id, since });

/** The queries behind erasure, one function per file of sql/queries and clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import { renderForCluster } from '../db/cluster-ddl';
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

const sql = (name: string) => readQuery('sql', `erasure.${name}`);
const clickhouse = (name: string) => readQuery('clickhouse', `erasure.${name}`);
const texts = {
  request: sql('request'),
  receipts: sql('receipts'),
  underWay: sql('under-way'),
  hidden: sql('hidden'),
  removed: sql('removed'),
  installs: clickhouse('installs'),
  devices: clickhouse('devices'),
  touches: clickhouse('touches'),
  visitors: clickhouse('visitors'),
  unfinished: clickhouse('unfinished'),
  leftovers: clickhouse('leftovers'),
};
/** The changes that erase a person from the records, in order. */
const CHANGES = [
  'hide-events',
  'hide-installs',
  'hide-clicks',
  'hide-impressions',
  'hide-ctv-impressions',
  'hide-web-events',
  'remove-touches',
  'remove-identities',
  'remove-batches',
  'remove-matches',
].map(clickhouse);

export type Kind = 'gaid' | 'idfa' | 'user';

export interface Receipt extends Record<string, unknown> {
  id: number;
  kind: Kind;
  requested_at: Date;
  hidden_at: Date | null;
  removed_at: Date | null;
}
export interface Request extends Record<string, unknown> {
  id: number;
  project_id: number;
  kind: Kind;
  value: string | null;
  hidden_at: Date | null;
}
/** Everything that connects records with one person. */
export interface Person {
  readonly project: number;
  readonly installs: readonly string[];
  readonly devices: readonly string[];
  readonly touches: readonly string[];
  readonly visitors: readonly string[];
}

export const createRequest = async (db: Queryable, projectId: number, kind: Kind, value: string) =>
  (await db.rows<Receipt>(texts.request, [projectId, kind, value]))[0];
export const readReceipts = (db: Queryable, projectId: number, id: number | null) =>
  db.rows<Receipt>(texts.receipts, [projectId, id]);
export const readRequestsUnderWay = (db: Queryable) => db.rows<Request>(texts.underWay);
export const setHidden = (db: Queryable, id: number, at: number) => db.rows(texts.hidden, [id, new Date(at)]);
export const setRemoved = (db: Queryable, ids: readonly number[], at: number) =>
  db.rows(texts.removed, [ids, new Date(at)]);

export const readInstalls = (db: ClickHouse, project: number, kind: Kind, value: string) =>
  db.rows<{ install_id: string; touch_id: string | null }>(texts.installs, { project, kind, value });
export const readDevices = async (db: ClickHouse, project: number, installs: readonly string[]) =>
  (await db.rows<{ device: string }>(texts.devices, { project, installs })).map((row) => row.device);
export const readTouches = async (db: ClickHouse, project: number, devices: readonly string[]) =>
  (await db.rows<{ touch_id: string }>(texts.touches, { project, devices })).map((row) => row.touch_id);
export const readVisitors = async (db: ClickHouse, project: number, user: string) =>
  (await db.rows<{ visitor_id: string }>(texts.visitors, { project, user })).map((row) => row.visitor_id);
export const countUnfinished = async (db: ClickHouse) =>
  (await db.rows<{ mutations: number }>(texts.unfinished))[0]?.mutations ?? 0;
export const countLeftovers = async (db: ClickHouse, until: number) =>
  (await db.rows<{ parts: number }>(texts.leftovers, { until }))[0]?.parts ?? 0;

/** Starts the changes; they run in the background, and starting them twice does no harm. */
export async function erase(db: ClickHouse, cluster: string | undefined, person: Person): Promise<void> {
  for (const change of CHANGES) {
    for (const statement of cluster ? renderForCluster(change, cluster) : [change])
      await db.command(statement, { ...person });
  }
}

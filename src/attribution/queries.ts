/** The queries behind attribution, one function a file of clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';

const sql = (name: string) => readQuery('clickhouse', `attribution.${name}`);
const texts = {
  arrivals: sql('arrivals'), fillClicks: sql('fill-click-touches'), fillImpressions: sql('fill-impression-touches'), fillCtv: sql('fill-ctv-touches'), fillIdentities: sql('fill-identities'),
  takeBatch: sql('take-batch'), batchSize: sql('batch-size'), namedCampaigns: sql('named-campaigns'), decide: sql('decide'),
};

/** Storage times in milliseconds: from the first on, before the second. */
export interface Stored {
  readonly from: number;
  readonly to: number;
}

/** The tables that touches come from. */
export const TOUCH_SOURCES = [
  { table: 'clicks', fill: texts.fillClicks },
  { table: 'impressions', fill: texts.fillImpressions },
  { table: 'ctv_impressions', fill: texts.fillCtv },
] as const;
export type TouchSource = (typeof TOUCH_SOURCES)[number];

export const readArrivals = (db: ClickHouse, table: string, from: number) => db.rows<{ stored: number; rows: number }>(texts.arrivals, { table, from });
export const fillTouches = (db: ClickHouse, { fill }: TouchSource, { from, to }: Stored, chunks: number, chunk: number) => db.command(fill, { from, to, chunks, chunk });
export const fillIdentities = (db: ClickHouse, { from, to }: Stored, chunks: number, chunk: number) => db.command(texts.fillIdentities, { from, to, chunks, chunk });
export const takeBatch = (db: ClickHouse, turn: number, from: number, settled: number, limit: number) => db.command(texts.takeBatch, { turn, from, settled, limit });
export const readBatchSize = async (db: ClickHouse, turn: number) => (await db.rows<{ installs: number }>(texts.batchSize, { turn }))[0]?.installs ?? 0;
export const readNamedCampaigns = (db: ClickHouse, turn: number) =>
  db.rows<{ project_id: number; network: string; network_campaign_id: string; name: string }>(texts.namedCampaigns, { turn });
export const decide = (db: ClickHouse, turn: number) => db.command(texts.decide, { turn });

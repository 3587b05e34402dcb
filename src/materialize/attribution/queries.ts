/** The queries behind a decision, one function per file of clickhouse/queries. */
import type { ClickHouse } from '../../db/clickhouse';
import { readQuery } from '../../db/sql';
import { query } from '../queries';

const sql = (name: string) => readQuery('clickhouse', `attribution.${name}`);
const texts = { takeBatch: sql('take-batch'), match: sql('match'), decide: sql('decide') };

/** Every statement that decides installs carries this tag: one that outlives its process can be recognised. */
const DECIDE_TAG = 'adtrail: decide installs';

export interface BatchOptions extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  /** Installs stored from then on, in milliseconds. */
  readonly from: number;
  /** Installs received up to then, in milliseconds. */
  readonly settled: number;
  readonly limit: number;
}
export interface NamedCampaignRow extends Record<string, unknown> {
  project_id: number;
  network: string;
  network_campaign_id: string;
  name: string;
}

export const takeBatch = (db: ClickHouse, options: BatchOptions) => db.command(texts.takeBatch, options);

const batchSize = query<{ installs: number }>('attribution.batch-size');
/** How many installs a run decides. */
export const readBatchSize = async (db: ClickHouse, runId: number) =>
  (await batchSize(db, { run_id: runId }))[0]?.installs ?? 0;

const unsettled = query<{ installs: number }>('attribution.unsettled');
/** How many install events stored from `from` on were received after `settled`, both in milliseconds. */
export const countUnsettled = async (db: ClickHouse, from: number, settled: number) =>
  (await unsettled(db, { from, settled }))[0]?.installs ?? 0;

const namedCampaigns = query<NamedCampaignRow>('attribution.named-campaigns');
/** The campaigns of ad networks that installs of a run name themselves. */
export const readNamedCampaigns = (db: ClickHouse, runId: number) => namedCampaigns(db, { run_id: runId });

const deciding = query<{ statements: number }>('attribution.deciding');
/** Whether a statement that decides installs is running. */
export const isDeciding = async (db: ClickHouse) => (await deciding(db, { tag: DECIDE_TAG }))[0]?.statements !== 0;

/** Decides the installs of a run. The touches that share an identifier with one are read first, and once. */
export async function decide(db: ClickHouse, runId: number): Promise<void> {
  await db.command(texts.match, { run_id: runId });
  await db.command(texts.decide, { run_id: runId }, { log_comment: DECIDE_TAG });
}

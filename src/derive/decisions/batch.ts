/** What all deciders share: how a run takes installs up. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Postgres } from '../../db/postgres';
import { syncCampaigns } from '../../configuration/synced-campaigns';
import type { Quarantine } from '../quarantine';
import * as queries from './queries';

/** The decider's name in watermarks, metrics and quarantine. */
export const NAME = 'attribution';
/** The name of its statements where lanes decide beside it. */
export const BESIDE_LANES = `${NAME}-beside-lanes`;
/** Installs decided by one run, at most. */
export const MAX_BATCH = 2_500;
/** So few are decided together whatever shares an identifier with them; it is not counted. */
const SMALL_BATCH = 40;
/** What a decision reads has to be complete. */
export const READS: readonly string[] = ['touches', 'installs-by-identifier'];

export interface AttributionOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  /** 1, or as many as there are lanes. */
  readonly deciders: number;
  /** Brings the configuration in ClickHouse up to date: windows, switches and names are those in force. */
  readonly syncConfiguration: () => Promise<void>;
  readonly quarantine: Quarantine;
  /** Told when decisions are stored. */
  readonly onDecided: () => void;
}

/** What a run has taken up. */
export interface Batch {
  /** The run of the installs that it decides. */
  readonly runId: number;
  readonly installs: number;
  /** There were more, which are left for another run. */
  readonly isCut: boolean;
  /** As many as a run takes up were there; when the last of them was received, in milliseconds. */
  readonly isFull: boolean;
  readonly lastReceived: number;
}

/**
 * Takes up installs, as many as a run can decide, and creates or renames campaigns of ad networks that they name
 * themselves.
 */
export async function takeUp(
  { postgres, clickhouse, syncConfiguration }: AttributionOptions,
  batch: queries.BatchOptions,
): Promise<Batch> {
  const { run_id } = batch;
  await Promise.all([queries.takeBatch(clickhouse, batch, MAX_BATCH), syncConfiguration()]);
  const taken = await queries.readBatch(clickhouse, run_id);
  const isSmall = taken.installs <= SMALL_BATCH;
  // No other run has this number: each is greater by 2 than the one before.
  const runId = isSmall ? run_id : run_id + 1;
  if (!isSmall) await queries.cutBatch(clickhouse, { run_id, cut_id: runId, projects: [] });
  const { installs, named } = isSmall ? taken : await queries.readBatch(clickhouse, runId);
  if (named.length > 0) {
    await syncCampaigns(postgres, named.map(toNetworkCampaign));
    await syncConfiguration();
  }
  const isFull = taken.installs === MAX_BATCH;
  return { runId, installs, isCut: installs < taken.installs, isFull, lastReceived: taken.last_received };
}

const toNetworkCampaign = ([projectId, network, networkCampaignId, name]: queries.NamedCampaign) => ({
  projectId,
  network,
  networkCampaignId,
  name: name || null,
});

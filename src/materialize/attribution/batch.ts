/** What all deciders share: how a run takes installs up. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Postgres } from '../../db/postgres';
import { findOrCreateSyncedCampaigns } from '../../configuration/synced-campaigns';
import type { Quarantine } from '../quarantine';
import * as queries from './queries';

/** Of the decider, in watermarks, metrics and quarantine. */
export const NAME = 'attribution';
/** Of its statements where lanes decide beside it. */
export const BESIDE_LANES = `${NAME}-beside-lanes`;
/** Installs decided by one run, at most. */
export const MAX_BATCH = 2_500;
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

/**
 * Takes installs up into a run, and creates the campaigns of ad networks that they name themselves. Resolves with their
 * number, and with when the last of them was received, in milliseconds.
 */
export async function takeUp(
  { postgres, clickhouse, syncConfiguration }: AttributionOptions,
  batch: queries.BatchOptions,
): Promise<{ installs: number; lastReceived: number }> {
  await Promise.all([queries.takeBatch(clickhouse, batch), syncConfiguration()]);
  const { installs, named, last_received: lastReceived } = await queries.readBatch(clickhouse, batch.run_id);
  if (named.length > 0) {
    await findOrCreateSyncedCampaigns(postgres, named.map(toNetworkCampaign));
    await syncConfiguration();
  }
  return { installs, lastReceived };
}

const toNetworkCampaign = ([projectId, network, networkCampaignId, name]: queries.NamedCampaign) => ({
  projectId,
  network,
  networkCampaignId,
  name: name || null,
});

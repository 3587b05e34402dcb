/** adtrail.installs: decides every install once, in batches (docs/contract.md, Attribution). */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import type { Postgres } from '../../db/postgres';
import { findOrCreateSyncedCampaigns } from '../../configuration/synced-campaigns';
import type { Materialization, Outcome, RunContext } from '../materialization';
import { isAboutData, type Quarantine } from '../quarantine';
import * as queries from './queries';

const NAME = 'attribution';

/** Installs decided by one run, at most. */
const MAX_BATCH = 2_500;

export interface AttributionOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** Brings the configuration in ClickHouse up to date: windows, switches and names are those in force. */
  readonly syncConfiguration: () => Promise<void>;
  readonly quarantine: Quarantine;
}

/**
 * Decides what was received up to the time for which touches and identities are complete, so every touch received
 * before an install can be credited. Killed anywhere, the next run goes on: an install that is decided is not taken up
 * again.
 */
export function createAttribution(options: AttributionOptions): Materialization {
  const size = { limit: MAX_BATCH };
  return {
    name: NAME,
    lock: LOCKS.attribution,
    sources: ['app_events'],
    after: ['touches', 'identities'],
    isStale: () => options.quarantine.hasRetries(NAME),
    run: (context) => decideBatch(options, context, size),
  };
}

/** `size` is the number of installs of the next run: halved when a run was too much, doubled when it was not. */
async function decideBatch(
  options: AttributionOptions,
  { db, changes, version }: RunContext,
  size: { limit: number },
): Promise<Outcome> {
  const { postgres, clickhouse, syncConfiguration, quarantine } = options;
  const { since } = changes.of('app_events');
  // Every touch received before an install is in the index when it is decided.
  const { settled } = changes;
  const [isDeciding] = await Promise.all([
    queries.isDeciding(clickhouse),
    queries.takeBatch(clickhouse, { run_id: version, from: since, settled, limit: size.limit }),
    syncConfiguration(),
  ]);
  // A process that was killed may have left its statement running: nothing is decided beside it.
  if (isDeciding) return 'later';
  const { installs, named } = await queries.readBatch(clickhouse, version);
  if (installs === 0) {
    await quarantine.release(NAME, changes.until);
    // What is not settled yet is decided by a later run.
    return (await queries.countUnsettled(clickhouse, since, settled)) > 0 ? 'later' : 'done';
  }
  if (named.length > 0) {
    await findOrCreateSyncedCampaigns(postgres, named.map(toNetworkCampaign));
    await syncConfiguration();
  }
  try {
    await queries.prepare(clickhouse, version);
    // A process that has lost the lock has lost this connection, and leaves the decision to the next one.
    await db.rows('SELECT 1');
    await queries.decide(clickhouse, version);
    size.limit = Math.min(MAX_BATCH, size.limit * 2);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    size.limit = Math.ceil(installs / 2);
    if (installs === 1) await quarantine.setAside(NAME, await queries.readInstalls(clickhouse, version), error);
  }
  return 'more';
}

const toNetworkCampaign = ([projectId, network, networkCampaignId, name]: queries.NamedCampaign) => ({
  projectId,
  network,
  networkCampaignId,
  name: name || null,
});

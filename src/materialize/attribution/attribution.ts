/** adtrail.installs: decides every install once, in batches (docs/contract.md, Attribution). */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import type { Postgres } from '../../db/postgres';
import { findOrCreateSyncedCampaigns } from '../../configuration/synced-campaigns';
import type { Materialization, Outcome, RunContext } from '../materialization';
import { DAY_MS } from '../../time';
import { isAboutData, type Quarantine } from '../quarantine';
import * as queries from './queries';

const NAME = 'attribution';

/** Installs decided by one run, at most. */
const MAX_BATCH = 2_500;
/** How often days of the queue are dropped that are decided. */
const DROP_MS = 3_600_000;

export interface AttributionOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  /** Brings the configuration in ClickHouse up to date: windows, switches and names are those in force. */
  readonly syncConfiguration: () => Promise<void>;
  readonly quarantine: Quarantine;
}

/**
 * Decides what was received up to the time for which the touches and the devices of installs are complete, so every
 * touch received before an install can be credited. Killed anywhere, the next run goes on: an install that is decided
 * is not taken up again.
 */
export function createAttribution(options: AttributionOptions): Materialization {
  const state = { limit: MAX_BATCH, droppedAt: 0 };
  return {
    name: NAME,
    lock: LOCKS.attribution,
    sources: ['install_queue'],
    after: ['touches', 'installs-by-identifier'],
    isStale: () => options.quarantine.hasRetries(NAME),
    run: (context) => decideBatch(options, context, state),
  };
}

interface State {
  /** Installs of the next run at most: halved when a run was too much, doubled when it was not. */
  limit: number;
  /** When days of the queue were dropped last. */
  droppedAt: number;
}

async function decideBatch(
  options: AttributionOptions,
  { db, changes, version }: RunContext,
  state: State,
): Promise<Outcome> {
  const { postgres, clickhouse, syncConfiguration, quarantine } = options;
  // A process that was killed may have left its statement running: nothing is taken up, or decided, beside it.
  if (await queries.isDeciding(clickhouse)) return 'later';
  const { since } = changes.of('install_queue');
  // Every touch received before an install is in the index when it is decided.
  const { settled } = changes;
  const batch = { run_id: version, from: since, settled, limit: state.limit };
  await Promise.all([queries.takeBatch(clickhouse, batch), syncConfiguration()]);
  const { installs, named } = await queries.readBatch(clickhouse, version);
  if (installs === 0) {
    await quarantine.release(NAME, changes.until);
    // What is not settled yet is decided by a later run.
    if ((await queries.countUnsettled(clickhouse, since, settled)) > 0) return 'later';
    await dropDecided(options, changes.until, state);
    return 'done';
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
    state.limit = Math.min(MAX_BATCH, state.limit * 2);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    state.limit = Math.ceil(installs / 2);
    if (installs === 1) await quarantine.setAside(NAME, await queries.readInstalls(clickhouse, version), error);
  }
  return 'more';
}

/** Everything in the queue up to `until` is decided; yesterday stays for whoever looks at it. */
async function dropDecided({ clickhouse, cluster }: AttributionOptions, until: number, state: State): Promise<void> {
  if (until - state.droppedAt < DROP_MS) return;
  await queries.dropDays(clickhouse, cluster, await queries.readDecidedDays(clickhouse, until - DAY_MS));
  state.droppedAt = until;
}

const toNetworkCampaign = ([projectId, network, networkCampaignId, name]: queries.NamedCampaign) => ({
  projectId,
  network,
  networkCampaignId,
  name: name || null,
});

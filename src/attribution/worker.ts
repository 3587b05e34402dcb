/** The attribution worker: decides every install once, in batches (docs/contract.md, Attribution). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import { derivedFrom, setDerivedUntil } from '../derivations';
import { Arrivals, joinStretches, type Fresh } from '../derived/arrivals';
import { findOrCreateSyncedCampaigns } from '../configuration/synced-campaigns';
import { tryWithLock, ATTRIBUTION_LOCK } from '../periodic';
import * as queries from './queries';

const BATCH = 2_500;
/** So many rows are taken in by one statement. */
const CHUNK = 1_000_000;
/**
 * An install is decided when it is so old: a touch that was received before it, and is being stored at the same time, is
 * in the table by then.
 */
const SETTLE_MS = 1_000;
/** The name of how far touches and identities have been taken in: of the tables as they are since 0012, which began empty. */
const TOUCHES = 'touch_keys';

export interface AttributionOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** Brings the copies of the configuration in ClickHouse up to date: windows, switches and names are those in force. */
  readonly copyConfiguration: () => Promise<void>;
  readonly now: () => number;
}

/**
 * The worker. Each turn takes in new touches and identities, then decides the installs that are old enough; it resolves
 * with true when there is more to do at once. Killed anywhere, the next turn goes on: what is taken in again is the same
 * rows, and an install that is decided is not taken up again.
 */
export function createAttribution(options: AttributionOptions): () => Promise<boolean> {
  const { clickhouse, postgres, copyConfiguration, now } = options;
  const touches = queries.TOUCH_SOURCES.map((source) => ({ source, arrivals: new Arrivals(clickhouse, source.table) }));
  const events = new Arrivals(clickhouse, 'app_events');
  /** Whether no install was left undecided when the last turn ended. */
  let isDrained = false;

  /** Hands what is new to `fill`: by when it was stored, which finds it quickly, and in chunks where much was stored at once. */
  const takeIn = async (
    fresh: Fresh,
    fill: (stored: queries.Stored, chunks: number, chunk: number) => Promise<void>,
  ) => {
    for (const stretch of joinStretches(fresh.stretches, CHUNK)) {
      const chunks = Math.ceil(stretch.rows / CHUNK);
      for (let chunk = 0; chunk < chunks; chunk++) await fill(stretch, chunks, chunk);
    }
    fresh.done();
  };

  /** Resolves with whether there may be installs to decide. */
  const takeInAll = async (started: number): Promise<boolean> => {
    const from = await derivedFrom(postgres, TOUCHES);
    for (const { source, arrivals } of touches)
      await takeIn(await arrivals.read(from), (stored, chunks, chunk) =>
        queries.fillTouches(clickhouse, source, stored, chunks, chunk),
      );
    const arrived = await events.read(from);
    if (arrived.rows > 0) await sweepRepeats(clickhouse, from);
    await takeIn(arrived, (stored, chunks, chunk) => queries.fillIdentities(clickhouse, stored, chunks, chunk));
    await setDerivedUntil(postgres, TOUCHES, started);
    return !arrived.isQuiet || !isDrained;
  };

  const turn = async (db: Queryable): Promise<boolean> => {
    // What a worker began that was killed since must not be decided beside it.
    if (await queries.isDeciding(clickhouse)) return false;
    const started = now();
    await copyConfiguration();
    const mayHaveInstalls = await takeInAll(started);
    const settled = started - SETTLE_MS;
    if (!mayHaveInstalls) {
      await setDerivedUntil(postgres, 'installs', settled);
      return false;
    }
    isDrained = false;
    // A number that no other turn has, also when the clock stands still.
    const number = started * 1000 + Math.floor(Math.random() * 1000);
    await queries.takeBatch(clickhouse, number, await derivedFrom(postgres, 'installs'), settled, BATCH);
    if ((await queries.readBatchSize(clickhouse, number)) === 0) {
      await setDerivedUntil(postgres, 'installs', settled);
      isDrained = true;
      return false;
    }
    const named = await queries.readNamedCampaigns(clickhouse, number);
    if (named.length > 0) {
      await findOrCreateSyncedCampaigns(
        postgres,
        named.map((one) => ({
          projectId: one.project_id,
          network: one.network,
          networkCampaignId: one.network_campaign_id,
          name: one.name || null,
        })),
      );
      await copyConfiguration();
    }
    // Whoever has lost the lock has lost this connection, and leaves the deciding to the next.
    await db.rows('SELECT 1');
    await queries.decide(clickhouse, number);
    return true;
  };
  return async () => (await tryWithLock(postgres, ATTRIBUTION_LOCK, turn)) ?? false;
}

/** Hides events, of those stored from `from` on, whose ID another install had first. */
async function sweepRepeats(clickhouse: ClickHouse, from: number): Promise<void> {
  // A table that is taken in for the first time was swept by whoever stored it.
  const ids = from === 0 ? [] : await queries.readRepeats(clickhouse, from);
  if (ids.length > 0) await queries.sweepRepeats(clickhouse, ids);
}

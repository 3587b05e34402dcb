/** The attribution worker: decides every install once, in batches (decisions.md §8). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import { Arrivals, derivedFrom, setDerivedUntil } from '../derivations';
import { findOrCreateSyncedCampaigns } from '../projects/synced-campaigns';
import { alone, ATTRIBUTION_LOCK } from '../upkeep';
import * as queries from './queries';

const BATCH = 2_500;
/** So many rows are taken in by one statement. */
const CHUNK = 1_000_000;
/**
 * An install is decided when it is so old: a touch that was received before it, and is being stored at the same time, is
 * in the table by then.
 */
const SETTLE_MS = 1_000;

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
  const arrivals = new Map(['app_events', ...queries.TOUCH_SOURCES.map(({ table }) => table)].map((table) => [table, new Arrivals()]));

  /** Hands what has arrived in a table since the last turn to `fill`, in chunks. */
  const takeIn = async (table: string, from: number, fill: (stored: queries.Stored, chunks: number, chunk: number) => Promise<void>) => {
    const seen = arrivals.get(table) as Arrivals;
    const inserts = await queries.readArrivals(clickhouse, table, from);
    const news = seen.newIn(inserts);
    if (!news) return;
    const chunks = Math.ceil(news.rows / CHUNK);
    for (let chunk = 0; chunk < chunks; chunk++) await fill(news, chunks, chunk);
    seen.remember(inserts);
  };

  const takeInAll = async (started: number) => {
    const from = await derivedFrom(postgres, 'first_touches');
    for (const source of queries.TOUCH_SOURCES) await takeIn(source.table, from, (stored, chunks, chunk) => queries.fillTouches(clickhouse, source, stored, chunks, chunk));
    await takeIn('app_events', from, (stored, chunks, chunk) => queries.fillIdentities(clickhouse, stored, chunks, chunk));
    await setDerivedUntil(postgres, 'first_touches', started);
  };

  const turn = async (db: Queryable): Promise<boolean> => {
    // What a worker began that was killed since must not be decided beside it.
    if (await queries.isDeciding(clickhouse)) return false;
    const started = now();
    await copyConfiguration();
    await takeInAll(started);
    // A number that no other turn has, also when the clock stands still.
    const number = started * 1000 + Math.floor(Math.random() * 1000);
    const settled = started - SETTLE_MS;
    await queries.takeBatch(clickhouse, number, await derivedFrom(postgres, 'installs'), settled, BATCH);
    if ((await queries.readBatchSize(clickhouse, number)) === 0) {
      await setDerivedUntil(postgres, 'installs', settled);
      return false;
    }
    const named = await queries.readNamedCampaigns(clickhouse, number);
    if (named.length > 0) {
      await findOrCreateSyncedCampaigns(postgres, named.map((one) => ({ projectId: one.project_id, network: one.network, networkCampaignId: one.network_campaign_id, name: one.name || null })));
      await copyConfiguration();
    }
    // Whoever has lost the lock has lost this connection, and leaves the deciding to the next.
    await db.rows('SELECT 1');
    await queries.decide(clickhouse, number);
    return true;
  };
  return async () => (await alone(postgres, ATTRIBUTION_LOCK, turn)) ?? false;
}

/** adtrail.installs: decides every install once, in batches (docs/contract.md, Attribution). */
import { LANE_LOCKS, LOCKS, tryLocks } from '../../db/advisory-lock';
import type { Materialization, Outcome, RunContext } from '../materialization';
import { DAY_MS } from '../../time';
import { isAboutData } from '../quarantine';
import { BESIDE_LANES, MAX_BATCH, NAME, READS, takeUp, type AttributionOptions } from './batch';
import { createLanes, LANE_NAMES } from './lanes';
import * as queries from './queries';

/** How often it is noted up to where the queue is decided, while there is always more of it. */
const NOTE_MS = 10_000;
/** How often days of the queue are dropped that are decided. */
const DROP_MS = 3_600_000;

/**
 * Decides what was received up to the time for which the touches and the devices of installs are complete, so every
 * touch received before an install can be credited. Killed anywhere, the next run goes on: an install that is decided
 * is not taken up again.
 *
 * One decider takes up every install. With several, each lane decides installs of its own, and the last of these
 * materializations, which comes after all lanes, what they have left.
 */
export function createAttribution(options: AttributionOptions): readonly Materialization[] {
  const state = { limit: MAX_BATCH, notedAt: 0, droppedAt: 0 };
  const lanes = options.deciders > 1 ? createLanes(options) : [];
  const decider: Materialization = {
    name: NAME,
    lock: LOCKS.attribution,
    sources: ['install_queue'],
    after: [...READS, ...lanes.map(({ name }) => name)],
    isStale: () => options.quarantine.hasRetries(NAME),
    run: (context) => decideBatch(options, context, state),
  };
  return [...lanes, decider];
}

interface State {
  /** Installs of the next run at most: halved when a run was too much, doubled when it was not. */
  limit: number;
  /** When it was noted last up to where the queue is decided. */
  notedAt: number;
  /** When days of the queue were dropped last. */
  droppedAt: number;
}

async function decideBatch(options: AttributionOptions, context: RunContext, state: State): Promise<Outcome> {
  const { clickhouse, cluster, quarantine } = options;
  const { db, changes, version } = context;
  const isAlone = options.deciders === 1;
  // Another process may have several deciders: nobody else decides meanwhile.
  if (isAlone && !(await tryLocks(db, LANE_LOCKS))) return 'later';
  // A process that was killed may have left its statement running: nothing is taken up, or decided, beside it.
  const others = isAlone ? LANE_NAMES : [];
  if (await queries.isDeciding(clickhouse, cluster, [NAME, BESIDE_LANES, ...others])) return 'later';
  const { since } = changes.of('install_queue');
  // Every touch received before an install is in the index when it is decided.
  const { settled } = changes;
  const { limit } = state;
  const batch = { ...queries.ANY_LANE, run_id: version, from: since, settled, limit };
  const { installs } = await takeUp(options, batch);
  if (installs > 0) await decideTakenUp(options, context, installs, state);
  if (installs === limit) return 'more';
  if (installs > 0 && changes.until - state.notedAt < NOTE_MS) return 'more';
  // Everything older in the queue is decided: the runs to come read it from there.
  const { open, oldest } = await queries.readOldestOpen(clickhouse, { run_id: version, from: since, settled });
  if (oldest > since) await context.takenUpTo(oldest - 1, []);
  state.notedAt = changes.until;
  await dropDecided(options, open > 0 ? oldest : changes.until, changes.until, state);
  if (installs > 0) return 'more';
  await quarantine.release(NAME, changes.until);
  // What is not settled yet is decided by a later run.
  return open > 0 ? 'later' : 'done';
}

async function decideTakenUp(
  { clickhouse, deciders, quarantine, onDecided }: AttributionOptions,
  { db, version }: RunContext,
  installs: number,
  state: State,
): Promise<void> {
  try {
    await queries.prepare(clickhouse, version);
    // A process that has lost the lock has lost this connection, and leaves the decision to the next one.
    await db.rows('SELECT 1');
    await queries.decide(clickhouse, deciders === 1 ? NAME : BESIDE_LANES, { run_id: version, lane: 0 });
    onDecided();
    state.limit = Math.min(MAX_BATCH, state.limit * 2);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    state.limit = Math.ceil(installs / 2);
    if (installs === 1) await quarantine.setAside(NAME, await queries.readInstalls(clickhouse, version), error);
  }
}

/** Everything in the queue up to `until` is decided; a day of it stays for whoever looks at it. */
async function dropDecided(
  { clickhouse, cluster }: AttributionOptions,
  until: number,
  now: number,
  state: State,
): Promise<void> {
  if (now - state.droppedAt < DROP_MS) return;
  await queries.dropDays(clickhouse, cluster, await queries.readDecidedDays(clickhouse, cluster, until - DAY_MS));
  state.droppedAt = now;
}

/** adtrail.installs: decides every install once, in batches (docs/contract/attribution.md). */
import { LANE_LOCKS, tryLocks } from '../../db/advisory-lock';
import type { Materialization, Outcome, RunContext } from '../materialization';
import { DAY_MS } from '../../lib/time';
import { isAboutData } from '../quarantine';
import { readVersion } from '../queries';
import { BESIDE_LANES, MAX_BATCH, NAME, READS, takeUp, type AttributionOptions } from './batch';
import { createLanes, LANE_NAMES } from './lanes';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

/** How often it is noted up to where the queue is decided, while there is always more of it. */
const NOTE_MS = 10_000;
/** How often days of the queue are dropped that are decided. */
const DROP_MS = 3_600_000;

/**
 * Decides what was received up to the time for which the touches and the devices of installs are complete, so every
 * touch received before an install can be credited. Killed anywhere, the next run continues: an install that is decided
 * is not taken up again.
 *
 * One decider takes up every install. With several, each lane decides its own installs, and the last of these
 * materializations, which comes after all lanes, what they have left.
 */
export function createAttribution(options: AttributionOptions): readonly Materialization[] {
  const state = { limits: new Map<number, number>(), notedAt: 0, hasOpen: false, droppedAt: 0 };
  const lanes = options.deciders > 1 ? createLanes(options) : [];
  const decider: Materialization = {
    name: NAME,
    ...DERIVATIONS.attribution,
    after: [...READS, ...lanes.map(({ name }) => name)],
    isStale: () => options.quarantine.hasRetries(NAME),
    run: (context) => decideBatch(options, context, state),
  };
  return [...lanes, decider];
}

interface State {
  /**
   * Installs of a project in the next run at most, where a run of it was too much: halved when it was, doubled when it
   * was not.
   */
  readonly limits: Map<number, number>;
  /** When it was noted last up to where the queue is decided. */
  notedAt: number;
  /** Whether installs were left when it was. */
  hasOpen: boolean;
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
  const isLimited = state.limits.size > 0;
  const batch = { ...queries.ANY_LANE, run_id: version, from: since, settled, project_limits: state.limits };
  const { runId, installs, isCut, isFull } = await takeUp(options, batch);
  if (installs > 0) await decideTakenUp(options, context, runId, state);
  if (isFull || (installs > 0 && (isLimited || state.limits.size > 0))) return 'more';
  // While installs never cease, no run finds nothing to do: this one has decided all that were received by then.
  if (installs > 0 && !isCut) await context.settleUpTo(settled);
  if (installs > 0 && state.hasOpen && changes.until - state.notedAt < NOTE_MS) return 'more';
  // Everything older in the queue is decided: the runs to come read it from there.
  const { open, oldest } = await queries.readOldestOpen(clickhouse, { run_id: version, from: since, settled });
  if (oldest > since) await context.takenUpTo(oldest - 1, []);
  state.notedAt = changes.until;
  state.hasOpen = open > 0 || isCut;
  await dropDecided(options, state.hasOpen ? oldest : changes.until, changes.until, state);
  if (installs > 0 && state.hasOpen) return 'more';
  await quarantine.release(NAME, changes.until);
  // What is not settled yet is decided by a later run.
  return open > 0 ? 'later' : 'done';
}

/** Where a run is too much, projects are decided apart; where one is too much alone, fewer of its installs are next. */
async function decideTakenUp(
  options: AttributionOptions,
  context: RunContext,
  runId: number,
  state: State,
): Promise<void> {
  const { clickhouse, deciders, quarantine, onDecided } = options;
  const { db } = context;
  const { limits } = state;
  try {
    await queries.prepare(clickhouse, runId);
    // A process that has lost the lock has lost this connection, and leaves the decision to the next one.
    await db.rows('SELECT 1');
    await queries.decide(clickhouse, deciders === 1 ? NAME : BESIDE_LANES, { run_id: runId, lane: 0 });
    onDecided();
    if (limits.size === 0) return;
    const { projects } = await readProjects(clickhouse, runId);
    for (const [project, limit] of limits) {
      if (projects.includes(project)) limits.set(project, limit * 2);
      if (limit >= MAX_BATCH) limits.delete(project);
    }
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const { installs, projects } = await readProjects(clickhouse, runId);
    if (projects.length === 1) limits.set(projects[0] as number, Math.ceil(installs.length / 2));
    if (installs.length === 1) await quarantine.setAside(NAME, installs, error);
    if (projects.length === 1) return;
    const half = Math.ceil(projects.length / 2);
    for (const some of [projects.slice(0, half), projects.slice(half)]) {
      const [next] = await readVersion(db);
      const cutId = next?.version as number;
      await queries.cutBatch(clickhouse, { run_id: runId, cut_id: cutId, projects: some });
      await decideTakenUp(options, context, cutId, state);
    }
  }
}

async function readProjects(clickhouse: AttributionOptions['clickhouse'], runId: number) {
  const installs = await queries.readInstalls(clickhouse, runId);
  return { installs, projects: [...new Set(installs.map(({ project_id }) => project_id))] };
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

/**
 * Several deciders beside each other: each lane decides its own installs, told apart by a hash, in the order of
 * their receipt. It leaves those whose decision may depend on what another install is credited with, an impression, and
 * those that are too much for its run, of a busy address for example: others would wait for them. The decider that
 * comes after all lanes decides them. So who decides an install does not show in what is decided.
 *
 * No install is decided by two: a lane takes up what was received after the time up to which it is through, and the
 * decider what was received before the times of all lanes.
 */
import { LANE_LOCKS } from '../../db/advisory-lock';
import type { Materialization, Outcome, RunContext } from '../materialization';
import { isAboutData } from '../quarantine';
import { readWatermarkRow } from '../queries';
import { OVERLAP_MS } from '../watermarks';
import { NAME, READS, takeUp, type AttributionOptions } from './batch';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

const NO_LIMITS: ReadonlyMap<number, number> = new Map();
/** The lanes are the same in all processes, whichever of them decide. */
const LANES = LANE_LOCKS.map((lock, i) => ({ name: `${NAME}-lane-${i + 1}` as const, lock, lane: i + 1 }));
export const LANE_NAMES: readonly string[] = LANES.map(({ name }) => name);

export const createLanes = (options: AttributionOptions): readonly Materialization[] =>
  LANES.map(({ name, lock, lane }) => ({
    name,
    lock,
    sources: DERIVATIONS.attribution.sources,
    after: READS,
    run: (context) => decideLane(options, context, name, lane),
  }));

async function decideLane(
  options: AttributionOptions,
  { db, changes, version, settleUpTo }: RunContext,
  name: string,
  lane: number,
): Promise<Outcome> {
  const { clickhouse, cluster, onDecided } = options;
  // A process that was killed may have left its statement running.
  if (await queries.isDeciding(clickhouse, cluster, [name, NAME])) return 'later';
  // Everything that was stored before is decided.
  const [decided] = await readWatermarkRow(db, NAME);
  const from = Math.max(0, (decided?.watermark ?? 0) - OVERLAP_MS);
  const [through] = await readWatermarkRow(db, name);
  const { settled } = changes;
  const batch = {
    lane,
    lanes: LANES.length,
    after: through?.settled ?? 0,
    run_id: version,
    from,
    settled,
    project_limits: NO_LIMITS,
  };
  const { runId, installs, isFull, lastReceived } = await takeUp(options, batch);
  if (installs > 0) {
    try {
      await queries.prepare(clickhouse, runId);
      // A process that has lost the lock has lost this connection, and leaves the decision to the next one.
      await db.rows('SELECT 1');
      await queries.decide(clickhouse, name, { run_id: runId, lane });
      onDecided();
    } catch (error) {
      // The decider finds the install that it is about.
      if (!isAboutData(error)) throw error;
    }
  }
  // After a full batch, other installs may have been received together with its last one; they are left too.
  await settleUpTo(isFull ? lastReceived : settled);
  if (installs > 0) return 'more';
  return (await queries.readOldestOpen(clickhouse, { run_id: version, from, settled })).open > 0 ? 'later' : 'done';
}

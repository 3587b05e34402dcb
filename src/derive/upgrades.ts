/**
 * Rows that an earlier version derived lack what this one writes: they get it once, a bounded number at a time, with
 * pauses in which their derivation takes in what is new.
 */
import { tryWithLock } from '../db/advisory-lock';
import { postgresQuery } from '../db/sql';
import type { Queryable } from '../db/postgres';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { UPGRADES, type UpgradeName } from '../tables/derivations';
import { readVersion } from './queries';
import type { RunsOptions } from './runs';

/** The derivation of the same rows looks for its lock more often than that. */
const PAUSE_MS = 500;

const readLayout = postgresQuery<{ layout: number }>('derive.read-layout');
const putLayout = postgresQuery('derive.put-layout');

export interface UpgradeRun {
  /** The connection that holds the lock. */
  readonly db: Queryable;
  /** Version of the rows that this run writes, as that of a materialization. */
  readonly version: number;
  /** Whether some process has brought all rows to the layout before. */
  readonly wasDone: boolean;
}

/**
 * Takes up rows after those of the run before, less than a second of work; resolves with false once there are none
 * left. A process that is killed starts again with the first.
 */
export type TakeUpSome = (run: UpgradeRun) => Promise<boolean>;

/** Runs until no row is left to this process. */
export function startUpgrade(
  name: UpgradeName,
  takeUpSome: TakeUpSome,
  { postgres, log, observe }: Pick<RunsOptions, 'postgres' | 'log' | 'observe'>,
): PeriodicTask {
  const { lock, layout } = UPGRADES[name];
  const run = async (db: Queryable) => {
    const wasDone = ((await readLayout(db, name))[0]?.layout ?? 0) >= layout;
    const version = (await readVersion(db))[0]?.version as number;
    if (await takeUpSome({ db, version, wasDone })) return 'more';
    if (!wasDone) await putLayout(db, name, layout);
    return 'done';
  };
  const task: PeriodicTask = runPeriodically(`Upgrading ${name}`, PAUSE_MS, log, async () => {
    const started = performance.now();
    let failed = true;
    try {
      if ((await tryWithLock(postgres, lock, run)) === 'done') void task.stop();
      failed = false;
    } finally {
      observe({ name, seconds: (performance.now() - started) / 1000, failed });
    }
  });
  return task;
}

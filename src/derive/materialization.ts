/** What a derived table is to the scheduler: where its rows come from, and how they are brought up to date. */
import type { LockId } from '../db/advisory-lock';
import type { Queryable } from '../db/postgres';
import type { Changes, InsertRange } from './change-tracker';
import type { DerivationName, FactTable } from '../tables/derivations';

export interface RunContext {
  /** The connection that holds the lock: a statement on it fails once the lock is lost. */
  readonly db: Queryable;
  /** What has been stored in the sources since the last run that ended with `done`. */
  readonly changes: Changes;
  /** Version of the rows that this run writes: greater, by 2 or more, than that of every run before it. */
  readonly version: number;
  /**
   * Notes that everything stored up to a time (milliseconds) is taken in, with `done` the last of it: a run that comes
   * after one that was killed continues from there.
   */
  readonly takenUpTo: (storedAt: number, done: readonly InsertRange[]) => Promise<void>;
  /** Notes that everything received up to a time (milliseconds) is taken in, though not everything that is stored. */
  readonly settleUpTo: (receivedAt: number) => Promise<void>;
}

/**
 * `done`: everything in the changes is taken in. `more`: part of it; run again at once, with the same changes and
 * what has come since. `later`: likewise, at the next tick.
 */
export type Outcome = 'done' | 'more' | 'later';

export interface Materialization {
  readonly name: DerivationName | `attribution-lane-${number}`;
  /** One process at a time runs the materializations of a lock, in the order in which they were added. */
  readonly lock: LockId;
  readonly sources: readonly FactTable[];
  /** Names of materializations that must have taken in the same changes first. */
  readonly dependsOn?: readonly string[];
  /**
   * Names of materializations that it reads: `settled` of its changes goes no further than what they have taken in.
   * They run at the same time; a run waits for those of theirs that began before it.
   */
  readonly after?: readonly string[];
  /** Whether it has to run although nothing was stored, for example because a setting has changed. */
  isStale?(db: Queryable): Promise<boolean>;
  /** Takes in the changes. Killed anywhere, the same changes come again: a repeat must lead to the same rows. */
  run(context: RunContext): Promise<Outcome>;
}

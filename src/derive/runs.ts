/** Runs of one materialization: what it is given, and how it is noted how far it has come. */
import { withLock } from '../db/advisory-lock';
import type { Postgres, Queryable } from '../db/postgres';
import type { Log } from '../lib/log';
import type { Tracing } from '../tracing/tracing';
import type { Changes, InsertLog } from './change-tracker';
import type { Materialization, Outcome, RunContext } from './materialization';
import { readVersion } from './queries';
import type { Progress } from './watermarks';

/** A run of more rows tells in the log how far it is, this often. */
const LONG_RUN_ROWS = 2_000_000;
const TELL_MS = 10_000;
/** While there is nothing new, that is written to PostgreSQL this seldom, unless somebody waits. */
const STORE_IDLE_MS = 60_000;

export interface RunsOptions {
  readonly postgres: Postgres;
  readonly log: Log;
  readonly now: () => number;
  readonly tracing: Pick<Tracing, 'span'>;
  /** Called for every run, for metrics. */
  readonly observe: (run: { name: string; seconds: number; failed: boolean }) => void;
  /** Called with how many rows were taken in, and how many of them had been before. */
  readonly observeRows: (taken: { name: string; rows: number; again: number }) => void;
}

/** A run ended between two stretches because the process is about to. */
export class StoppedError extends Error {}

/** A materialization with how far it has come. */
export interface Entry {
  readonly materialization: Materialization;
  readonly progress: Progress;
  /** When that was written to PostgreSQL last. */
  storedAt: number;
}

export class Runs {
  private readonly entries = new Map<string, Entry>();
  private stopped = false;

  constructor(private readonly options: RunsOptions) {}

  add(entry: Entry): void {
    this.entries.set(entry.materialization.name, entry);
  }

  all(): readonly Entry[] {
    return [...this.entries.values()];
  }

  of(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`No materialization is named ${name}`);
    return entry;
  }

  /** Runs that take in much end with the stretch that they are at. */
  stop(): void {
    this.stopped = true;
  }

  /** Runs one materialization on the connection that holds its lock; `isAwaited` where somebody waits for its note. */
  async run(entry: Entry, log: InsertLog, db: Queryable, isAwaited = false): Promise<Outcome> {
    const { materialization, progress } = entry;
    // Another process has taken in more than this log shows.
    if (!(await progress.synchronize(db, log))) return 'done';
    if (!progress.hasChangesIn(log) && !(await materialization.isStale?.(db))) {
      await this.noteNothingNew(entry, log, db, isAwaited);
      return 'done';
    }
    await this.runDependencies(materialization, log);
    const version = (await readVersion(db))[0]?.version as number;
    const started = performance.now();
    const observe = (failed: boolean) =>
      this.options.observe({ name: materialization.name, seconds: (performance.now() - started) / 1000, failed });
    const changes = progress.changesIn(log, this.readSettled(materialization));
    const takenUpTo = this.createNote(entry, log, changes, db);
    try {
      const settleUpTo = async (receivedAt: number) => {
        progress.settle(receivedAt);
        // Not on the connection of the lock: its row would keep `takenUpTo` waiting, and tell nobody before the end.
        await progress.storeSettled(this.options.postgres);
      };
      const outcome = await this.options.tracing.span(`materialize ${materialization.name}`, {}, () =>
        materialization.run({ db, changes, version, takenUpTo, settleUpTo }),
      );
      observe(false);
      if (outcome !== 'done') return outcome;
    } catch (error) {
      observe(true);
      throw error;
    }
    for (const table of materialization.sources) {
      const { rows, again } = changes.of(table);
      this.options.observeRows({ name: materialization.name, rows, again });
    }
    progress.advance(log);
    await progress.store(db, log);
    entry.storedAt = this.options.now();
    return 'done';
  }

  /** Everything up to the look is taken in, also where others of its lock always have work. */
  async noteNothingNew(entry: Entry, log: InsertLog, db: Queryable, isAwaited: boolean): Promise<void> {
    entry.progress.advance(log);
    if (!isAwaited && this.options.now() - entry.storedAt < STORE_IDLE_MS) return;
    await entry.progress.store(db, log);
    entry.storedAt = this.options.now();
  }

  /** Up to which receipt time what the materialization reads is complete. */
  private readSettled({ after = [] }: Materialization): number {
    return Math.min(...after.map((name) => this.of(name).progress.settledUpTo));
  }

  /** Notes how far a long run is, on a separate connection: that of the lock tells nobody before the run ends. */
  private createNote(
    { materialization, progress }: Entry,
    log: InsertLog,
    changes: Changes,
    db: Queryable,
  ): RunContext['takenUpTo'] {
    const total = materialization.sources.reduce((sum, table) => sum + changes.of(table).rows, 0);
    let done = 0;
    let toldAt = this.options.now();
    return async (storedAt, stretch) => {
      // Fails where the lock is lost.
      await db.rows('SELECT 1');
      progress.advanceTo(storedAt, log);
      await progress.store(this.options.postgres, log);
      if (this.stopped) throw new StoppedError();
      done += stretch.reduce((sum, { rows }) => sum + rows, 0);
      if (total < LONG_RUN_ROWS || this.options.now() - toldAt < TELL_MS) return;
      toldAt = this.options.now();
      this.options.log.info(`Deriving ${materialization.name}: ${done} of ${total} rows are taken in`);
    };
  }

  private async runDependencies({ dependsOn = [] }: Materialization, log: InsertLog): Promise<void> {
    for (const name of dependsOn) {
      const entry = this.of(name);
      if (!entry.progress.hasChangesIn(log)) continue;
      await withLock(this.options.postgres, entry.materialization.lock, (db) => this.run(entry, log, db));
    }
  }
}

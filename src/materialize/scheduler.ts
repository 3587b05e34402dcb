/** Keeps the derived tables up with the facts: looks at what has been stored, and runs what it concerns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tryWithLock, withLock, type LockId } from '../db/advisory-lock';
import type { Postgres, Queryable } from '../db/postgres';
import { UnavailableError } from '../errors';
import type { Log } from '../log';
import { runPeriodically, type PeriodicTask } from '../periodic';
import { ChangeTracker, type InsertLog } from './change-tracker';
import type { FactTable, Materialization, Outcome } from './materialization';
import { readVersion } from './queries';
import { Progress } from './watermarks';

/** How often a process looks at what has been stored. */
const TICK_MS = 1_000;
/** After so long without anything new it looks less often, unless it stores something itself. */
const QUIET_AFTER_MS = 60_000;
const QUIET_TICK_MS = 2_000;
/** A run that took longer is followed by another at once: as much has come meanwhile. */
const LONG_RUN_MS = 1_000;
/** While nothing is stored, progress is written to PostgreSQL this seldom. */
const STORE_IDLE_MS = 60_000;
/** After a failure the next attempt waits twice as long as the one before, up to this. */
const MAX_BACKOFF_MS = 5_000;
/** How long a caller of `catchUp` waits for another process that is at it. */
const CATCH_UP_MS = 3_000;
const CATCH_UP_RETRY_MS = 50;

export interface SchedulerOptions {
  readonly postgres: Postgres;
  readonly tracker: ChangeTracker;
  readonly log: Log;
  readonly now: () => number;
  /** When this process last stored records, in milliseconds since 1970; 0 for never. */
  readonly lastStoredAt: () => number;
  /** Told of every run, for metrics. */
  readonly observe: (run: { name: string; seconds: number; failed: boolean }) => void;
}

interface Entry {
  readonly materialization: Materialization;
  readonly progress: Progress;
  storedAt: number;
}

/** The materializations of one lock, which run one after the other. */
class Pipeline {
  readonly entries: Entry[] = [];
  running: Promise<void> | undefined;
  dueAt = 0;
  failures = 0;
  lastFailure = '';

  constructor(
    readonly lock: LockId,
    readonly everyMs: number,
  ) {}
}

export class Scheduler {
  private readonly pipelines = new Map<LockId, Pipeline>();
  private readonly entries = new Map<string, Entry>();
  private task: PeriodicTask | undefined;
  private lookedAt = 0;
  /** When something new was found last; a start counts as such. */
  private foundAt: number;

  constructor(private readonly options: SchedulerOptions) {
    this.foundAt = options.now();
  }

  /** Adds a materialization, which is looked at every `everyMs`; those of one lock run in the order of their adding. */
  add(materialization: Materialization, everyMs: number): void {
    const entry = { materialization, progress: new Progress(materialization), storedAt: 0 };
    this.entries.set(materialization.name, entry);
    const pipeline = this.pipelines.get(materialization.lock) ?? new Pipeline(materialization.lock, everyMs);
    this.pipelines.set(materialization.lock, pipeline);
    pipeline.entries.push(entry);
  }

  start(): void {
    if (this.pipelines.size === 0) return;
    this.task = runPeriodically('Deriving tables', TICK_MS, this.options.log, () => this.tick());
  }

  /** Waits for the runs under way, and starts no other. */
  async stop(): Promise<void> {
    await this.task?.stop();
    for (const pipeline of this.pipelines.values()) await pipeline.running;
  }

  /** Seconds since everything stored was taken in, by materialization; none before its first run. */
  lags(): { name: string; seconds: number }[] {
    const { now } = this.options;
    return [...this.entries]
      .filter(([, { progress }]) => progress.latest > 0)
      .map(([name, { progress }]) => ({ name, seconds: Math.max(0, (now() - progress.latest) / 1000) }));
  }

  /**
   * Takes in everything that was stored before the call.
   *
   * @throws UnavailableError when that takes longer than a caller can wait.
   */
  async catchUp(name: string): Promise<void> {
    const entry = this.entryOf(name);
    const giveUp = this.options.now() + CATCH_UP_MS;
    const { lock } = entry.materialization;
    for (;;) {
      const log = await this.read([entry]);
      if (!entry.progress.hasChangesIn(log)) return;
      const outcome = await tryWithLock(this.options.postgres, lock, (db) => this.run(entry, log, db));
      if (outcome === 'done') return;
      if (this.options.now() >= giveUp) throw new UnavailableError(`${name} could not be brought up to date`);
      await sleep(CATCH_UP_RETRY_MS);
    }
  }

  private entryOf(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`No materialization is named ${name}`);
    return entry;
  }

  /** One look at what has been stored, for all pipelines that rest and are due. */
  private async tick(): Promise<void> {
    const now = this.options.now();
    const due = [...this.pipelines.values()].filter((pipeline) => !pipeline.running && pipeline.dueAt <= now);
    if (due.length === 0 || (this.isQuiet(now) && now - this.lookedAt < QUIET_TICK_MS)) return;
    this.lookedAt = now;
    const log = await this.read(due.flatMap((pipeline) => pipeline.entries));
    for (const pipeline of due) {
      if (await this.hasWork(pipeline, log)) {
        this.foundAt = now;
        this.startPipeline(pipeline, log);
      } else await this.rest(pipeline, log);
    }
  }

  private isQuiet(now: number): boolean {
    return now - Math.max(this.foundAt, this.options.lastStoredAt()) > QUIET_AFTER_MS;
  }

  private async read(entries: readonly Entry[]): Promise<InsertLog> {
    const since = new Map<FactTable, number>();
    const dependencies = entries.flatMap(({ materialization }) => materialization.dependsOn ?? []);
    for (const { materialization, progress } of [...entries, ...dependencies.map((name) => this.entryOf(name))]) {
      if (progress.watermark === 0) await progress.load(this.options.postgres);
      for (const table of materialization.sources)
        since.set(table, Math.min(since.get(table) ?? Infinity, progress.lookFrom));
    }
    return this.options.tracker.read(since);
  }

  private async hasWork(pipeline: Pipeline, log: InsertLog): Promise<boolean> {
    for (const { materialization, progress } of pipeline.entries) {
      if (progress.hasChangesIn(log)) return true;
      if (await materialization.isStale?.(this.options.postgres)) return true;
    }
    return false;
  }

  /** Nothing is new: everything up to the look is taken in. */
  private async rest(pipeline: Pipeline, log: InsertLog): Promise<void> {
    pipeline.dueAt = this.options.now() + pipeline.everyMs;
    for (const entry of pipeline.entries) {
      entry.progress.advance(log);
      if (this.options.now() - entry.storedAt < STORE_IDLE_MS) continue;
      await entry.progress.store(this.options.postgres, log);
      entry.storedAt = this.options.now();
    }
  }

  private startPipeline(pipeline: Pipeline, log: InsertLog): void {
    pipeline.running = this.runPipeline(pipeline, log).then((runAgain) => {
      pipeline.running = undefined;
      if (runAgain) this.task?.runSoon();
    });
  }

  /** Resolves with whether to go on at once. */
  private async runPipeline(pipeline: Pipeline, log: InsertLog): Promise<boolean> {
    const started = this.options.now();
    try {
      const outcomes = await tryWithLock(this.options.postgres, pipeline.lock, async (db) => {
        const all: Outcome[] = [];
        for (const entry of pipeline.entries) all.push(await this.run(entry, log, db));
        return all;
      });
      // Another process is at it.
      if (!outcomes) for (const { progress } of pipeline.entries) await progress.lookElsewhere(this.options.postgres);
      pipeline.failures = 0;
      pipeline.lastFailure = '';
      const runAgain = outcomes?.includes('more') === true || this.options.now() - started > LONG_RUN_MS;
      pipeline.dueAt = this.options.now() + (runAgain ? 0 : pipeline.everyMs);
      return runAgain;
    } catch (error) {
      this.backOff(pipeline, error);
      return false;
    }
  }

  private backOff(pipeline: Pipeline, error: unknown): void {
    const failure = error instanceof Error ? error.message : String(error);
    const names = pipeline.entries.map(({ materialization }) => materialization.name).join(', ');
    if (failure !== pipeline.lastFailure)
      this.options.log.error(`Deriving ${names} failed, and is repeated: ${failure}`);
    pipeline.lastFailure = failure;
    pipeline.failures += 1;
    pipeline.dueAt = this.options.now() + Math.min(MAX_BACKOFF_MS, TICK_MS * 2 ** (pipeline.failures - 1));
  }

  /** Runs one materialization on the connection that holds its lock. */
  private async run(entry: Entry, log: InsertLog, db: Queryable): Promise<Outcome> {
    const { materialization, progress } = entry;
    // Another process has taken in more than this log shows.
    if (!(await progress.synchronize(db, log))) return 'done';
    if (!progress.hasChangesIn(log) && !(await materialization.isStale?.(db))) return 'done';
    await this.runDependencies(materialization, log);
    const version = (await readVersion(db))[0]?.version as number;
    const started = performance.now();
    const observe = (failed: boolean) =>
      this.options.observe({ name: materialization.name, seconds: (performance.now() - started) / 1000, failed });
    try {
      const outcome = await materialization.run({ db, changes: progress.changesIn(log), version });
      observe(false);
      if (outcome !== 'done') return outcome;
    } catch (error) {
      observe(true);
      throw error;
    }
    progress.advance(log);
    await progress.store(db, log);
    entry.storedAt = this.options.now();
    return 'done';
  }

  private async runDependencies({ dependsOn = [] }: Materialization, log: InsertLog): Promise<void> {
    for (const name of dependsOn) {
      const entry = this.entryOf(name);
      if (!entry.progress.hasChangesIn(log)) continue;
      await withLock(this.options.postgres, entry.materialization.lock, (db) => this.run(entry, log, db));
    }
  }
}

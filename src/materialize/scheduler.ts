/** Keeps the derived tables up with the facts: looks at what has been stored, and runs what it concerns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tryWithLock, withLock, type LockId } from '../db/advisory-lock';
import type { Postgres, Queryable } from '../db/postgres';
import { UnavailableError } from '../errors';
import type { Log } from '../log';
import { runPeriodically, type PeriodicTask } from '../periodic';
import type { ChangeTracker, Changes, InsertLog } from './change-tracker';
import type { FactTable, Materialization, Outcome, RunContext } from './materialization';
import { readVersion } from './queries';
import { Progress } from './watermarks';

/** How often a process looks at what has been stored; sooner where it has stored something itself. */
const TICK_MS = 1_000;
/** Between two looks that something asked for. */
const LOOK_MS = 150;
/** After so long it is tried again what waits for records of other processes. */
const LATER_MS = 200;
/** After so long without anything new it looks less often, unless it stores something itself. */
const QUIET_AFTER_MS = 60_000;
const QUIET_TICK_MS = 2_000;
/** After a long run a pipeline rests for as long, up to so many times its pace: others need the machine too. */
const LONGEST_REST = 1.5;
/** While nothing is stored, progress is written to PostgreSQL this seldom. */
const STORE_IDLE_MS = 60_000;
/** A run of more rows tells in the log how far it is, this often. */
const LONG_RUN_ROWS = 2_000_000;
const TELL_MS = 10_000;
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
  /** Told of the rows that were taken in, and how many of them were before. */
  readonly observeRows: (taken: { name: string; rows: number; again: number }) => void;
}

/** A run ended between two stretches because the process is about to. */
class StoppedError extends Error {}

interface Entry {
  readonly materialization: Materialization;
  readonly progress: Progress;
  storedAt: number;
}

/** The materializations of one lock, which run one after the other. */
class Pipeline {
  readonly entries: Entry[] = [];
  running: Promise<void> | undefined;
  /** Somebody looked while it ran. */
  missed = false;
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
  private stopped = false;
  private wakeTimer: NodeJS.Timeout | undefined;
  private wakeAt = Infinity;
  private lookedAt = 0;
  /** This process has stored something since the last look. */
  private isStored = false;
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

  /** Looks soon: this process has stored something. */
  wake(): void {
    this.isStored = true;
    this.lookWithin(0);
  }

  /** Waits for the runs under way, and starts no other; one that takes in much ends with its stretch. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.task?.stop();
    clearTimeout(this.wakeTimer);
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

  /** Up to this receipt time, in milliseconds, a materialization has taken in everything accepted. */
  settledUpTo(name: string): number {
    return this.entryOf(name).progress.settledUpTo;
  }

  private entryOf(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`No materialization is named ${name}`);
    return entry;
  }

  /** One look at what has been stored, for all pipelines that rest and are due. */
  private async tick(): Promise<void> {
    const now = this.options.now();
    for (const pipeline of this.pipelines.values()) pipeline.missed ||= pipeline.running !== undefined;
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
    const isStored = this.isStored;
    this.isStored = false;
    return this.options.tracker.read(since, isStored);
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

  /** The next look is in `ms`, or earlier, but not right after another. */
  private lookWithin(ms: number): void {
    const at = Math.max(this.options.now() + ms, this.lookedAt + LOOK_MS);
    if (!this.task || at >= this.wakeAt) return;
    this.wakeAt = at;
    clearTimeout(this.wakeTimer);
    this.wakeTimer = setTimeout(() => {
      this.wakeAt = Infinity;
      this.task?.runSoon();
    }, at - this.options.now());
  }

  private startPipeline(pipeline: Pipeline, log: InsertLog): void {
    const before = this.runsBefore(pipeline);
    const run = async () => {
      for (const other of before) await other;
      pipeline.missed = false;
      const next = await this.runPipeline(pipeline, log);
      pipeline.running = undefined;
      if (next !== undefined) this.lookWithin(next);
    };
    pipeline.running = run();
  }

  /** The runs under way of what this pipeline reads. */
  private runsBefore(pipeline: Pipeline): (Promise<void> | undefined)[] {
    const names = pipeline.entries.flatMap(({ materialization }) => materialization.after ?? []);
    return names.map((name) => this.pipelines.get(this.entryOf(name).materialization.lock)?.running);
  }

  /** Resolves with the milliseconds after which to look again; undefined for the next time that anybody does. */
  private async runPipeline(pipeline: Pipeline, log: InsertLog): Promise<number | undefined> {
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
      const next = nextRun(outcomes ?? []);
      const took = this.options.now() - started;
      const rest = Math.max(pipeline.everyMs, Math.min(took, pipeline.everyMs * LONGEST_REST));
      pipeline.dueAt = this.options.now() + (next ?? rest);
      return next ?? (pipeline.missed ? rest : undefined);
    } catch (error) {
      if (!(error instanceof StoppedError)) this.backOff(pipeline, error);
      return undefined;
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
    const changes = progress.changesIn(log, this.settledOf(materialization));
    const takenUpTo = this.noteOf(entry, log, changes, db);
    try {
      const outcome = await materialization.run({ db, changes, version, takenUpTo });
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

  /** Up to which receipt time what the materialization reads is complete. */
  private settledOf({ after = [] }: Materialization): number {
    return Math.min(...after.map((name) => this.settledUpTo(name)));
  }

  /** Notes how far a long run is, on a connection of its own: that of the lock tells nobody before the run ends. */
  private noteOf(
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
      const entry = this.entryOf(name);
      if (!entry.progress.hasChangesIn(log)) continue;
      await withLock(this.options.postgres, entry.materialization.lock, (db) => this.run(entry, log, db));
    }
  }
}

/** After how many milliseconds what these runs left has to be gone on with; undefined where they left nothing. */
function nextRun(outcomes: readonly Outcome[]): number | undefined {
  if (outcomes.includes('more')) return 0;
  return outcomes.includes('later') ? LATER_MS : undefined;
}

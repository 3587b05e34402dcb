/** Keeps the derived tables up with the facts: looks at what has been stored, and runs what it concerns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tryWithLock, type LockId } from '../db/advisory-lock';
import { UnavailableError } from '../errors';
import type { Derived } from '../ingest/processes';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import type { ChangeTracker, InsertLog } from './change-tracker';
import type { FactTable } from '../tables/derivations';
import type { Materialization, Outcome } from './materialization';
import { Pipeline } from './pipeline';
import { Runs, StoppedError, type Entry, type RunsOptions } from './runs';
import { Progress } from './watermarks';

/** How often a process looks at what has been stored; sooner where it has stored something itself. */
const TICK_MS = 1_000;
/** The pause after a look is this many times as long as it took, so that looks take a third of the time at most. */
const LOOK_PAUSE = 3;
/** After so long without anything new it looks less often, until some process stores something. */
const QUIET_AFTER_MS = 60_000;
const QUIET_TICK_MS = 10_000;
/** How long a caller of `catchUp` waits for another process that is at it. */
const CATCH_UP_MS = 3_000;
const CATCH_UP_RETRY_MS = 50;

export interface SchedulerOptions extends RunsOptions {
  readonly tracker: ChangeTracker;
  /** When any process last stored records, in milliseconds since 1970, as far as it is known here; 0 for never. */
  readonly lastStoredAt: () => number;
  /** Two looks are at least so long apart, in milliseconds, unless a run has left work to continue with. */
  readonly pauseMs: number;
}

export class Scheduler {
  private readonly pipelines = new Map<LockId, Pipeline>();
  private readonly runs: Runs;
  private task: PeriodicTask | undefined;
  private wakeTimer: NodeJS.Timeout | undefined;
  private wakeAt = Infinity;
  private lookedAt = 0;
  /** When somebody asked last for what is derived; 0 where nobody waits. */
  private awaitedAt = 0;
  /** What is waited for then. */
  private awaited: Derived = 'decide';
  /** How long the last look took, in milliseconds. */
  private lookTook = 0;
  /** When something new was found last; a start counts as such. */
  private foundAt: number;

  constructor(private readonly options: SchedulerOptions) {
    this.foundAt = options.now();
    this.runs = new Runs(options);
  }

  /**
   * Adds a materialization. Its runs are at least `everyMs` apart, and so are looks whether there is work; one whose
   * last look found nothing is due as soon as this process stores something for it, unless `soon` is false. Those of
   * one lock run in the order of their adding.
   */
  add(materialization: Materialization, everyMs: number, { soon = true } = {}): void {
    const entry = { materialization, progress: new Progress(materialization), storedAt: 0 };
    this.runs.add(entry);
    const pipeline = this.pipelines.get(materialization.lock) ?? new Pipeline(materialization.lock, everyMs, soon);
    this.pipelines.set(materialization.lock, pipeline);
    pipeline.entries.push(entry);
  }

  start(): void {
    if (this.pipelines.size === 0) return;
    this.task = runPeriodically('Deriving tables', TICK_MS, this.options.log, () => this.tick());
  }

  /** Looks soon: this process has stored something in the table. */
  wake(table: string): void {
    for (const pipeline of this.pipelines.values()) pipeline.wake(table);
    this.lookWithin(0);
  }

  /** Waits for the runs under way, and starts no other; one that takes in much ends with its stretch. */
  async stop(): Promise<void> {
    this.runs.stop();
    const { task } = this;
    this.task = undefined;
    clearTimeout(this.wakeTimer);
    await task?.stop();
    for (const pipeline of this.pipelines.values()) await pipeline.running;
  }

  /** Seconds since everything stored was taken in, by materialization; none before its first run. */
  lags(): { name: string; seconds: number }[] {
    const { now } = this.options;
    return this.runs
      .all()
      .filter(({ progress }) => progress.latest > 0)
      .map(({ materialization: { name }, progress }) => ({
        name,
        seconds: Math.max(0, (now() - progress.latest) / 1000),
      }));
  }

  /**
   * Takes in everything that was stored before the call.
   *
   * @throws UnavailableError when that takes longer than a caller can wait.
   */
  async catchUp(name: string): Promise<void> {
    const entry = this.runs.of(name);
    const giveUp = this.options.now() + CATCH_UP_MS;
    const { lock } = entry.materialization;
    for (;;) {
      const log = await this.read([entry]);
      if (!entry.progress.hasChangesIn(log)) return;
      const run = tryWithLock(this.options.postgres, lock, (db) => this.runs.run(entry, log, db));
      const outcome = await run.catch((error: unknown) => {
        entry.progress.forgetTold();
        throw error;
      });
      if (outcome === 'done') return;
      if (this.options.now() >= giveUp) throw new UnavailableError(`${name} could not be brought up to date`);
      await sleep(CATCH_UP_RETRY_MS);
    }
  }

  /**
   * Takes in everything that was accepted before the call, and tells PostgreSQL, or as much as can be within `ms`: in
   * all materializations, or in those that read no decisions. A call while another one is under way only moves the time
   * of that.
   */
  async catchUpAll(ms: number, what: Derived): Promise<void> {
    const isUnderWay = this.awaitedAt > 0;
    this.awaitedAt = this.options.now();
    if (!isUnderWay || what === 'derive') this.awaited = what;
    if (isUnderWay) return;
    const isBehind = ({ progress }: Entry) => progress.toldUpTo < this.awaitedAt;
    while (this.task && this.options.now() < this.awaitedAt + ms) {
      const behind = [...this.pipelines.values()].filter((one) => this.isInTurn(one) && one.entries.some(isBehind));
      if (behind.length === 0) break;
      // One that has just failed keeps its pause.
      for (const pipeline of behind) if (!pipeline.running && !pipeline.hasFailed) pipeline.hurry();
      this.lookWithin(0, 0);
      await sleep(CATCH_UP_RETRY_MS);
    }
    this.awaitedAt = 0;
  }

  /** Up to this receipt time, in milliseconds, a materialization has taken in everything accepted. */
  settledUpTo(name: string): number {
    return this.runs.of(name).progress.settledUpTo;
  }

  /** While somebody waits for decisions, what reads these is left for later: it would run again for each of them. */
  private isInTurn(pipeline: Pipeline): boolean {
    return this.awaitedAt === 0 || this.awaited === 'derive' || !pipeline.reads('installs');
  }

  /** One look at what has been stored, for all pipelines that rest and are due. */
  private async tick(): Promise<void> {
    const now = this.options.now();
    for (const pipeline of this.pipelines.values()) pipeline.missed ||= pipeline.running !== undefined;
    this.lookAtAwaited(now);
    const due = [...this.pipelines.values()].filter(
      (pipeline) => !pipeline.running && pipeline.dueAt <= now && this.isInTurn(pipeline),
    );
    if (due.length === 0 || now < this.lookedAt + this.pause(now, due)) return;
    this.lookedAt = now;
    for (const pipeline of due) pipeline.isAwaited = false;
    const log = await this.read(due.flatMap((pipeline) => pipeline.entries));
    this.lookTook = this.options.now() - now;
    for (const pipeline of due) {
      if (await this.hasWork(pipeline, log)) {
        this.foundAt = now;
        this.startPipeline(pipeline, log);
      } else await this.rest(pipeline, log);
    }
  }

  /** What rests after a run is looked at once that is over, where something was stored for it. */
  private lookAtAwaited(now: number): void {
    const awaited = [...this.pipelines.values()].filter(
      ({ isAwaited, running, dueAt }) => isAwaited && !running && dueAt > now,
    );
    if (awaited.length > 0) this.lookWithin(Math.min(...awaited.map(({ dueAt }) => dueAt)) - now);
  }

  private isQuiet(now: number): boolean {
    return now - Math.max(this.foundAt, this.options.lastStoredAt()) > QUIET_AFTER_MS;
  }

  /** How long after the last look the next one may be. */
  private pause(now: number, due: readonly Pipeline[]): number {
    if (due.some(({ isUnfinished, isHurried }) => isUnfinished || isHurried)) return 0;
    return this.isQuiet(now) ? QUIET_TICK_MS : this.options.pauseMs;
  }

  private async read(entries: readonly Entry[]): Promise<InsertLog> {
    const since = new Map<FactTable, number>();
    const dependencies = entries.flatMap(({ materialization }) => materialization.dependsOn ?? []);
    for (const { materialization, progress } of [...entries, ...dependencies.map((name) => this.runs.of(name))]) {
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
    const { isHurried } = pipeline;
    pipeline.rest(this.options.now());
    for (const entry of pipeline.entries) await this.runs.noteNothingNew(entry, log, this.options.postgres, isHurried);
  }

  /** The next look is in `ms`, or earlier, but not within `pauseMs` after another. */
  private lookWithin(ms: number, pauseMs = this.options.pauseMs): void {
    const at = Math.max(this.options.now() + ms, this.lookedAt + Math.max(pauseMs, LOOK_PAUSE * this.lookTook));
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
      if (next !== undefined) this.lookWithin(next, pipeline.isUnfinished ? 0 : undefined);
    };
    pipeline.running = run();
  }

  /** The runs under way of what this pipeline reads. */
  private runsBefore(pipeline: Pipeline): (Promise<void> | undefined)[] {
    const names = pipeline.entries.flatMap(({ materialization }) => materialization.after ?? []);
    return names.map((name) => this.pipelines.get(this.runs.of(name).materialization.lock)?.running);
  }

  /** Resolves with the milliseconds after which to look again; undefined for the next time that anybody does. */
  private async runPipeline(pipeline: Pipeline, log: InsertLog): Promise<number | undefined> {
    const started = this.options.now();
    try {
      const outcomes = await tryWithLock(this.options.postgres, pipeline.lock, async (db) => {
        const all: Outcome[] = [];
        for (const entry of pipeline.entries) all.push(await this.runs.run(entry, log, db, pipeline.isHurried));
        return all;
      });
      // Another process is at it.
      if (!outcomes) for (const { progress } of pipeline.entries) await progress.lookElsewhere(this.options.postgres);
      return pipeline.ran(outcomes ?? [], started, this.options.now());
    } catch (error) {
      for (const { progress } of pipeline.entries) progress.forgetTold();
      if (!(error instanceof StoppedError)) pipeline.failed(error, this.options.now(), this.options.log);
      return undefined;
    }
  }
}

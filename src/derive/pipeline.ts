/** The materializations of one lock, which run one after the other, and when they run again. */
import type { LockId } from '../db/advisory-lock';
import type { Log } from '../lib/log';
import type { Outcome } from './materialization';
import type { Entry } from './runs';

/** After so long it is tried again what waits for records of other processes. */
const LATER_MS = 200;
/** After a long run a pipeline rests for as long, up to this many times its pace: others need the machine too. */
const LONGEST_REST = 1.5;
/** After a failure the next attempt waits twice as long as the one before, up to this. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 5_000;

export class Pipeline {
  readonly entries: Entry[] = [];
  running: Promise<void> | undefined;
  /** Somebody looked while it ran. */
  missed = false;
  /** Something was stored for it since it was looked at. */
  isAwaited = false;
  dueAt = 0;
  /** Somebody waits for it: the next look need not keep a distance from the last one. */
  isHurried = false;
  /** The last run has left work that it did not come to. */
  isUnfinished = false;
  /** The last look found nothing: whatever comes need not keep a distance from a run. */
  private isResting = false;
  private failures = 0;
  private lastFailure = '';

  constructor(
    readonly lock: LockId,
    /** The shortest time between two runs, and between looks whether there is work. */
    readonly everyMs: number,
    /** Whether what is stored for it while it rests is looked at before that. */
    private readonly soon: boolean,
  ) {}

  /** The last run has failed, and the next one waits. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** A look at `now` has found nothing to do. */
  rest(now: number): void {
    this.dueAt = now + this.everyMs;
    this.isResting = true;
    this.isUnfinished = this.isHurried = false;
  }

  /** Somebody waits for it. */
  hurry(): void {
    this.dueAt = 0;
    this.isHurried = true;
  }

  /** Whether one of them is derived from a table. */
  reads(table: string): boolean {
    return this.entries.some(({ materialization }) => materialization.sources.some((source) => source === table));
  }

  /** Something was stored in a table. */
  wake(table: string): void {
    if (!this.soon || !this.reads(table)) return;
    this.isAwaited = true;
    if (this.isResting) this.dueAt = 0;
  }

  /**
   * A run from `started` to `ended` has come to its end.
   *
   * @returns the milliseconds after which to look again; undefined for the next time that anybody does.
   */
  ran(outcomes: readonly Outcome[], started: number, ended: number): number | undefined {
    this.isResting = this.isHurried = false;
    this.failures = 0;
    this.lastFailure = '';
    this.isUnfinished = outcomes.includes('more');
    const next = nextRun(outcomes);
    const rest = Math.max(this.everyMs, Math.min(ended - started, this.everyMs * LONGEST_REST));
    this.dueAt = ended + (next ?? rest);
    return next ?? (this.missed ? rest : undefined);
  }

  /** A run has failed at `now`; that is logged when it is new. */
  failed(error: unknown, now: number, log: Log): void {
    const failure = error instanceof Error ? error.message : String(error);
    const names = this.entries.map(({ materialization }) => materialization.name).join(', ');
    if (failure !== this.lastFailure) log.error(`Deriving ${names} failed, and is repeated: ${failure}`);
    this.lastFailure = failure;
    this.isResting = this.isUnfinished = this.isHurried = false;
    this.failures += 1;
    this.dueAt = now + Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.failures - 1));
  }
}

/** After how many milliseconds what these runs left has to be gone on with; undefined where they left nothing. */
function nextRun(outcomes: readonly Outcome[]): number | undefined {
  if (outcomes.includes('more')) return 0;
  return outcomes.includes('later') ? LATER_MS : undefined;
}

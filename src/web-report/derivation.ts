/**
 * Keeps adtrail.web_visitors and adtrail.web_touches what adtrail.web_events says: each visitor of whom something has
 * arrived is derived again as a whole, by one process at a time. Nothing is added up, so a repeat counts nowhere twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import * as queries from './derivation-queries';

/** The advisory lock of whoever derives. */
const LOCK = 7_203_006;
/** An insert carries the time at which it began and is seen when it ends, nearly always sooner than this. */
const SETTLE_MS = 2_000;
/** So far back it is checked that no insert ended later than that. */
const RECHECK_MS = 15_000;
/** About what one statement derives, so that its memory is bounded; a visitor is never split. */
const VISITORS_A_PART = 50_000;
/** One visitor in so many is read to find where parts end: enough for parts of about equal size. */
const SAMPLE = 5_000;
/** How long a report waits for another process that is deriving. */
const WAIT_MS = 3_000;

/** Runs `work` under a lock unless another process is at it. */
export type TryWithLock = <T>(
  postgres: Postgres,
  lock: number,
  work: (db: Queryable) => Promise<T>,
) => Promise<T | undefined>;

export interface DerivationOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly tryWithLock: TryWithLock;
  readonly now: () => number;
}

export class Derivation {
  private lastVersion = 0;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DerivationOptions) {}

  /** Derives what has arrived and settled; to be called again and again. */
  async keepUp(): Promise<void> {
    await this.advance(this.options.now() - SETTLE_MS);
  }

  /** Derives everything that was stored before the call, so that a report shows what has been acknowledged. */
  async catchUp(): Promise<void> {
    const until = this.options.now() + 1;
    for (const giveUp = until + WAIT_MS; !(await this.advance(until)) && this.options.now() < giveUp;) await sleep(50);
  }

  /** Resolves with false when another process was at it. One turn after the other in this process. */
  private advance(until: number): Promise<boolean> {
    const turn = this.running.then(async () => {
      const { tryWithLock, postgres } = this.options;
      return (await tryWithLock(postgres, LOCK, (db) => this.derive(db, until))) ?? false;
    });
    this.running = turn.catch(() => undefined);
    return turn;
  }

  private async derive(db: Queryable, until: number): Promise<true> {
    const { clickhouse, now } = this.options;
    const progress = (await queries.readProgress(db)) ?? { until: 0, checked_from: 0, checked_events: 0 };
    if (until <= progress.until) return true;
    const recent = Math.max(0, until - RECHECK_MS);
    const checked = await queries.readChecked(clickhouse, {
      since: progress.checked_from,
      until: progress.until,
      recent,
    });
    // Something was stored late: everything of those seconds is derived again.
    const isComplete = checked.events === progress.checked_events;
    const since = isComplete ? progress.until : progress.checked_from;
    // Counted before it is read, so that what arrives in between is found missing next time.
    const arrived = await queries.readArrived(clickhouse, { since, until, recent });
    const version = (this.lastVersion = Math.max(this.lastVersion + 2, now()));
    if (arrived.events > 0)
      await this.rewrite(db, { since: await this.sweep(since, until, version), until }, arrived.visitors, version);
    const checked_from = isComplete ? Math.max(recent, progress.checked_from) : Math.max(recent, since);
    await queries.writeProgress(db, {
      until,
      checked_from,
      checked_events: arrived.recent_events + (isComplete ? checked.recent_events : 0),
    });
    return true;
  }

  /** Hides repeats that name another visitor; resolves with since when visitors must be derived again. */
  private async sweep(since: number, until: number, version: number): Promise<number> {
    const { clickhouse } = this.options;
    const from = Math.max(0, since - RECHECK_MS);
    const ids = since === 0 ? [] : await queries.readRepeats(clickhouse, from, until);
    if (ids.length === 0) return since;
    await queries.sweepRepeats(clickhouse, ids);
    await queries.emptyVisitors(clickhouse, ids, version);
    return from;
  }

  private async rewrite(db: Queryable, window: queries.Window, visitors: number, version: number): Promise<void> {
    const { clickhouse } = this.options;
    const pauseTimes = await queries.readPauseTimes(db);
    const ends =
      visitors > VISITORS_A_PART
        ? (await queries.readBoundaries(clickhouse, window, SAMPLE)).filter(
            (_, i) => i % (VISITORS_A_PART / SAMPLE) === 0,
          )
        : [];
    for (const [i, up_to] of [...ends, ''].entries()) {
      const part = { ...window, after: ends[i - 1] ?? '', up_to, derived_at: version };
      await queries.deriveTouches(clickhouse, part);
      await queries.deriveVisitors(clickhouse, part, pauseTimes);
    }
  }
}

/**
 * Stores records durably and once: requests of a few milliseconds share one insert (docs/contract.md, S2S, accepted
 * means durable).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../db/clickhouse';
import { UnavailableError } from '../errors';
import type { Deduplicator } from './deduplicator';

/**
 * A batch goes out once it has this share of the records that were on their way when the last insert ended, within
 * bounds: so one half is being stored while the other half arrives, and neither side waits for the other.
 */
const FLUSH_SHARE = 0.5;
const MIN_FLUSH_ROWS = 64;
/**
 * Or once it has waited as long as an insert takes just now, within bounds. An insert costs about the same for one row
 * as for hundreds, so where inserts are slow, fewer and larger ones serve everybody sooner.
 */
const MIN_FLUSH_MS = 8;

/** How many records make a batch go out at once at the latest, and how long one waits for company at most. */
export interface Flush {
  readonly rows: number;
  readonly ms: number;
}
/** For requests of one record, whose sender waits for each. */
export const SMALL_FLUSH: Flush = { rows: 1_000, ms: 40 };
/** For requests of many records, of which more are served by fewer inserts than by early ones. */
export const LARGE_FLUSH: Flush = { rows: 10_000, ms: 200 };

/** A backlog goes out in larger blocks than the regular flush. */
const MAX_BATCH_ROWS = 10_000;
/** How long a record may wait to be stored before its request is answered 503. */
const DEADLINE_MS = 3_000;
const RETRY_MS = [20, 50, 100, 200, 400];
/** After a batch that could not be stored, requests are refused at once for so long, then the next one tries. */
const PAUSE_MS = 250;
const MAX_QUEUED_ROWS = 50_000;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** One record on its way: its ID, the day of its receipt and its row as a line of JSONCompactEachRow. */
export interface NewRecord {
  readonly id: string;
  readonly day: string;
  readonly line: string;
}

/** Records that share one insert, and so one outcome: a promise for each would be work for nothing, at this rate. */
class Batch {
  readonly records: NewRecord[] = [];
  bytes = 0;
  readonly outcome: Promise<void>;
  resolve!: () => void;
  reject!: (error: Error) => void;

  constructor(readonly deadline: number) {
    this.outcome = new Promise<void>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Every request waits for it; were all of them gone, its failure would be nobody's.
    this.outcome.catch(() => undefined);
  }
}

export interface StoreOptions {
  readonly db: ClickHouse;
  readonly table: string;
  readonly columns: readonly string[];
  readonly deduplicator: Deduplicator;
  readonly flush: Flush;
  /** The line as it is stored, where that is not as it was made. */
  readonly rewrite?: ((line: string) => string) | undefined;
  /** Told of every flush, for metrics. */
  readonly observe: (flush: { rows: number; repeats: number; seconds: number; stored: boolean }) => void;
}

export class Store {
  /** Batches in the order they go out; the last one is open. */
  private readonly queue: Batch[] = [];
  private queuedRows = 0;
  private queuedBytes = 0;
  private readonly inFlight = new Map<string, Promise<void>>();
  private running: Promise<void> | undefined;
  private wake: (() => void) | undefined;
  private pausedUntil = 0;
  /** What an insert takes, smoothed over the last few, in milliseconds. */
  private insertMs = 0;
  /** How many records make a batch go out at once. */
  private enough: number;
  private draining = false;

  constructor(private readonly options: StoreOptions) {
    this.enough = options.flush.rows;
  }

  /**
   * Resolves once the record is in ClickHouse, or was already. A repeat that arrives while the first is on its way
   * shares its outcome.
   *
   * @throws UnavailableError when it could not be stored in time; it may be stored all the same, and a repeat is safe.
   */
  add(given: NewRecord): Promise<void> {
    const first = this.inFlight.get(given.id);
    if (first) return first;
    const now = Date.now();
    if (now < this.pausedUntil || this.queuedRows >= MAX_QUEUED_ROWS || this.queuedBytes >= MAX_QUEUED_BYTES)
      return Promise.reject(new UnavailableError());
    const { rewrite } = this.options;
    const record = rewrite ? { ...given, line: rewrite(given.line) } : given;
    let batch = this.queue.at(-1);
    if (!batch || batch.records.length >= MAX_BATCH_ROWS) this.queue.push((batch = new Batch(now + DEADLINE_MS)));
    batch.records.push(record);
    batch.bytes += record.line.length;
    this.queuedRows += 1;
    this.queuedBytes += record.line.length;
    this.inFlight.set(record.id, batch.outcome);
    if (this.queuedRows >= this.enough) this.wake?.();
    this.running ??= this.run();
    return batch.outcome;
  }

  /** Stores what is queued and waits for it. */
  async drain(): Promise<void> {
    this.draining = true;
    this.wake?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      if (this.queuedRows < this.enough && !this.draining) await this.linger();
      await this.flush(this.take());
    }
    this.running = undefined;
  }

  /** Waits for company, until the flush is full or its time has come. */
  private async linger(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, clamp(this.insertMs, MIN_FLUSH_MS, this.options.flush.ms));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }

  private take(): Batch {
    const batch = this.queue.shift() as Batch;
    this.queuedRows -= batch.records.length;
    this.queuedBytes -= batch.bytes;
    return batch;
  }

  private async flush(batch: Batch): Promise<void> {
    const started = performance.now();
    const { stored, repeats } = await this.commit(batch);
    const took = performance.now() - started;
    this.insertMs += (took - this.insertMs) / 8;
    this.enough = clamp(
      (batch.records.length + this.queuedRows) * FLUSH_SHARE,
      MIN_FLUSH_ROWS,
      this.options.flush.rows,
    );
    this.settle(batch, stored);
    if (!stored) {
      this.pausedUntil = Date.now() + PAUSE_MS;
      // Those whose time ran out while they queued behind the batch that failed.
      while (this.queue[0] && this.queue[0].deadline <= Date.now()) this.settle(this.take(), false);
    }
    this.options.observe({ rows: batch.records.length, repeats, seconds: took / 1000, stored });
  }

  private settle(batch: Batch, stored: boolean): void {
    for (const record of batch.records) this.inFlight.delete(record.id);
    if (stored) batch.resolve();
    else batch.reject(new UnavailableError());
  }

  /** Inserts what of the batch is not stored yet, and tries again until its deadline. */
  private async commit({ records, deadline }: Batch): Promise<{ stored: boolean; repeats: number }> {
    const { db, table, columns, deduplicator } = this.options;
    const giveUp = Math.max(deadline, Date.now() + 100);
    for (let attempt = 0; ; attempt++) {
      try {
        const suspects = records.filter((record) => !deduplicator.isDefinitelyNew(record.id, record.day));
        const known =
          suspects.length > 0 ? await deduplicator.findExisting(suspects.map((record) => record.id)) : undefined;
        const fresh = known?.size ? records.filter((record) => !known.has(record.id)) : records;
        if (fresh.length > 0)
          await db.insert(
            table,
            columns,
            fresh.map((record) => record.line),
            giveUp - Date.now(),
          );
        deduplicator.stored(fresh);
        return { stored: true, repeats: known?.size ?? 0 };
      } catch {
        // Whether ClickHouse is away, restarting or refused: the same rows again are stored once all the same.
        const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] as number;
        if (Date.now() + wait >= giveUp) return { stored: false, repeats: 0 };
        await sleep(wait);
      }
    }
  }
}

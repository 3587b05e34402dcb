/** Stores records durably and once: requests of a few milliseconds share one insert (decisions.md §4, accepted means durable). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../db/clickhouse';
import { UnavailableError } from '../errors';
import type { Ledger } from './ledger';

const FLUSH_ROWS = 1_000;
const FLUSH_MS = 8;
/** A backlog goes out in larger blocks than the regular flush. */
const MAX_BATCH_ROWS = 10_000;
/** How long a record may wait to be stored before its request is answered 503. */
const DEADLINE_MS = 3_000;
const RETRY_MS = [20, 50, 100, 200, 400];
/** After a batch that could not be stored, requests are refused at once for so long, then the next one tries. */
const PAUSE_MS = 250;
const MAX_QUEUED_ROWS = 50_000;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** One record on its way: its ID, the day of its receipt and its row as a line of JSONCompactEachRow. */
export interface NewRecord {
  readonly id: string;
  readonly day: string;
  readonly line: string;
}

interface Waiting extends NewRecord {
  readonly deadline: number;
  resolve(): void;
  reject(error: Error): void;
}

export interface StoreOptions {
  readonly db: ClickHouse;
  readonly table: string;
  readonly columns: readonly string[];
  readonly ledger: Ledger;
  /** Told of every flush, for metrics. */
  readonly observe: (flush: { rows: number; repeats: number; seconds: number; stored: boolean }) => void;
}

export class Store {
  private queue: Waiting[] = [];
  private queuedBytes = 0;
  private readonly inFlight = new Map<string, Promise<void>>();
  private running: Promise<void> | undefined;
  private wake: (() => void) | undefined;
  private pausedUntil = 0;
  private draining = false;

  constructor(private readonly options: StoreOptions) {}

  /**
   * Resolves once the record is in ClickHouse, or was already. A repeat that arrives while the first is on its way
   * shares its outcome.
   *
   * @throws UnavailableError when it could not be stored in time; it may be stored all the same, and a repeat is safe.
   */
  add(record: NewRecord): Promise<void> {
    const first = this.inFlight.get(record.id);
    if (first) return first;
    const now = Date.now();
    if (now < this.pausedUntil || this.queue.length >= MAX_QUEUED_ROWS || this.queuedBytes >= MAX_QUEUED_BYTES) return Promise.reject(new UnavailableError());
    const stored = new Promise<void>((resolve, reject) => {
      this.queue.push({ ...record, deadline: now + DEADLINE_MS, resolve, reject });
    });
    this.queuedBytes += record.line.length;
    this.inFlight.set(record.id, stored);
    if (this.queue.length >= FLUSH_ROWS) this.wake?.();
    this.running ??= this.run();
    return stored;
  }

  /** Stores what is queued and waits for it. */
  async drain(): Promise<void> {
    this.draining = true;
    this.wake?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      if (this.queue.length < FLUSH_ROWS && !this.draining) await this.linger();
      await this.flush(this.take());
    }
    this.running = undefined;
  }

  /** Waits for company, until the flush is full or its time has come. */
  private async linger(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }

  private take(): Waiting[] {
    const batch = this.queue.length <= MAX_BATCH_ROWS ? this.queue : this.queue.slice(0, MAX_BATCH_ROWS);
    this.queue = this.queue.length <= MAX_BATCH_ROWS ? [] : this.queue.slice(MAX_BATCH_ROWS);
    for (const { line } of batch) this.queuedBytes -= line.length;
    return batch;
  }

  private async flush(batch: readonly Waiting[]): Promise<void> {
    const started = performance.now();
    const outcome = await this.commit(batch);
    for (const record of batch) {
      this.inFlight.delete(record.id);
      if (outcome.stored) record.resolve();
      else record.reject(new UnavailableError());
    }
    if (!outcome.stored) {
      this.pausedUntil = Date.now() + PAUSE_MS;
      this.refuseLate();
    }
    this.options.observe({ rows: batch.length, repeats: outcome.repeats, seconds: (performance.now() - started) / 1000, stored: outcome.stored });
  }

  /** Inserts what of the batch is not stored yet, and tries again until the deadline of its oldest record. */
  private async commit(batch: readonly Waiting[]): Promise<{ stored: boolean; repeats: number }> {
    const { db, table, columns, ledger } = this.options;
    const deadline = Math.max(batch[0]?.deadline ?? 0, Date.now() + 100);
    for (let attempt = 0; ; attempt++) {
      try {
        const suspects = batch.filter((record) => !ledger.surelyNew(record.id, record.day));
        const known = suspects.length > 0 ? await ledger.known(suspects.map((record) => record.id)) : undefined;
        const fresh = known?.size ? batch.filter((record) => !known.has(record.id)) : batch;
        if (fresh.length > 0) await db.insert(table, columns, fresh.map((record) => record.line), deadline - Date.now());
        return { stored: true, repeats: known?.size ?? 0 };
      } catch {
        // Whether ClickHouse is away, restarting or refused: the same rows again are stored once all the same.
        const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] as number;
        if (Date.now() + wait >= deadline) return { stored: false, repeats: 0 };
        await sleep(wait);
      }
    }
  }

  /** Answers those whose time ran out while they queued behind the batch that failed. */
  private refuseLate(): void {
    const now = Date.now();
    const late = this.queue.filter((record) => record.deadline <= now);
    if (late.length === 0) return;
    this.queue = this.queue.filter((record) => record.deadline > now);
    for (const record of late) {
      this.queuedBytes -= record.line.length;
      this.inFlight.delete(record.id);
      record.reject(new UnavailableError());
    }
  }
}

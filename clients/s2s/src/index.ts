/**
 * Sends clicks and impressions to adtrail: `POST /v1/batch`. Records are gathered, sent in batches, and sent again
 * where that helps; a record has its ID from its campaign and `tid`, so that one that arrives twice counts once.
 */
import { MemoryStore, type Line, type Store } from './chunks.ts';
import { sendBatch, type Problem, type Refusal, type Target } from './outcomes.ts';

export type { Refusal } from './outcomes.ts';
export type { Store } from './chunks.ts';

/** Parameters of an endpoint by name or alias: `c`, `tid`, and `app_id` or `d` are always needed. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;
export type Kind = 'click' | 'impression' | 'ctv_impression';
/** A record as it is sent; a line of a spool that a disk has spoilt is `unreadable`, and `line` has its text. */
export type SentRecord = Readonly<Record<string, string | number>> & { readonly kind: Kind | 'unreadable' };

export interface SenderOptions {
  /** Address of the service, for example `https://adtrail.example`. */
  readonly url: string;
  /** The partner's token. */
  readonly token: string;
  /**
   * Called for each record that is refused for good: sending it again would not help. It is called before the record
   * leaves the store, so that a process that is killed calls it again for some. What it throws goes to the console.
   */
  readonly onRefused?: (record: SentRecord, refusal: Refusal) => void;
  /** Called for each attempt that failed as a whole, and for files that fail; the records are kept. */
  readonly onRetry?: (problem: { readonly message: string; readonly waitMs: number }) => void;
  /** Records of a batch: 1,000, at most 10,000. */
  readonly maxRecords?: number;
  /** How long a record waits for company, in milliseconds: 1,000. */
  readonly intervalMs?: number;
  /** What is held in memory at most, in bytes: 64 MB. */
  readonly maxHeldBytes?: number;
  /** How long one attempt may take, in milliseconds: 30,000. */
  readonly timeoutMs?: number;
  /** Where records wait: in memory unless said otherwise (`fileSpool` of `@adtrail/s2s/spool`). */
  readonly store?: Store;
  readonly fetch?: typeof fetch;
}

export interface Sender {
  /**
   * Takes a record, which is sent soon; false when too many wait, or the disk takes no more: send more slowly, and this
   * one again. Without a time of its own it gets that of this moment.
   */
  click(parameters: Parameters): boolean;
  impression(parameters: Parameters): boolean;
  ctvImpression(parameters: Parameters): boolean;
  /** Records that are neither accepted nor refused yet. */
  readonly size: number;
  /** Sends without waiting for company; resolves once nothing is left. */
  flush(): Promise<void>;
  /** As `flush`, for at most `ms` (10,000), then ends. Resolves with how many records were not sent. */
  close(ms?: number): Promise<number>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export function createSender(options: SenderOptions): Sender {
  const { maxRecords = 1_000, maxHeldBytes = 64 * 1024 * 1024 } = options;
  return new BatchSender(options, options.store ?? new MemoryStore({ maxRecords, maxHeldBytes }));
}

class BatchSender implements Sender {
  private readonly intervalMs: number;
  private readonly target: Target;
  private running: Promise<void> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  /** Nothing is sent before. */
  private resumeAt = 0;
  /** What began to gather until then does not wait for company. */
  private flushedAt = -Infinity;
  private isClosed = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly options: SenderOptions,
    private readonly store: Store,
  ) {
    const { url, token, intervalMs = 1_000, timeoutMs = 30_000 } = options;
    this.intervalMs = intervalMs;
    this.target = { endpoint: `${url.replace(/\/+$/, '')}/v1/batch`, token, timeoutMs, fetch: options.fetch ?? fetch };
    // What an earlier process has left.
    if (store.size > 0) void this.run();
  }

  get size(): number {
    return this.store.size;
  }

  click(parameters: Parameters): boolean {
    return this.take('click', 'click_time', parameters);
  }

  impression(parameters: Parameters): boolean {
    return this.take('impression', 'impression_time', parameters);
  }

  ctvImpression(parameters: Parameters): boolean {
    return this.take('ctv_impression', 'impression_time', parameters);
  }

  private take(kind: Kind, time: string, parameters: Parameters): boolean {
    if (this.isClosed) throw new Error('The sender is closed.');
    const line = JSON.stringify({ ...parameters, kind, [time]: parameters[time] || Date.now() });
    const isFirst = this.store.gatheringSince === Infinity;
    if (!this.store.append(line, performance.now())) return false;
    if (isFirst || this.store.hasFull) this.wake();
    void this.run();
    return true;
  }

  async flush(): Promise<void> {
    this.flushedAt = Math.max(this.flushedAt, performance.now());
    this.wake();
    while (this.store.size > 0 && !this.isClosed) await this.run();
  }

  async close(ms = 10_000): Promise<number> {
    this.flushedAt = Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
    this.isClosed = true;
    this.wake();
    const left = this.store.size;
    // A batch that is under way may still be accepted: it stays in a spool, and is a repeat next time.
    this.store.close();
    return left;
  }

  /** Resolves once nothing is left; one run at a time. */
  private run(): Promise<void> {
    this.running ??= this.sendAll();
    return this.running;
  }

  private async sendAll(): Promise<void> {
    // What is taken at once goes together.
    await Promise.resolve();
    while (this.store.size > 0 && !this.isClosed) {
      try {
        await this.sendNext();
      } catch (error) {
        this.fail({ message: error instanceof Error ? error.message : String(error), waitMs: 0 });
      }
    }
    this.running = undefined;
  }

  /** Sends a batch, or waits until there may be one. */
  private async sendNext(): Promise<void> {
    const now = performance.now();
    if (now < this.resumeAt) return this.sleep(this.resumeAt - now);
    const chunk = this.store.next(now, Math.max(now - this.intervalMs, this.flushedAt));
    if (!chunk) return this.sleep(Math.min(this.store.earliest, this.store.gatheringSince + this.intervalMs) - now);
    const answer = await sendBatch(chunk.lines, this.target);
    if (this.isClosed) return;
    if ('message' in answer) return this.fail(answer);
    for (const { line, refusal } of answer.refused) this.refuse(line, refusal);
    this.store.settle(chunk, answer.again, alignTime(performance.now() + answer.waitMs));
    // A token that is no longer good costs some batches, and not at once all that is held.
    if (answer.isWhole) this.backOff(0);
    else this.pauseMs = FIRST_PAUSE_MS;
  }

  private fail({ message, waitMs }: Problem): void {
    const problem = { message, waitMs: this.backOff(waitMs) };
    void callBack(() => this.options.onRetry?.(problem));
  }

  /** Sends nothing for `leastMs`, or longer from time to time; returns for how long. */
  private backOff(leastMs: number): number {
    // Several senders that failed together come back one after the other.
    const waitMs = Math.max(leastMs, this.pauseMs * (0.5 + Math.random() / 2));
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    this.resumeAt = performance.now() + waitMs;
    return waitMs;
  }

  private refuse(line: Line, refusal: Refusal): void {
    const record = readRecord(line);
    void callBack(() => this.options.onRefused?.(record, refusal));
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function readRecord(line: Line): SentRecord {
  try {
    return JSON.parse(line) as SentRecord;
  } catch {
    return { kind: 'unreadable', line };
  }
}

/** Rounds up, so that records which come back at about the same time are sent together. */
const alignTime = (ms: number) => Math.ceil(ms / FIRST_PAUSE_MS) * FIRST_PAUSE_MS;

/** Calls what is not ours. What it throws, or rejects with, ends neither the process nor the sending. */
async function callBack(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    console.error('@adtrail/s2s: a callback failed.', error);
  }
}

/**
 * Sends clicks and impressions to adtrail: `POST /v1/batch`. Records are gathered, sent in batches, and sent again
 * where that helps; a record has its ID from its campaign and `tid`, so that one that arrives twice counts once.
 */
import { MemoryStore, type Line, type Store } from './chunks.ts';
import { readOutcomes, type Refusal } from './outcomes.ts';

export type { Refusal } from './outcomes.ts';
export type { Store } from './chunks.ts';

/** Parameters of an endpoint by name or alias: `c`, `tid`, and `app_id` or `d` are always needed. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;
export type Kind = 'click' | 'impression' | 'ctv_impression';
/** A record as it is sent. */
export type SentRecord = Readonly<Record<string, string | number>> & { readonly kind: Kind };

export interface SenderOptions {
  /** Address of the service, for example `https://adtrail.example`. */
  readonly url: string;
  /** The partner's token. */
  readonly token: string;
  /** Called for each record that is refused for good: sending it again would not help. */
  readonly onRefused?: (record: SentRecord, refusal: Refusal) => void;
  /** Called for each attempt that failed as a whole; the records are kept. */
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
   * Takes a record, which is sent soon; false when too many wait: send more slowly, and this one again. Without a time
   * of its own it gets that of this moment.
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

const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Whatever Retry-After says. */
const LONGEST_WAIT_MS = 300_000;

export function createSender(options: SenderOptions): Sender {
  const { maxRecords = 1_000, maxHeldBytes = 64 * 1024 * 1024 } = options;
  if (!(maxRecords >= 1 && maxRecords <= 10_000)) throw new RangeError('maxRecords must be 1 to 10,000');
  const limits = { maxRecords, maxBytes: MAX_BATCH_BYTES, maxHeldBytes };
  return new BatchSender(options, options.store ?? new MemoryStore(limits));
}

class BatchSender implements Sender {
  private readonly intervalMs: number;
  private readonly endpoint: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private isClosed = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly options: SenderOptions,
    private readonly store: Store,
  ) {
    this.intervalMs = options.intervalMs ?? 1_000;
    this.endpoint = `${options.url.replace(/\/+$/, '')}/v1/batch`;
    // What an earlier process has left.
    if (store.size > 0) this.schedule(0);
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
    if (!this.store.append(line)) return false;
    this.schedule(this.store.hasFull ? 0 : this.intervalMs);
    return true;
  }

  async flush(): Promise<void> {
    while (this.store.size > 0 && !this.isClosed) await this.run();
  }

  async close(ms = 10_000): Promise<number> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
    clearTimeout(this.timer);
    this.isClosed = true;
    this.wake();
    const left = this.store.size;
    // A batch that is under way may still be accepted: it stays in a spool, and is a repeat next time.
    this.store.close();
    return left;
  }

  /** Runs soon, or sooner than planned. */
  private schedule(ms: number): void {
    if (this.running || (this.timer && ms > 0)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), ms);
  }

  /** Sends what there is, one batch after the other; one run at a time. */
  private run(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running ??= this.sendAll().finally(() => {
      this.running = undefined;
      if (this.store.size > 0 && !this.isClosed) this.schedule(this.store.hasFull ? 0 : this.intervalMs);
    });
    return this.running;
  }

  private async sendAll(): Promise<void> {
    while (!this.isClosed) {
      const chunk = this.store.next(Date.now());
      if (!chunk) {
        const wait = this.store.earliest - Date.now();
        if (wait === Infinity) return;
        // What comes meanwhile does not wait for it.
        await this.pause(Math.min(Math.max(wait, 1), this.intervalMs));
        continue;
      }
      const problem = await this.send(chunk.lines).catch((error: unknown) => ({ message: readMessage(error) }));
      if (this.isClosed) return;
      if ('message' in problem) {
        await this.failed(problem);
        continue;
      }
      this.pauseMs = FIRST_PAUSE_MS;
      this.store.settle(chunk, problem.again, Date.now() + problem.waitMs);
      for (const { line, refusal } of problem.refused) this.refuse(line, refusal);
    }
  }

  /** One attempt; throws, or answers with a message, where the batch as a whole may be sent again. */
  private async send(lines: readonly Line[]): Promise<ReturnType<typeof readOutcomes> | Problem> {
    const { token, timeoutMs = 30_000, fetch: send = fetch } = this.options;
    const response = await send(this.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', 'X-Service-Token': token },
      body: lines.join('\n'),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    const text = await response.text();
    if (MAY_RETRY.has(response.status))
      return { message: `HTTP ${response.status}`, waitMs: readRetryAfter(response.headers.get('Retry-After')) };
    return readOutcomes(lines, response.status, text);
  }

  private async failed({ message, waitMs = 0 }: Problem): Promise<void> {
    // Several senders that failed together come back one after the other.
    const wait = Math.max(waitMs, this.pauseMs * (0.5 + Math.random() / 2));
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    this.options.onRetry?.({ message, waitMs: wait });
    await this.pause(wait);
  }

  private refuse(line: Line, refusal: Refusal): void {
    try {
      this.options.onRefused?.(JSON.parse(line) as SentRecord, refusal);
    } catch (error) {
      // Whatever the callback does, the records behind this one are sent.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_WAIT_MS));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface Problem {
  readonly message: string;
  readonly waitMs?: number;
}

/** The service says so itself; a gateway says that it could not be reached. */
const MAY_RETRY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Seconds, or a date; in milliseconds. */
function readRetryAfter(header: string | null): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

const readMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

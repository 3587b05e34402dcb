/**
 * Records clicks while people wait for their redirect: durably before it, and later where the ingest log cannot be
 * written (docs/contract/tracking-links.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NotStoredYetError } from '../ingest/log/ingest-log';
import type { Receipts } from '../ingest/receipts';
import type { RecordStore } from '../ingest/record';
import { toRecord, type LinkClick } from './rows';

/** How long a visitor waits. */
const PATIENCE_MS = 1_000;
const RETRY_MS = 500;
/** Between two attempts at the end, when time is short. */
const PAUSE_MS = 50;
const RETRY_CLICKS = 1_000;
const MAX_WAITING_CLICKS = 20_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export interface RecorderOptions {
  readonly store: RecordStore;
  readonly receipts: Pick<Receipts, 'next'>;
  /** Called with the number of clicks that are given up. */
  readonly onLost: (clicks: number) => void;
}

/**
 * Clicks that the log did not take wait here, within bounds, and are given to it again with the same ID, so that none
 * counts twice.
 */
export class ClickRecorder {
  private waiting: { readonly click: LinkClick; readonly bytes: number }[] = [];
  private waitingBytes = 0;
  /** How many clicks the store has neither taken nor refused yet. */
  private underWay = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: RecorderOptions) {}

  /** Resolves with true once the click is durable, with false when it has to be stored later. */
  async record(click: LinkClick): Promise<boolean> {
    const stored = this.store(click);
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    try {
      return await Promise.race([stored, impatient]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives what waits to the log, for so long at most. */
  async flush(ms: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    const giveUp = Date.now() + ms;
    while (this.waiting.length > 0 && Date.now() < giveUp) {
      await Promise.race([this.again(), sleep(PAUSE_MS)]);
      if (this.waiting.length > 0) await sleep(PAUSE_MS);
    }
  }

  /** To be called once the log is closed: answers how many clicks are lost. */
  close(): number {
    const lost = this.waiting.length + this.underWay;
    this.options.onLost(lost);
    return lost;
  }

  /**
   * Resolves with whether the click is accepted; else it waits. It counts as received when the log takes it: nothing
   * was decided before that it could have changed.
   */
  private async store(click: LinkClick): Promise<boolean> {
    const record = toRecord(click, this.options.receipts.next());
    this.underWay += 1;
    try {
      await this.options.store.add(record);
      return true;
    } catch (error) {
      // In the log it is safe.
      if (!(error instanceof NotStoredYetError)) this.keep(click, JSON.stringify(record.row).length);
      return false;
    } finally {
      this.underWay -= 1;
    }
  }

  private keep(click: LinkClick, bytes: number): void {
    if (this.waiting.length >= MAX_WAITING_CLICKS || this.waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.options.onLost(1);
      return;
    }
    this.waiting.push({ click, bytes });
    this.waitingBytes += bytes;
    if (!this.stopped) this.timer ??= setTimeout(() => void this.retry(), RETRY_MS);
  }

  private async retry(): Promise<void> {
    while (!this.stopped && this.waiting.length > 0 && (await this.again()) > 0);
    this.timer = undefined;
    if (!this.stopped && this.waiting.length > 0) this.timer = setTimeout(() => void this.retry(), RETRY_MS);
  }

  /** Sends the first of those that wait once more; resolves with how many of them were stored. */
  private async again(): Promise<number> {
    const next = this.waiting.splice(0, RETRY_CLICKS);
    for (const { bytes } of next) this.waitingBytes -= bytes;
    return (await Promise.all(next.map(({ click }) => this.store(click)))).filter(Boolean).length;
  }
}

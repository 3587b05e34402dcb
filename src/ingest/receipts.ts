/** When records are received, and in which order. */

import { DAY_MS } from '../lib/time';

/** The greatest version a row can have: a receipt counts down from here, so that the first receipt is the greatest. */
const VERSION_BASE = Number.MAX_SAFE_INTEGER;

/** No clock gives a smaller one before the year 2200: such a row was inserted by hand, and no receipt follows it. */
export const LEAST_VERSION = VERSION_BASE - Date.UTC(2200) * 1000;

export interface Receipt {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** UTC day of the receipt, YYYY-MM-DD: the bucket of the record. */
  readonly day: string;
  /** What the row's `version` holds: greater means received earlier. */
  readonly version: number;
}

/** Receipts of records that came together: all at one time, each later than the one before by its version only. */
export interface SharedReceipt {
  next(): Receipt;
  /** To be called once every record that takes one of these receipts is in the log, or will never be. */
  close(): void;
}

/**
 * Hands out receipts whose versions count microseconds, each later than the one before, also where the system's clock
 * is set back: a repeat must never look older than the record that it repeats.
 */
export class Receipts {
  private last = 0;
  private day = '';
  private dayStarts = 0;
  private readonly open = new Set<{ readonly at: number }>();

  constructor(private readonly now: () => number) {}

  /**
   * Continues after the version that a row of today already has, at least `LEAST_VERSION`: a restart must not start
   * earlier than its forerunner.
   */
  continueAfter(version: number): void {
    this.last = Math.max(this.last, VERSION_BASE - version);
  }

  /**
   * The receipt of a record, which goes to the log in the same turn of the event loop. Of a record that came together
   * with others, when they came (`at`, in milliseconds).
   */
  next(at = this.now()): Receipt {
    this.last = Math.max(this.last + 1, at * 1000);
    if (!(at >= this.dayStarts && at < this.dayStarts + DAY_MS)) {
      this.day = utcDay(at);
      this.dayStarts = Date.parse(this.day);
    }
    return { at, day: this.day, version: VERSION_BASE - this.last };
  }

  /** Receipts of records that came at `at` and do not all go to the log in this turn of the event loop. */
  together(at = this.now()): SharedReceipt {
    const batch = { at };
    this.open.add(batch);
    return {
      next: () => this.next(batch.at),
      close: () => void this.open.delete(batch),
    };
  }

  /** The earliest time of which receipts may still be handed out, in milliseconds. */
  get earliestOpen(): number {
    let earliest = this.now();
    for (const { at } of this.open) earliest = Math.min(earliest, at);
    return earliest;
  }
}

/** The UTC day of an instant, as YYYY-MM-DD. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

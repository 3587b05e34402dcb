/** When records are received, and in which order. */

import { DAY_MS } from '../time';

/** The greatest version a row can have: a receipt counts down from here, so that the first receipt is the greatest. */
const VERSION_BASE = Number.MAX_SAFE_INTEGER;

export interface Receipt {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** UTC day of the receipt, YYYY-MM-DD: the bucket of the record. */
  readonly day: string;
  /** What the row's `version` holds: greater means received earlier. */
  readonly version: number;
}

/**
 * Hands out receipts whose versions count microseconds, each later than the one before, also where the system's clock
 * is set back: a repeat must never look older than the record that it repeats.
 */
export class Receipts {
  private last = 0;
  private day = '';
  private dayStarts = 0;

  constructor(private readonly now: () => number) {}

  /**
   * Goes on after the version that a row of today already has: a restart must not start earlier than its forerunner.
   */
  continueAfter(version: number): void {
    this.last = Math.max(this.last, VERSION_BASE - version);
  }

  /** The receipt of a record; of one that came together with others, when they came (`at`, in milliseconds). */
  next(at = this.now()): Receipt {
    this.last = Math.max(this.last + 1, at * 1000);
    if (!(at >= this.dayStarts && at < this.dayStarts + DAY_MS)) {
      this.day = utcDay(at);
      this.dayStarts = Date.parse(this.day);
    }
    return { at, day: this.day, version: VERSION_BASE - this.last };
  }

  /** Receipts of records that came together: all at one time, each later than the one before by its version only. */
  together(): () => Receipt {
    const at = this.now();
    return () => this.next(at);
  }
}

/** The UTC day of an instant, as YYYY-MM-DD. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

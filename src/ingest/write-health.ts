/** Whether records can be stored just now, as the last attempts went. */

/**
 * How long a failure counts. A process that is reported as unable to store gets no records, and would never learn that
 * it could again: after this time it is worth another attempt.
 */
const FAILURE_COUNTS_MS = 5_000;

export class WriteHealth {
  private last: { at: number; stored: boolean } | undefined;

  /** Takes note of an attempt to store. */
  note(stored: boolean, at: number): void {
    this.last = { at, stored };
  }

  /** When it was last tried to store, in milliseconds since 1970; 0 for never. */
  get lastAt(): number {
    return this.last?.at ?? 0;
  }

  /** What the last attempt says at a time; without any there is nothing to complain about. */
  look(now: number): { ok: boolean; last_seconds_ago: number | null } {
    const { last } = this;
    if (!last) return { ok: true, last_seconds_ago: null };
    return {
      ok: last.stored || now - last.at > FAILURE_COUNTS_MS,
      last_seconds_ago: Math.round((now - last.at) / 1000),
    };
  }
}

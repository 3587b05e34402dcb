/** What of one segment ClickHouse does not have yet, as the process knows that writes it. */

/** Groups that were received so close together count as one, so that a long backlog is few entries. */
const TOGETHER_MS = 250;

/** Rows that became durable together. */
export interface PendingGroup {
  /** Where they end in the segment. */
  readonly end: number;
  /** When the first of them was received, in milliseconds. */
  readonly earliest: number;
  readonly rows: number;
  readonly bytes: number;
}

interface Waiting {
  readonly end: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class PendingSegment {
  /** Nothing more will be written to it. */
  isSealed = false;
  /** The size of everything that was written to it. */
  bytes = 0;
  /** Oldest first; the first tells of the earliest receipt of all. */
  private readonly groups: { -readonly [Key in keyof PendingGroup]: PendingGroup[Key] }[] = [];
  private readonly waiting: Waiting[] = [];
  private drainedTo = 0;

  constructor(readonly table: string) {}

  add({ end, earliest, rows, bytes }: PendingGroup): void {
    this.bytes += bytes;
    // The thread may have read the group, and stored it, before its sync was through.
    if (end <= this.drainedTo) return;
    const last = this.groups.at(-1);
    if (last && Math.abs(earliest - last.earliest) < TOGETHER_MS) {
      last.end = end;
      last.rows += rows;
      last.bytes += bytes;
    } else this.groups.push({ end, earliest, rows, bytes });
    // A large batch is written later than what was received after it.
    for (let i = this.groups.length - 1; i >= 0; i--) {
      const group = this.groups[i] as (typeof this.groups)[number];
      if (group.earliest < earliest) break;
      group.earliest = earliest;
    }
  }

  /** ClickHouse has everything up to here. */
  drained(end: number): void {
    this.drainedTo = end;
    while (this.groups[0] && this.groups[0].end <= end) this.groups.shift();
    while (this.waiting[0] && this.waiting[0].end <= end) this.waiting.shift()?.resolve();
  }

  /** When the earliest record was received that ClickHouse does not have, in milliseconds; Infinity for none. */
  get earliest(): number {
    return this.groups[0]?.earliest ?? Infinity;
  }

  get rest(): { readonly rows: number; readonly bytes: number } {
    let [rows, bytes] = [0, 0];
    for (const group of this.groups) {
      rows += group.rows;
      bytes += group.bytes;
    }
    return { rows, bytes };
  }

  /** Resolves once ClickHouse has everything up to `end`, rejects with `late` after `ms`. */
  async untilDrained(end: number, ms: number, late: () => Error): Promise<void> {
    if (this.drainedTo >= end) return;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.waiting.push({ end, resolve, reject });
        timer = setTimeout(() => reject(late()), ms);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nobody will drain it any more. */
  giveUp(error: () => Error): void {
    for (const { reject } of this.waiting) reject(error());
  }
}

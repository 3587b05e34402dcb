/** Records that wait to be sent, in chunks of at most one batch each. */

/** The JSON of one record, without a line break. */
export type Line = string;

/** Records that are sent together; it is removed once each of them is accepted or refused. */
export interface Chunk {
  readonly lines: readonly Line[];
  readonly bytes: number;
  /** Not to be sent before this time, in milliseconds. */
  readonly notBefore: number;
}

/** Where chunks are kept while they wait: in memory, or on a disk (`@adtrail/s2s/spool`). */
export interface Store {
  /** Records that are held. */
  readonly size: number;
  /** Takes a record; false when there is no room for it. */
  append(line: Line): boolean;
  /** Whether a chunk is full, and need not wait for company. */
  readonly hasFull: boolean;
  /** The oldest chunk that may be sent at `now`; what is gathered is ended for it. */
  next(now: number): Chunk | undefined;
  /** When a chunk that waits may be sent, in milliseconds; Infinity for none. */
  readonly earliest: number;
  /** Keeps `again` until `notBefore`, and only then lets go of the chunk. */
  settle(chunk: Chunk, again: readonly Line[], notBefore: number): void;
  /** Lets go of what it has open. What is held in memory is gone. */
  close(): void;
}

export interface Limits {
  /** Records of a chunk, at most 10,000. */
  readonly maxRecords: number;
  /** Bytes of a chunk, at most 8 MB. */
  readonly maxBytes: number;
  /** What is held at most, in bytes. */
  readonly maxHeldBytes: number;
}

/** Bytes of a line with its line break: at most three for each UTF-16 code unit. */
export const countBytes = (line: Line) => 3 * line.length + 1;

/** The chunks of a process: gone when it ends. */
export class MemoryStore implements Store {
  private gathering: Line[] = [];
  private gatheredBytes = 0;
  private chunks: Chunk[] = [];
  private heldBytes = 0;
  size = 0;

  constructor(private readonly limits: Limits) {}

  get hasFull(): boolean {
    return this.chunks.some(({ notBefore }) => notBefore === 0);
  }

  get earliest(): number {
    return Math.min(...this.chunks.map(({ notBefore }) => notBefore));
  }

  append(line: Line): boolean {
    const bytes = countBytes(line);
    if (this.heldBytes + bytes > this.limits.maxHeldBytes) return false;
    if (this.gathering.length >= this.limits.maxRecords || this.gatheredBytes + bytes > this.limits.maxBytes)
      this.end();
    this.gathering.push(line);
    this.gatheredBytes += bytes;
    this.heldBytes += bytes;
    this.size += 1;
    if (this.gathering.length >= this.limits.maxRecords) this.end();
    return true;
  }

  next(now: number): Chunk | undefined {
    const due = this.chunks.find(({ notBefore }) => notBefore <= now);
    if (due || this.gathering.length === 0) return due;
    this.end();
    return this.chunks.at(-1);
  }

  settle(chunk: Chunk, again: readonly Line[], notBefore: number): void {
    this.chunks = this.chunks.filter((one) => one !== chunk);
    const bytes = again.reduce((sum, line) => sum + countBytes(line), 0);
    if (again.length > 0) this.chunks.push({ lines: again, bytes, notBefore });
    this.heldBytes += bytes - chunk.bytes;
    this.size += again.length - chunk.lines.length;
  }

  close(): void {
    this.gathering = [];
    this.chunks = [];
    this.size = 0;
    this.heldBytes = 0;
  }

  private end(): void {
    if (this.gathering.length > 0) this.chunks.push({ lines: this.gathering, bytes: this.gatheredBytes, notBefore: 0 });
    this.gathering = [];
    this.gatheredBytes = 0;
  }
}

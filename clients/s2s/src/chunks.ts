/** Records that wait to be sent, in parts of at most one batch each; times are milliseconds of `performance.now()`. */

/** The JSON of one record, without a line break. */
export type Line = string;

/** Records that are sent together. */
export interface Chunk {
  readonly lines: readonly Line[];
}

/** Where records are kept while they wait: in memory, or on a disk (`@adtrail/s2s/spool`). */
export interface Store {
  /** Records that are held. */
  readonly size: number;
  /** Takes a record; false when there is no room for it. */
  append(line: Line, now: number): boolean;
  /** Whether there is something that need not wait for company. */
  readonly hasFull: boolean;
  /** When the first of the records that still gather was taken; Infinity for none. */
  readonly gatheringSince: number;
  /** What may be sent at `now`, at most one batch; what still gathers only if it does so since `since` or before. */
  next(now: number, since: number): Chunk | undefined;
  /** When something that has been gathered may be sent; Infinity for none. */
  readonly earliest: number;
  /** Keeps `again` until `notBefore`, and only then lets go of the chunk. */
  settle(chunk: Chunk, again: readonly Line[], notBefore: number): void;
  /** Lets go of what it has open. */
  close(): void;
}

export interface Limits {
  /** Records of a batch, at most 10,000. */
  readonly maxRecords: number;
  /** What is held at most, in bytes. */
  readonly maxHeldBytes: number;
}

/** Bytes of a batch. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Records that were gathered together, or that come back together. */
export interface Part {
  records: number;
  bytes: number;
  notBefore: number;
}

interface PartChunk<P> extends Chunk {
  readonly parts: readonly P[];
}

/** Gathers records to parts, and parts that may be sent to batches; where a part has its records is told below it. */
export abstract class PartStore<P extends Part> implements Store {
  private parts: P[] = [];
  private gathering: P | undefined;
  private heldBytes = 0;
  gatheringSince = Infinity;
  size = 0;

  constructor(private readonly limits: Limits) {
    const { maxRecords } = limits;
    if (!(maxRecords >= 1 && maxRecords <= 10_000)) throw new RangeError('maxRecords must be 1 to 10,000');
  }

  /** Bytes of a line with its line break. */
  protected abstract countBytes(line: Line): number;
  /** A part without records. */
  protected abstract create(): P;
  protected abstract write(part: P, lines: readonly Line[]): void;
  protected abstract read(part: P): readonly Line[];
  /** Nothing more is written to it. */
  protected abstract finish(part: P): void;
  protected abstract drop(part: P): void;

  get hasFull(): boolean {
    return this.parts.some(({ notBefore }) => notBefore === 0);
  }

  get earliest(): number {
    return this.parts.reduce((earliest, { notBefore }) => Math.min(earliest, notBefore), Infinity);
  }

  append(line: Line, now: number): boolean {
    const bytes = this.countBytes(line);
    if (this.heldBytes + bytes > this.limits.maxHeldBytes) return false;
    if (this.gathering && this.gathering.bytes + bytes > MAX_BATCH_BYTES) this.end();
    const part = (this.gathering ??= this.create());
    this.write(part, [line]);
    if (part.records === 0) this.gatheringSince = now;
    part.records += 1;
    part.bytes += bytes;
    this.count(1, bytes);
    if (part.records >= this.limits.maxRecords) this.end();
    return true;
  }

  next(now: number, since: number): PartChunk<P> | undefined {
    if (!this.hasFull && this.gatheringSince <= since) this.end();
    const parts = this.pick(now);
    return parts.length > 0 ? { parts, lines: parts.flatMap((part) => this.read(part)) } : undefined;
  }

  settle(chunk: Chunk, again: readonly Line[], notBefore: number): void {
    if (again.length > 0) this.keep(again, notBefore);
    for (const part of (chunk as PartChunk<P>).parts) this.remove(part);
  }

  close(): void {
    this.end();
  }

  protected add(part: P): void {
    this.parts.push(part);
    this.count(part.records, part.bytes);
  }

  protected remove(part: P): void {
    this.parts = this.parts.filter((one) => one !== part);
    this.count(-part.records, -part.bytes);
    this.drop(part);
  }

  /** What is gathered need not wait for company. */
  protected end(): void {
    const part = this.gathering;
    if (!part) return;
    this.gathering = undefined;
    this.gatheringSince = Infinity;
    if (part.records > 0) this.parts.push(part);
    this.finish(part);
    if (part.records === 0) this.drop(part);
  }

  private keep(lines: readonly Line[], notBefore: number): void {
    const part = this.create();
    try {
      this.write(part, lines);
    } catch (error) {
      this.finish(part);
      this.drop(part);
      throw error;
    }
    this.finish(part);
    const bytes = lines.reduce((sum, line) => sum + this.countBytes(line), 0);
    this.add(Object.assign(part, { records: lines.length, bytes, notBefore }));
  }

  /** The oldest part that may be sent, and those that fit into one batch with it: few that come back are no batch. */
  private pick(now: number): P[] {
    const picked: P[] = [];
    let records = 0;
    let bytes = 0;
    for (const part of this.parts) {
      if (records >= this.limits.maxRecords) break;
      const fits = records + part.records <= this.limits.maxRecords && bytes + part.bytes <= MAX_BATCH_BYTES;
      if (part.notBefore > now || (picked.length > 0 && !fits)) continue;
      picked.push(part);
      records += part.records;
      bytes += part.bytes;
    }
    return picked;
  }

  private count(records: number, bytes: number): void {
    this.size += records;
    this.heldBytes += bytes;
  }
}

interface MemoryPart extends Part {
  readonly lines: Line[];
}

/** Records of a process: gone when it ends. */
export class MemoryStore extends PartStore<MemoryPart> {
  /** At most three for each UTF-16 code unit. */
  protected countBytes(line: Line): number {
    return 3 * line.length + 1;
  }

  protected create(): MemoryPart {
    return { lines: [], records: 0, bytes: 0, notBefore: 0 };
  }

  protected write(part: MemoryPart, lines: readonly Line[]): void {
    for (const line of lines) part.lines.push(line);
  }

  protected read(part: MemoryPart): readonly Line[] {
    return part.lines;
  }

  protected finish(): void {
    // Nothing is open.
  }

  protected drop(): void {
    // What nothing refers to is gone.
  }
}

/**
 * Writes the rows of one table to segments, a group at a time: one write and one sync for all rows that came while the
 * group before was under way. A row is durable when its group is.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { UnavailableError } from '../../errors';
import { headerLine, segmentName, type Target } from './segment';

/** A segment that has this many bytes is followed by another. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** A segment is followed by another after this time, so that what ClickHouse has is soon off the disk. */
const SEGMENT_MS = 2_000;
/** So much waits for the group before at most: beyond it the disk is too slow, and requests are refused. */
const MAX_GATHERED_BYTES = 64 * 1024 * 1024;
/** After a group that could not be written, requests are refused at once for so long, then the next one tries. */
const PAUSE_MS = 250;

/** The parts of a file that writing needs. */
type File = Pick<fs.FileHandle, 'write' | 'datasync' | 'close'>;

/** Rows that share one write, and so one outcome: a promise for each would be work for nothing, at this rate. */
export class Group {
  readonly lines: string[] = [];
  characters = 0;
  /** When the first of its records was received, in milliseconds. */
  earliest = Infinity;
  /** Where it ends, once it is durable. */
  at: { readonly segment: string; readonly end: number } | undefined;
  readonly durable: Promise<void>;
  resolve!: () => void;
  reject!: (error: Error) => void;

  constructor() {
    this.durable = new Promise<void>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Every request waits for it; were all of them gone, its failure would be nobody's.
    this.durable.catch(() => undefined);
  }
}

function refused(): Group {
  const group = new Group();
  group.reject(new UnavailableError());
  return group;
}

/** Where a group stands, once it is durable. */
export interface Written {
  /** Name of the segment. */
  readonly segment: string;
  /** Where the group ends in it. */
  readonly end: number;
  readonly bytes: number;
  readonly rows: number;
  readonly earliest: number;
}

export interface WriterOptions {
  readonly folder: string;
  readonly target: Target;
  readonly sync: boolean;
  /** Numbers the segments of the folder. */
  readonly nextSequence: () => number;
  /** Whether ClickHouse keeps up; while it does not, segments grow, so that their rows make large blocks. */
  readonly isDrained: () => boolean;
  /** Whether there is room for more. */
  readonly hasRoom: () => boolean;
  /** A group is durable, and nobody has been told yet. */
  readonly onWritten: (written: Written) => void;
  /** No more will be written to the segment. */
  readonly onSealed: (segment: string) => void;
  /** Called for every attempt to write, for health and metrics. */
  readonly observe: (attempt: { ok: boolean; syncSeconds: number; error?: Error }) => void;
  /** Opens a new file for writing; tests watch what is synced. */
  readonly open?: (file: string) => Promise<File>;
}

interface Current {
  readonly name: string;
  readonly file: File;
  readonly openedAt: number;
  bytes: number;
}

export class LogWriter {
  private gathering: Group | undefined;
  private writing: Group | undefined;
  private running: Promise<void> | undefined;
  private current: Current | undefined;
  private pausedUntil = 0;

  constructor(private readonly options: WriterOptions) {}

  /**
   * Takes a row that was received at `at` (milliseconds); resolves once it is durable.
   *
   * @throws UnavailableError when it could not be written. It may be stored all the same, and a repeat is safe.
   */
  add(line: string, at: number): Group {
    let group = this.gathering;
    if (!group) {
      group = this.gathering = new Group();
      if (Date.now() < this.pausedUntil || !this.options.hasRoom()) {
        this.gathering = undefined;
        return refused();
      }
    }
    if (group.characters >= MAX_GATHERED_BYTES) return refused();
    group.lines.push(line);
    group.characters += line.length;
    if (at < group.earliest) group.earliest = at;
    this.running ??= this.run();
    return group;
  }

  /** When the earliest record was received that is not durable yet, in milliseconds; Infinity for none. */
  get earliestPending(): number {
    return Math.min(this.writing?.earliest ?? Infinity, this.gathering?.earliest ?? Infinity);
  }

  /** Ends the segment if it is old enough; to be called now and then, so that none stays open without need. */
  async sealOld(): Promise<void> {
    if (!this.running && this.current && this.isOld(this.current)) await this.seal();
  }

  /** Writes what has been taken, and ends the segment. */
  async close(): Promise<void> {
    await this.running;
    await this.seal();
  }

  private async run(): Promise<void> {
    // Requests that are read in one turn of the event loop share a write.
    await new Promise(setImmediate);
    while (this.gathering) {
      this.writing = this.gathering;
      this.gathering = undefined;
      await this.write(this.writing);
      this.writing = undefined;
    }
    this.running = undefined;
  }

  private async write(group: Group): Promise<void> {
    const started = performance.now();
    try {
      const current = await this.segment();
      const isNew = current.bytes === 0;
      const rows = `${group.lines.join('\n')}\n`;
      const bytes = Buffer.from(isNew ? headerLine(this.options.target) + rows : rows);
      await writeAll(current.file, bytes);
      const written = performance.now();
      if (this.options.sync) {
        await current.file.datasync();
        if (isNew) await syncFolder(this.options.folder);
      }
      current.bytes += bytes.length;
      const { name, bytes: end } = current;
      const { earliest } = group;
      this.options.observe({ ok: true, syncSeconds: (performance.now() - written) / 1000 });
      group.at = { segment: name, end };
      this.options.onWritten({ segment: name, end, bytes: bytes.length, rows: group.lines.length, earliest });
      group.resolve();
    } catch (error) {
      // What is in the file by now is not known, and a sync that failed once may not tell again.
      await this.abandon();
      this.pausedUntil = Date.now() + PAUSE_MS;
      const syncSeconds = (performance.now() - started) / 1000;
      this.options.observe({ ok: false, syncSeconds, error: error as Error });
      group.reject(new UnavailableError('The ingest log cannot be written', { cause: error }));
    }
  }

  private async segment(): Promise<Current> {
    if (this.current && (this.current.bytes >= SEGMENT_BYTES || this.isOld(this.current))) await this.seal();
    if (this.current) return this.current;
    const { folder, target, nextSequence, open = createFile } = this.options;
    const name = segmentName(nextSequence(), target.table);
    this.current = { name, file: await open(path.join(folder, name)), openedAt: Date.now(), bytes: 0 };
    return this.current;
  }

  private isOld({ openedAt }: Current): boolean {
    return Date.now() - openedAt >= SEGMENT_MS && this.options.isDrained();
  }

  private async seal(): Promise<void> {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    await current.file.close().catch(() => undefined);
    this.options.onSealed(current.name);
  }

  /** Ends a segment that could not be written to; one that nothing was acknowledged of goes. */
  private async abandon(): Promise<void> {
    const { current } = this;
    if (!current || current.bytes > 0) return this.seal();
    this.current = undefined;
    await current.file.close().catch(() => undefined);
    await fs.rm(path.join(this.options.folder, current.name), { force: true }).catch(() => undefined);
  }
}

const createFile = (file: string): Promise<File> => fs.open(file, 'ax', 0o600);

async function writeAll(file: File, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    if (bytesWritten === 0) throw new Error('Nothing more could be written');
    at += bytesWritten;
  }
}

/** A new file is there after a loss of power only if its folder says so. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * A segment is a file of rows for one table: a first line that names the table and its columns, then one row a line,
 * exactly as ClickHouse takes it (JSONCompactEachRow). A last line without its end was never acknowledged.
 */
import fs from 'node:fs/promises';
import path from 'node:path';

/** Where the rows of a segment go. The first column is the record's ID. */
export interface Target {
  /** Without its database. */
  readonly table: string;
  readonly columns: readonly string[];
}

/** The folder beside those of the processes that holds what was set aside. */
export const REJECTED = 'rejected';

/** One block, and so one insert. */
export const BLOCK: BlockLimits = { rows: 20_000, bytes: 8 * 1024 * 1024 };

const NEWLINE = 10;
/** A first line is some hundred bytes long. */
const MAX_HEADER_BYTES = 64 * 1024;
const NAME = /^(\d{10})\.([a-z_]+)\.ndjson$/;
const TABLE = /^[a-z_]{1,64}$/;
const COLUMN = /^[a-z][a-z0-9_]{0,63}$/;

/** Segments of one folder sort by their names in the order in which they were begun. */
export const segmentName = (sequence: number, table: string) => `${String(sequence).padStart(10, '0')}.${table}.ndjson`;

/** The table that a file is for by its name; undefined where it is no segment. */
export const tableOfSegment = (name: string): string | undefined => NAME.exec(name)?.[2];

export const headerLine = ({ table, columns }: Target) => `${JSON.stringify({ table, columns })}\n`;

/** The names of the segments in a folder, oldest first; none where there is no folder. */
export async function listSegments(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => NAME.test(name)).sort();
}

/** The file says nothing that can be understood: it is set aside, never tried again. */
export class DamagedSegmentError extends Error {}

/** Rows of a segment as they stand in the file, each ended by a newline. */
export interface Block {
  readonly bytes: Buffer;
  /** Where each row begins in `bytes`. */
  readonly starts: readonly number[];
  /** Where the block ends in the file. */
  readonly end: number;
}

export interface BlockLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Reads a segment from front to back, up to where whole rows end. */
export class SegmentReader {
  private constructor(
    readonly file: string,
    private readonly handle: fs.FileHandle,
    readonly target: Target,
    /** Where the next row begins. */
    public offset: number,
  ) {}

  /**
   * Undefined where not even the first line is whole: then nothing of the segment was acknowledged.
   *
   * @throws DamagedSegmentError where the first line is not what a segment begins with.
   */
  static async open(file: string): Promise<SegmentReader | undefined> {
    const handle = await fs.open(file, 'r');
    try {
      const buffer = Buffer.alloc(MAX_HEADER_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, MAX_HEADER_BYTES, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
      if (end === -1 && bytesRead < MAX_HEADER_BYTES) {
        await handle.close();
        return undefined;
      }
      return new SegmentReader(file, handle, parseHeader(buffer.subarray(0, Math.max(0, end)), file), end + 1);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The next rows, undefined where there is none yet. */
  async read({ rows, bytes: maxBytes }: BlockLimits): Promise<Block | undefined> {
    const { size } = await this.handle.stat();
    for (let wanted = Math.min(maxBytes, size - this.offset); wanted > 0; wanted *= 2) {
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await this.handle.read(buffer, 0, wanted, this.offset);
      const block = wholeRows(buffer.subarray(0, bytesRead), rows, this.offset);
      // One row alone may be longer than a block is to be.
      if (block || this.offset + bytesRead >= size) return block;
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

function parseHeader(line: Buffer, file: string): Target {
  try {
    const header = JSON.parse(line.toString()) as Partial<Target>;
    const isTarget =
      header.table === tableOfSegment(path.basename(file)) &&
      TABLE.test(header.table ?? '') &&
      Array.isArray(header.columns) &&
      header.columns.every((column) => COLUMN.test(String(column)));
    if (isTarget) return header as Target;
  } catch {
    // Told below.
  }
  throw new DamagedSegmentError(`${file} does not begin as a segment does`);
}

function wholeRows(bytes: Buffer, maxRows: number, offset: number): Block | undefined {
  const starts: number[] = [];
  let start = 0;
  while (starts.length < maxRows) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1) break;
    starts.push(start);
    start = end + 1;
  }
  return starts.length > 0 ? { bytes: bytes.subarray(0, start), starts, end: offset + start } : undefined;
}

/** Row `i` of a block, with the newline that ends it. */
export const rowBytes = ({ bytes, starts }: Block, i: number): Buffer =>
  bytes.subarray(starts[i], starts[i + 1] ?? bytes.length);

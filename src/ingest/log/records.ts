/** The rows of a block as records: which is which, without parsing more than that. */
import type { Suspect } from '../deduplicator';
import { rowBytes, type Block, type Target } from './segment';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A row begins with `["` and its ID of 36 characters. */
const ID_START = 2;
const ID_END = 38;

/** The rows of a block as records. */
export class Records {
  /** Rows whose ID cannot be read. */
  readonly broken: readonly number[];
  /** Rows that are set aside: a repeated attempt leaves them out. */
  readonly rejected = new Set<number>();
  /** Whether repeats within the block meet in the table's key, which holds the day of receipt. */
  readonly meetsItself: boolean;
  private readonly ids: readonly string[];
  private readonly days: readonly string[];

  constructor(
    private readonly block: Block,
    readonly target: Target,
  ) {
    const { bytes, starts } = block;
    const ids = starts.map((start) => bytes.toString('latin1', start + ID_START, start + ID_END));
    this.broken = starts.flatMap((_, i) => (ID.test(ids[i] as string) ? [] : [i]));
    this.ids = ids;
    this.meetsItself = target.columns.includes('bucket');
    // The bucket is the first date in a row, and numbers alone stand before it.
    this.days = this.meetsItself
      ? starts.map((start) => {
          const at = bytes.indexOf(34, start + ID_END + 1);
          return bytes.toString('latin1', at + 1, at + 11);
        })
      : [];
  }

  get count(): number {
    return this.ids.length;
  }

  all(): number[] {
    return this.ids.map((_, i) => i);
  }

  /** Calls `visit` with each of the rows, all where they are undefined, that is not set aside. */
  each(rows: readonly number[] | undefined, visit: (id: string, day: string, i: number) => void): void {
    for (const i of rows ?? this.ids.keys()) {
      if (!this.rejected.has(i)) visit(this.ids[i] as string, this.days[i] ?? '', i);
    }
  }

  suspect(i: number): Suspect {
    const version = this.target.columns.indexOf('version');
    let row: unknown[] = [];
    try {
      row = JSON.parse(this.line(i)) as unknown[];
    } catch {
      // ClickHouse says what is wrong with it.
    }
    return { id: this.ids[i] as string, day: this.days[i] ?? '', version: Number(row[version] ?? 0) };
  }

  line(i: number): string {
    return rowBytes(this.block, i).toString().trimEnd();
  }

  bytesOf(rows: readonly number[] | undefined): Buffer {
    return rows ? Buffer.concat(rows.map((i) => rowBytes(this.block, i))) : this.block.bytes;
  }
}

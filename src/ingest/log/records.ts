/** The rows of a block as records: which is which, without parsing more than that. */
import { UUID } from '../../lib/uuid';
import type { Suspect } from '../deduplicator';
import { rowBytes, type Block, type Target } from './segment';

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
  /** Rows that are stored in the place of those of the block. */
  private readonly changed = new Map<number, Buffer>();

  constructor(
    private readonly block: Block,
    readonly target: Target,
  ) {
    const { bytes, starts } = block;
    const ids = starts.map((start) => bytes.toString('latin1', start + ID_START, start + ID_END));
    this.broken = starts.flatMap((_, i) => (UUID.test(ids[i] as string) ? [] : [i]));
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
    return { id: this.ids[i] as string, day: this.days[i] ?? '', version: Number(this.row(i)?.[version] ?? 0) };
  }

  /** Replaces the rows that have `text` in them by what `change` makes of them. */
  change(text: string, change: (row: readonly unknown[], columns: readonly string[]) => readonly unknown[]): void {
    const { bytes, starts } = this.block;
    let at = -1;
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i] as number;
      if (at < start) at = bytes.indexOf(text, start);
      if (at === -1) return;
      const row = at < (starts[i + 1] ?? bytes.length) ? this.row(i) : undefined;
      if (row) this.changed.set(i, Buffer.from(`${JSON.stringify(change(row, this.target.columns))}\n`));
    }
  }

  /** Undefined where it is none: ClickHouse says what is wrong with it. */
  private row(i: number): readonly unknown[] | undefined {
    try {
      const row: unknown = JSON.parse(rowBytes(this.block, i).toString());
      return Array.isArray(row) ? row : undefined;
    } catch {
      return undefined;
    }
  }

  private bytes(i: number): Buffer {
    return this.changed.get(i) ?? rowBytes(this.block, i);
  }

  line(i: number): string {
    return this.bytes(i).toString().trimEnd();
  }

  joinBytes(rows: readonly number[] | undefined): Buffer {
    if (!rows && this.changed.size === 0) return this.block.bytes;
    return Buffer.concat((rows ?? this.all()).map((i) => this.bytes(i)));
  }
}

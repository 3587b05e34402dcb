/** What has been stored in a table since somebody last looked. */
import type { ClickHouse } from '../db/clickhouse';
import { readArrivals, readArrivedMinutes } from './queries';

/** More moments than these are not told apart: everything since then is taken as new, and known by the minute. */
const MAX_MOMENTS = 5_000;
const MINUTE_MS = 60_000;

/** So many rows were stored from a time in milliseconds on and before another. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

export interface Fresh {
  /** Milliseconds: nothing older is new. */
  readonly since: number;
  /** The moments of storing at which something is new; meaningless where `all` is set. */
  readonly moments: readonly number[];
  readonly all: boolean;
  /** At most so many rows are new. */
  readonly rows: number;
  /** When it was stored, oldest first. */
  readonly stretches: readonly Stretch[];
  /** Nothing at all was stored in the time that was looked at, new or not. */
  readonly isQuiet: boolean;
  /** Remembers all of this as seen. */
  readonly done: () => void;
}

/** Remembers how many rows each recent moment had, so that an overlap is looked at and not done again. */
export class Arrivals {
  private seen = new Map<number, number>();

  constructor(
    private readonly db: ClickHouse,
    private readonly table: string,
  ) {}

  /** What is new of everything stored from `since` (milliseconds) on. */
  async read(since: number): Promise<Fresh> {
    const arrivals = await readArrivals(this.db, { table: this.table, since, limit: MAX_MOMENTS + 1 });
    if (arrivals.length > MAX_MOMENTS) {
      const minutes = await readArrivedMinutes(this.db, { table: this.table, since });
      const stretches = minutes.map(({ at, rows }) => ({ from: at, to: at + MINUTE_MS, rows }));
      return {
        since,
        moments: [],
        all: true,
        rows: rowsOf(stretches),
        stretches,
        isQuiet: false,
        done: () => this.seen.clear(),
      };
    }
    const fresh = arrivals.filter(({ at, rows }) => this.seen.get(at) !== rows);
    const stretches = fresh.map(({ at, rows }) => ({ from: at, to: at + 1, rows }));
    return {
      since: fresh[0]?.at ?? since,
      moments: fresh.map(({ at }) => at),
      all: false,
      rows: rowsOf(stretches),
      stretches,
      isQuiet: arrivals.length === 0,
      done: () => {
        this.seen = new Map(arrivals.map(({ at, rows }) => [at, rows]));
      },
    };
  }
}

const rowsOf = (stretches: readonly Stretch[]) => stretches.reduce((sum, { rows }) => sum + rows, 0);

/** Joins neighbours as long as they have at most so many rows together. */
export function joinStretches(stretches: readonly Stretch[], rows: number): Stretch[] {
  const joined: Stretch[] = [];
  for (const one of stretches) {
    const last = joined.at(-1);
    if (last && last.rows + one.rows <= rows)
      joined[joined.length - 1] = { from: last.from, to: one.to, rows: last.rows + one.rows };
    else joined.push(one);
  }
  return joined;
}

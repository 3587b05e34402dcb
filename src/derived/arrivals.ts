/** What has been stored in a table since somebody last looked. */
import type { ClickHouse } from '../db/clickhouse';
import { countArrivals, readArrivals } from './queries';

/** More moments than these are not told apart: everything since then is taken as new. */
const MAX_MOMENTS = 5_000;

export interface Fresh {
  /** Milliseconds: nothing older is new. */
  readonly since: number;
  /** The moments of storing at which something is new; meaningless where `all` is set. */
  readonly moments: readonly number[];
  readonly all: boolean;
  /** At most so many rows are new. */
  readonly rows: number;
  /** Nothing at all was stored in the time that was looked at, new or not. */
  readonly isQuiet: boolean;
  /** Remembers all of this as seen. */
  readonly done: () => void;
}

/** Remembers how many rows each recent moment had, so that an overlap is looked at and not done again. */
export class Arrivals {
  private seen = new Map<number, number>();

  constructor(private readonly db: ClickHouse, private readonly table: string) {}

  /** What is new of everything stored from `since` (milliseconds) on. */
  async read(since: number): Promise<Fresh> {
    const arrivals = await readArrivals(this.db, { table: this.table, since, limit: MAX_MOMENTS + 1 });
    if (arrivals.length > MAX_MOMENTS) {
      const [counted] = await countArrivals(this.db, { table: this.table, since });
      return { since, moments: [], all: true, rows: counted?.rows ?? 0, isQuiet: false, done: () => this.seen.clear() };
    }
    const fresh = arrivals.filter(({ at, rows }) => this.seen.get(at) !== rows);
    return {
      since: fresh[0]?.at ?? since,
      moments: fresh.map(({ at }) => at),
      all: false,
      rows: fresh.reduce((sum, { rows }) => sum + rows, 0),
      isQuiet: arrivals.length === 0,
      done: () => {
        this.seen = new Map(arrivals.map(({ at, rows }) => [at, rows]));
      },
    };
  }
}

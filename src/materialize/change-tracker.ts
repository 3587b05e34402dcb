/** What has been stored in the fact tables, found by the time of each insert. */
import type { ClickHouse } from '../db/clickhouse';
import { FACT_TABLES, type FactTable } from './materialization';
import { readInsertMinutes, readInserts, readNewestParts } from './queries';

/**
 * Inserts of a table that are told apart; where there are more, they are known by the minute. Far more than the busiest
 * table gets in the time that is looked at again and again.
 */
const MAX_INSERTS = 50_000;
/** New insert times that are listed; where there are more, everything since the first of them counts as new. */
const MAX_LISTED = 5_000;
const MINUTE_MS = 60_000;
/** ClickHouse's clock never gets there: nothing is read of a table that nobody asked about. */
const NEVER = Date.UTC(2200, 0);

/** Rows stored from one time (milliseconds) until before another; two that meet have nothing between them. */
export interface InsertRange {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/** What is new in one table. */
export interface TableChanges {
  /** Milliseconds: nothing stored earlier is new. 0 at the first look, when everything is. */
  readonly since: number;
  /** The insert times at which something is new; empty where `all` is set. */
  readonly insertTimes: readonly number[];
  /** Everything since then counts as new. */
  readonly all: boolean;
  /** At most so many rows are new. */
  readonly rows: number;
  /** So many of them were taken in before, and are again: their insert has more rows than it had. */
  readonly again: number;
  /** When they were stored, oldest first. */
  readonly ranges: readonly InsertRange[];
}

/** What is new in the sources of a materialization. */
export interface Changes {
  /** ClickHouse's clock, in milliseconds, when this was read: what was visible then and is not listed is not new. */
  readonly until: number;
  /**
   * Up to this receipt time, in milliseconds, everything accepted was in ClickHouse before this was read, and is taken
   * in by the materializations that this one comes after.
   */
  readonly settled: number;
  of(table: FactTable): TableChanges;
}

const NOTHING: TableChanges = { since: 0, insertTimes: [], all: false, rows: 0, again: 0, ranges: [] };
const rowsOf = (ranges: readonly { readonly rows: number }[]) => ranges.reduce((sum, { rows }) => sum + rows, 0);

/** Rows by insert time, of one table. */
export type Inserts = ReadonlyMap<number, number>;

/** All inserts that were visible at one time. */
export class InsertLog {
  constructor(
    readonly until: number,
    private readonly inserts: ReadonlyMap<FactTable, Inserts>,
    /** Tables with too many inserts to list, by the minute. */
    private readonly minutes: ReadonlyMap<FactTable, Inserts>,
    /** Up to this receipt time everything accepted is among them. */
    readonly settled: number,
  ) {}

  /** The same inserts, known to be all until a later time. */
  asOf(until: number, settled: number): InsertLog {
    return new InsertLog(until, this.inserts, this.minutes, settled);
  }

  /** The inserts of a table; undefined where they are too many to tell apart. */
  of(table: FactTable): Inserts | undefined {
    return this.minutes.has(table) ? undefined : (this.inserts.get(table) ?? new Map<number, number>());
  }

  /** Rows stored in a table after `from` and up to `to`, in milliseconds; undefined where it cannot be told. */
  rowsBetween(table: FactTable, from: number, to: number): number | undefined {
    const inserts = this.of(table);
    return inserts && rowsOf([...inserts].filter(([at]) => at > from && at <= to).map(([, rows]) => ({ rows })));
  }

  /** What of a table is not in `seen`, and was stored at `since` or later. */
  changesOf(table: FactTable, seen: Inserts, since: number): TableChanges {
    const inserts = this.of(table);
    if (!inserts) return everything(this.minutes.get(table) as Inserts, since);
    const times = [...inserts.keys()];
    const ranges = [...inserts].flatMap(([at, rows], i) =>
      at >= since && seen.get(at) !== rows ? [{ from: at, to: times[i + 1] ?? at + 1, rows }] : [],
    );
    if (ranges.length === 0) return NOTHING;
    const all = ranges.length > MAX_LISTED;
    return {
      since: since === 0 ? 0 : (ranges[0]?.from as number),
      insertTimes: all ? [] : ranges.map(({ from }) => from),
      all,
      rows: rowsOf(ranges),
      again: ranges.reduce((sum, { from }) => sum + (seen.get(from) ?? 0), 0),
      ranges,
    };
  }
}

function everything(minutes: Inserts, since: number): TableChanges {
  const ranges = [...minutes].map(([at, rows]) => ({ from: at, to: at + MINUTE_MS, rows }));
  return { since, insertTimes: [], all: true, rows: rowsOf(ranges), again: 0, ranges };
}

interface Look {
  readonly newestParts: string;
  readonly since: ReadonlyMap<FactTable, number>;
  readonly log: InsertLog;
}

/** Looks at what has been stored, with one statement for all tables; while nothing is stored, with a cheaper one. */
export class ChangeTracker {
  private lastLook: Look | undefined;

  /**
   * On a cluster no node knows the parts of all others: there every look reads the rows. `settledUpTo` tells up to
   * which receipt time everything accepted is in ClickHouse when it is asked.
   */
  constructor(
    private readonly db: ClickHouse,
    private readonly clustered: boolean,
    private readonly settledUpTo: () => Promise<number>,
  ) {}

  /**
   * Every insert of the tables in `since` at the time given there (milliseconds) or later. `isStored` says that there
   * is something new, so that nobody has to ask whether there is.
   */
  async read(since: ReadonlyMap<FactTable, number>, isStored: boolean): Promise<InsertLog> {
    // Before the rows, which are all there then.
    const settled = await this.settledUpTo();
    if (this.clustered || isStored) return this.readLog(since, settled);
    const last = this.lastLook;
    // Before the rows: what is stored in between is in the log, and is looked for once more.
    const [parts] = await readNewestParts(this.db, { tables: FACT_TABLES });
    const { until, newest_parts: newestParts } = parts as { until: number; newest_parts: string };
    if (last?.newestParts === newestParts && covers(last.since, since)) return last.log.asOf(until, settled);
    const log = await this.readLog(since, settled);
    this.lastLook = { newestParts, since, log };
    return log;
  }

  private async readLog(since: ReadonlyMap<FactTable, number>, settled: number): Promise<InsertLog> {
    const params = Object.fromEntries(FACT_TABLES.map((table) => [`${table}_since`, since.get(table) ?? NEVER]));
    const rows = await readInserts(this.db, { ...params, limit: MAX_INSERTS + 1 });
    const until = rows.find(({ table }) => table === '')?.inserted_at as number;
    const inserts = new Map<FactTable, Map<number, number>>();
    for (const row of rows) {
      if (row.table === '') continue;
      const known = inserts.get(row.table) ?? new Map<number, number>();
      inserts.set(row.table, known.set(row.inserted_at, row.rows));
    }
    const minutes = new Map<FactTable, Inserts>();
    for (const [table, known] of inserts) {
      if (known.size > MAX_INSERTS) minutes.set(table, await this.readMinutes(table, since.get(table) as number));
    }
    return new InsertLog(until, inserts, minutes, settled);
  }

  private async readMinutes(table: FactTable, since: number): Promise<Inserts> {
    const minutes = await readInsertMinutes(this.db, { table, since });
    return new Map(minutes.map(({ inserted_at, rows }) => [inserted_at, rows]));
  }
}

/** Whether a look from `known` on shows all that one from `since` on would. */
function covers(known: ReadonlyMap<FactTable, number>, since: ReadonlyMap<FactTable, number>): boolean {
  return [...since].every(([table, from]) => (known.get(table) ?? Infinity) <= from);
}

/** Joins ranges that meet as long as they have at most `rows` rows together. */
export function joinRanges(ranges: readonly InsertRange[], rows: number): InsertRange[] {
  const joined: InsertRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last?.to === range.from && last.rows + range.rows <= rows)
      joined[joined.length - 1] = { from: last.from, to: range.to, rows: last.rows + range.rows };
    else joined.push(range);
  }
  return joined;
}

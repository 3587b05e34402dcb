/** What has been stored in the fact tables, found by the time of each insert. */
import type { ClickHouse } from '../db/clickhouse';
import { FACT_TABLES, type FactTable } from '../tables/derivations';
import { readInsertMinutes, readInserts, readNewestParts } from './queries';

/**
 * Inserts of a table that are told apart; where there are more, they are known by the minute. Far more than the busiest
 * table gets in the time that is looked at again and again.
 */
const MAX_INSERTS = 50_000;
/** New insert times that are listed; where there are more, everything since the first of them counts as new. */
const MAX_LISTED = 5_000;
const MINUTE_MS = 60_000;

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
  /** At most this many rows are new. */
  readonly rows: number;
  /** How many of them were taken in before, and are again: their insert has more rows than it had. */
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
const sumRows = (ranges: readonly { readonly rows: number }[]) => ranges.reduce((sum, { rows }) => sum + rows, 0);

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

  /** The inserts of a table; undefined where they are too many to tell apart. */
  of(table: FactTable): Inserts | undefined {
    return this.minutes.has(table) ? undefined : (this.inserts.get(table) ?? new Map<number, number>());
  }

  /** Rows stored in a table after `from` and up to `to`, in milliseconds; undefined where it cannot be told. */
  rowsBetween(table: FactTable, from: number, to: number): number | undefined {
    const inserts = this.of(table);
    return inserts && sumRows([...inserts].filter(([at]) => at > from && at <= to).map(([, rows]) => ({ rows })));
  }

  /** What of a table is not in `seen`, and was stored at `since` or later. */
  findChanges(table: FactTable, seen: Inserts, since: number): TableChanges {
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
      rows: sumRows(ranges),
      again: ranges.reduce((sum, { from }) => sum + (seen.get(from) ?? 0), 0),
      ranges,
    };
  }
}

function everything(minutes: Inserts, since: number): TableChanges {
  const ranges = [...minutes].map(([at, rows]) => ({ from: at, to: at + MINUTE_MS, rows }));
  return { since, insertTimes: [], all: true, rows: sumRows(ranges), again: 0, ranges };
}

/** What was found in a table when it had these parts. */
interface Look {
  readonly parts: string | undefined;
  readonly since: number;
  readonly inserts: Inserts;
  /** Where they are too many to tell apart: by the minute. */
  readonly minutes: Inserts | undefined;
}

/** Looks at what has been stored: at the rows of a table only once something was. */
export class ChangeTracker {
  private readonly looks = new Map<FactTable, Look>();

  /**
   * On a cluster no node knows the parts of all others: there every look reads the rows. `settledUpTo` tells up to
   * which receipt time everything accepted is in ClickHouse when it is asked.
   */
  constructor(
    private readonly db: ClickHouse,
    private readonly clustered: boolean,
    private readonly settledUpTo: () => Promise<number>,
  ) {}

  /** Every insert of the tables in `since` at the time given there (milliseconds) or later. */
  async read(since: ReadonlyMap<FactTable, number>): Promise<InsertLog> {
    // Before the rows, which are all there then.
    const settled = await this.settledUpTo();
    // Before the rows: what is stored in between is among them, and is looked for once more.
    const [state] = await readNewestParts(this.db, { tables: FACT_TABLES });
    const { until, newest_parts } = state as NonNullable<typeof state>;
    const parts = new Map(newest_parts);
    const looks = await Promise.all(
      [...since].map(async ([table, from]) => [table, await this.look(table, from, parts.get(table))] as const),
    );
    return new InsertLog(
      until,
      new Map(looks.map(([table, { inserts }]) => [table, inserts])),
      new Map(looks.flatMap(([table, { minutes }]) => (minutes ? [[table, minutes] as const] : []))),
      settled,
    );
  }

  private async look(table: FactTable, since: number, parts: string | undefined): Promise<Look> {
    const last = this.looks.get(table);
    if (!this.clustered && last && last.parts === parts && last.since <= since) return last;
    const inserts = byTime(await readInserts(this.db, { table, since, limit: MAX_INSERTS + 1 }));
    const minutes = inserts.size > MAX_INSERTS ? byTime(await readInsertMinutes(this.db, { table, since })) : undefined;
    const look = { parts, since, inserts, minutes };
    // Minutes are read anew: what they tell depends on when they begin.
    if (minutes) this.looks.delete(table);
    else this.looks.set(table, look);
    return look;
  }
}

const byTime = (rows: readonly { readonly inserted_at: number; readonly rows: number }[]): Inserts =>
  new Map(rows.map(({ inserted_at, rows: stored }) => [inserted_at, stored]));

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

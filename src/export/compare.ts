/** Compares written periods with the rows as they are now, some at a time. */
import type { Queryable } from '../db/postgres';
import { DAY_MS } from '../lib/time';
import { namePeriod, readPeriod, type Period } from './periods';
import * as queries from './scheduled-queries';
import { NOTHING, type Source } from './source';

/** Written periods that are taken up at a time. */
export const COMPARED = 744;
/** One statement compares as many rows as so many parts have, or one period: what it takes has a bound. */
const COMPARED_PARTS = 5;
/** Periods of the last days are compared often, all of them once a day. */
const RECENT_DAYS = 3;

export interface Comparison {
  readonly now: () => number;
  readonly checkSeconds: number;
  readonly partRows: number;
}

/** Some periods, of which one statement says whether their rows are as they were. */
export interface Compared {
  readonly same: readonly queries.ToCheckRow[];
  readonly changed: readonly string[];
}

/** Written periods that are due to be compared, in groups that one statement compares each. */
export async function listToCompare(
  { now, checkSeconds, partRows }: Comparison,
  row: queries.ExportRow,
  db: Queryable,
  { timezone }: Pick<Source, 'timezone'>,
): Promise<queries.ToCheckRow[][]> {
  const at = now();
  const recent = namePeriod(row.every, timezone, at - RECENT_DAYS * DAY_MS);
  const [before, ever] = [new Date(at - checkSeconds * 1_000), new Date(at - DAY_MS)];
  const due = await queries.readToCheck(db, row.id, recent, before, ever, COMPARED);
  return groupByRows(due, COMPARED_PARTS * partRows, ({ period }) => readPeriod(period, timezone));
}

/** Neighbours in groups that have `most` rows at most, unless one has more by itself (pure). */
export function groupByRows<T extends { readonly rows: number }>(
  written: readonly T[],
  most: number,
  find: (one: T) => Pick<Period, 'from' | 'to'>,
): T[][] {
  const groups: T[][] = [];
  let [rows, end] = [0, NaN];
  for (const one of written) {
    const { from, to } = find(one);
    const isNext = from === end && rows + one.rows <= most;
    if (isNext) groups.at(-1)?.push(one);
    else groups.push([one]);
    rows = isNext ? rows + one.rows : one.rows;
    end = to;
  }
  return groups;
}

export async function compare(source: Source, group: readonly queries.ToCheckRow[]): Promise<Compared> {
  const sums = await source.sums(group.map(({ period }) => readPeriod(period, source.timezone)));
  const isSame = ({ period, fingerprint }: queries.ToCheckRow) =>
    (sums.get(period) ?? NOTHING).fingerprint === fingerprint;
  return {
    same: group.filter(isSame),
    changed: group.filter((one) => !isSame(one)).map(({ period }) => period),
  };
}

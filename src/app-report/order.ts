/**
 * The order of rows: by a field, ties by ID, missing values last in both directions (docs/contract/app-report.md;
 * pure).
 */
import { type Decimal, toUnits } from '../lib/decimal';
import type { Figures } from './figures';
import type { SortField, View } from './input';

/** A value to sort by, as an exact fraction; undefined where it is missing. */
type Value = { readonly over: bigint; readonly under: bigint } | undefined;

const toWhole = (value: Decimal | number) => (typeof value === 'number' ? BigInt(value) : toUnits(value));
const whole = (value: Decimal | number = 0): Value => ({ over: toWhole(value), under: 1n });
function ratio<T extends Decimal | number>(over: T, under: T): Value {
  const divisor = toWhole(under);
  return divisor === 0n ? undefined : { over: toWhole(over), under: divisor };
}

/** How many sign-ups are counted against: installs, or reinstalls and re-engagements. */
export const countStarts = ({ counts }: Figures, view: View): number =>
  view === 'retargeting' ? (counts.reinstalls ?? 0) + (counts.reengagements ?? 0) : (counts.installs ?? 0);

/** Ad networks count the clicks of their own campaigns themselves, unless those lead to the web. */
export const countClicks = (figures: Figures, isNetworks: boolean): number =>
  (isNetworks ? figures.reported : figures.tracked).clicks;

export interface Sortable {
  readonly figures: Figures;
  /** Whether an ad network counts its clicks. */
  readonly isNetworks: boolean;
  /** Milliseconds; undefined for what has no such time. */
  readonly createdAt?: number;
}

function sortValue({ figures, isNetworks, createdAt }: Sortable, field: SortField, view: View): Value {
  const { counts } = figures;
  switch (field) {
    case 'clicks':
      return whole(countClicks(figures, isNetworks));
    case 'installs':
      return whole(view === 'retargeting' ? 0 : counts.installs);
    case 'signups':
      return whole(counts.signups);
    case 'revenue':
      return whole(figures.revenue);
    case 'spend':
      return whole(figures.spend);
    case 'created_at':
      return createdAt === undefined ? undefined : whole(createdAt);
    case 'uninstalls':
      return whole(counts.uninstalls);
    // Where nothing has begun it is 0.00%, and not missing.
    case 'conversion':
      return ratio(counts.signups ?? 0, countStarts(figures, view)) ?? whole(0);
    case 'suspicious_installs':
      return whole(counts.suspicious);
    case 'roas':
      return ratio(figures.revenue, figures.spend);
  }
}

/** Rows in order. `tie` compares the IDs of two rows whose values are equal. Divisors are never below zero. */
export function sorted<T extends Sortable>(
  rows: readonly T[],
  by: { readonly field: SortField; readonly view: View; readonly ascending: boolean },
  tie: (a: T, b: T) => number,
): T[] {
  const keyed = rows.map((row) => ({ row, value: sortValue(row, by.field, by.view) }));
  keyed.sort((a, b) => {
    if (!a.value || !b.value) return a.value ? -1 : b.value ? 1 : tie(a.row, b.row);
    const difference = a.value.over * b.value.under - b.value.over * a.value.under;
    if (difference === 0n) return tie(a.row, b.row);
    return difference < 0n === by.ascending ? -1 : 1;
  });
  return keyed.map(({ row }) => row);
}

/** Byte order of two texts. */
export const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

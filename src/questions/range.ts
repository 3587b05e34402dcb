/** Ranges that move with the day (docs/contract/boards.md), and what they are compared with. */
import { addMonths } from 'date-fns/addMonths';
import { addYears } from 'date-fns/addYears';
import { endOfMonth } from 'date-fns/endOfMonth';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import { subDays } from 'date-fns/subDays';
import type { Range } from './query-input';

/** Before the product, and longer than anybody keeps data. */
const EVER = '2000-01-01';

export const RANGES = [
  'today',
  'yesterday',
  'last_7_days',
  'last_28_days',
  'last_30_days',
  'last_90_days',
  'last_12_months',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'this_year',
  'all_time',
] as const;
export type RangeName = (typeof RANGES)[number];

/** A day as date-fns has it: noon of the process's own zone, which no change of clocks moves to another day. */
const parse = (day: string) => new Date(`${day}T12:00:00`);
const write = (date: Date) =>
  [String(date.getFullYear()).padStart(4, '0'), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The days of a range, first and last included, if today is `today`. Weeks begin on Monday. */
export function resolveRange(range: RangeName, today: string): Range {
  const end = parse(today);
  const since = (from: Date): Range => ({ from: write(from), to: today });
  switch (range) {
    case 'today':
      return since(end);
    case 'yesterday':
      return { from: write(subDays(end, 1)), to: write(subDays(end, 1)) };
    case 'last_7_days':
      return since(subDays(end, 6));
    case 'last_28_days':
      return since(subDays(end, 27));
    case 'last_30_days':
      return since(subDays(end, 29));
    case 'last_90_days':
      return since(subDays(end, 89));
    case 'last_12_months':
      return since(subDays(addYears(end, -1), -1));
    case 'this_week':
      return since(startOfISOWeek(end));
    case 'last_week': {
      const monday = startOfISOWeek(end);
      return { from: write(subDays(monday, 7)), to: write(subDays(monday, 1)) };
    }
    case 'this_month':
      return since(startOfMonth(end));
    case 'last_month': {
      const before = addMonths(startOfMonth(end), -1);
      return { from: write(before), to: write(endOfMonth(before)) };
    }
    case 'this_quarter':
      return since(startOfQuarter(end));
    case 'this_year':
      return since(startOfYear(end));
    case 'all_time':
      return { from: EVER, to: today };
  }
}

/**
 * The period before a range that has a calendar's name: the same days of the week, month, quarter or year before (of
 * the 31st, the last day of that month). Undefined for ranges of so many days, whose period before is as many days.
 */
export function resolvePeriodBefore(range: RangeName, today: string): Range | undefined {
  const { from, to } = resolveRange(range, today);
  const [start, end] = [parse(from), parse(to)];
  const moved = (move: (date: Date) => Date): Range => ({ from: write(move(start)), to: write(move(end)) });
  switch (range) {
    case 'this_week':
      return moved((date) => subDays(date, 7));
    case 'this_month':
      return moved((date) => addMonths(date, -1));
    case 'this_quarter':
      return moved((date) => addMonths(date, -3));
    case 'this_year':
      return moved((date) => addYears(date, -1));
    case 'last_month':
      return { from: write(addMonths(start, -1)), to: write(subDays(start, 1)) };
    default:
      return undefined;
  }
}

/**
 * Rows of a report as cohorts with cells. An install counts for day N once its day N has ended, as in the
 * app report (docs/contract/app-report.md), so a cell counts all installs of its cohort, some of them, or none.
 */
import dayjs from 'dayjs';
import type { Question, Report } from '../../api/queries';
import type { Period } from '../../period';
import type { Filter } from '../../search';

export type Unit = 'day' | 'week' | 'month';
export type Definition = 'classic_retention' | 'retention' | 'rolling_retention';
export type Horizon = 'd14' | 'd30' | 'd90';

/** The days since the install that have a column. A question takes twenty metrics. */
export const COLUMNS: Readonly<Record<Horizon, readonly number[]>> = {
  d14: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  d30: [1, 2, 3, 4, 5, 6, 7, 10, 14, 18, 21, 25, 28, 30],
  d90: [1, 3, 5, 7, 10, 14, 21, 28, 30, 45, 60, 75, 90],
};

export interface Cell {
  readonly day: number;
  readonly value: number | null;
  /** `open`: the day has not ended for any install; `partial`: it has for some, and those count. */
  readonly state: 'full' | 'partial' | 'open';
  /** The last day whose installs count. */
  readonly until: string;
  /** How many installs count; undefined while that is not known. */
  readonly counted: number | undefined;
}

export interface Cohort {
  readonly id: string;
  /** Its days within the period, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly size: number;
  readonly cells: readonly Cell[];
}

interface Asked {
  readonly unit: Unit;
  readonly definition: Definition;
  readonly days: readonly number[];
  readonly period: Period;
  readonly filters: Filter[] | undefined;
}

export function triangleQuestion({ unit, definition, days, period: { from, to }, filters = [] }: Asked): Question {
  return {
    source: 'app',
    metrics: ['installs', ...days.map((day) => `${definition}_d${day}`)],
    dimensions: [`install_${unit}`],
    filters,
    from,
    to,
    order_by: [[`install_${unit}`, 'asc']],
    include: ['organic', 'totals'],
  };
}

/** Installs by day: how many of a cohort have reached the end of a day. */
export const sizesQuestion = ({ period: { from, to }, filters = [] }: Asked): Question => ({
  source: 'app',
  metrics: ['installs'],
  dimensions: ['install_day'],
  filters,
  from,
  to,
  order_by: [['install_day', 'asc']],
  include: ['organic'],
});

/** What an answer is about, by the question that it repeats. */
export function readAsked({ query }: Report): Pick<Asked, 'unit' | 'days'> {
  const { dimensions, metrics } = query as unknown as { dimensions: string[]; metrics: string[] };
  return {
    unit: dimensions[0]?.replace('install_', '') as Unit,
    days: metrics.slice(1).map((metric) => Number(/\d+$/.exec(metric)?.[0])),
  };
}

const text = (day: dayjs.Dayjs) => day.format('YYYY-MM-DD');

/** The days of a cohort, as far as they are in the period. */
function cohortRange(unit: Unit, id: string, { from, to }: Period): [from: string, to: string] {
  const start = dayjs(unit === 'month' ? `${id}-01` : id);
  const last = text(unit === 'day' ? start : unit === 'week' ? start.add(6, 'day') : start.endOf('month'));
  const first = text(start);
  return [first > from ? first : from, last < to ? last : to];
}

/** The last day whose installs count for day N, from what the answer says of the greatest N asked for. */
const matureUntil = (report: Report, days: readonly number[], day: number): string =>
  text(dayjs(report.meta.cohorts_mature_until).add(Math.max(...days) - day, 'day'));

export function buildCohorts(report: Report, sizes: Report | undefined, { unit, days, period }: Asked): Cohort[] {
  const daily = (sizes?.results ?? []).map(({ dimensions, metrics }) => ({
    day: dimensions[0] as string,
    installs: metrics[0] ?? 0,
  }));
  return report.results.map(({ dimensions, metrics }) => {
    const id = dimensions[0] as string;
    const [from, to] = cohortRange(unit, id, period);
    const cells = days.map((day, at): Cell => {
      const until = matureUntil(report, days, day);
      const state = until >= to ? 'full' : until >= from ? 'partial' : 'open';
      const counting = daily.filter((one) => one.day >= from && one.day <= (until < to ? until : to));
      const counted = sizes && counting.reduce((sum, { installs }) => sum + installs, 0);
      return { day, value: metrics[at + 1] ?? null, state, until, counted };
    });
    return { id, from, to, size: metrics[0] ?? 0, cells };
  });
}

/** The greatest value of a table: the fullest colour. */
export const findGreatest = (cohorts: readonly Cohort[]): number =>
  Math.max(0, ...cohorts.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)));

/** The answer to a question of a board as a chart, a table or figures. */
import dayjs from 'dayjs';
import type { Report } from '../../api/queries';
import type { Shown } from '../../api/boards';
import { drawOverTime, drawRows, readAsked, type Asked, type Drawing } from '../chart/answers';
import { chooseAxes } from '../chart/axes';
import { hourIn, listBuckets, todayIn, type Granularity, type Range } from '../../period';
import { findOpen } from '../../series';
import { metricText } from '../../texts';

/** The most lines of a chart: more are not told apart. */
const MAX_SERIES = 8;
/** Days from which on a curve begins with its first figures. */
const LONG = 400;

export interface DrawnAnswer extends Drawing {
  /** How many series there are; not all of them are drawn. */
  readonly all: number;
  /** Over time: how far apart the labels are, which days they are of, and the first that is not over. */
  readonly granularity?: Granularity;
  readonly range?: Range;
  readonly openFrom?: number | undefined;
}

/** How an answer can be shown: a chart needs rows, and figures stand alone. */
export function chooseChart(chart: NonNullable<Shown['chart']>, { dimensions }: Asked): NonNullable<Shown['chart']> {
  if (chart === 'table') return 'table';
  if (dimensions.length === 0) return 'number';
  return chart === 'number' ? 'table' : chart;
}

const GRANULARITIES: Readonly<Record<string, Granularity>> = {
  ...{ day: 'day', week: 'week', month: 'month', hour: 'hour' },
  ...{ install_day: 'day', install_week: 'week', install_month: 'month' },
};
/** Which dimension of an answer is drawn as time; below 0 where none is. */
export const findTime = ({ dimensions }: Pick<Asked, 'dimensions'>) =>
  dimensions.findIndex((one) => GRANULARITIES[one] !== undefined);

/** Whether the last day of an answer was not over. */
export const isOpen = ({ to }: Range, timezone: string) => to >= todayIn(timezone);

/** The days of an answer as charts and changes have them. */
export function readDays(asked: Asked, timezone: string, firstDay: string | null) {
  const { from, to, compare } = asked;
  return {
    ...{ from, to, earlier: compare, isOpen: isOpen(asked, timezone) },
    days: dayjs(to).diff(from, 'day') + 1,
    lacksEarlier: compare !== undefined && firstDay !== null && compare.from < firstDay,
  };
}

/** A range of many years is drawn from its first figures on. */
function shorten({ results }: Report, { from, to }: Range, time: number): Range {
  if (dayjs(to).diff(from, 'day') <= LONG) return { from, to };
  const first = results.map(({ dimensions }) => dimensions[time] as string).reduce((a, b) => (a < b ? a : b), to);
  return { from: first.length === 7 ? `${first}-01` : first.slice(0, 10), to };
}

/**
 * @param earlier the answer for the range that it is compared with, where that has one of its own
 * @param firstDay the first day of the project, where it is known
 */
export function draw(report: Report, earlier: Report | null, timezone: string, firstDay: string | null): DrawnAnswer {
  const asked = readAsked(report);
  const { metrics, dimensions, compare } = asked;
  const time = findTime(asked);
  const axes = chooseAxes(
    dimensions.length > 1 && time >= 0 ? metrics.slice(0, 1) : metrics,
    undefined,
    (one) => metricText(one).kind,
  );
  if (time < 0) {
    const rows = drawRows(report, axes);
    return { ...rows, all: rows.series.length };
  }
  const granularity = GRANULARITIES[dimensions[time] as string] as Granularity;
  const range = shorten(report, asked, time);
  const now = { today: todayIn(timezone), hour: hourIn(timezone) };
  const openFrom = isOpen(range, timezone) ? findOpen(listBuckets(range, granularity), granularity, now) : undefined;
  const drawn = drawOverTime(report, axes, {
    ...{ time, granularity, range, openFrom },
    ...(firstDay !== null && { firstDay }),
    earlier: compare && { range: compare, ...(earlier && { report: earlier }) },
  });
  return {
    ...drawn,
    series: drawn.series.slice(0, MAX_SERIES),
    all: drawn.series.length,
    ...{ granularity, range, openFrom },
  };
}

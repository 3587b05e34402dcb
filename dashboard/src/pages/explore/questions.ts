/** What the explore page asks: its view as questions to the service. */
import { isTime } from '../../drill';
import type { Question, Report } from '../../api/queries';
import type { Period, Range } from '../../period';
import type { Static } from '../../search';
import type { exploreSearch, GRAINS } from './search';

export type View = Static<typeof exploreSearch>;
export type Grain = Exclude<(typeof GRAINS)[number], 'auto'>;

const STANDARD = {
  app: { metrics: ['installs', 'signups', 'revenue', 'spend', 'roas'], by: ['campaign'] },
  web: { metrics: ['visitors', 'sessions', 'signups', 'revenue'], by: ['channel'] },
};
/** Rows of the table; a file has all. */
export const ROWS = 500;
/** Cells of a pivot table, and the most columns of it. */
export const CELLS = 5000;
export const PIVOT_COLUMNS = 30;
/** Lines of a chart over time. */
export const LINES = 6;
const POINTS = 10_000;

export const readMetrics = ({ source, metrics }: View): readonly string[] =>
  metrics && metrics.length > 0 ? metrics : STANDARD[source].metrics;
export const readDimensions = ({ source, by }: View): readonly string[] => by ?? STANDARD[source].by;
/** The metric that is shown where there is room for one. */
export function readMetric(view: View): string {
  const metrics = readMetrics(view);
  return metrics.find((one) => one === view.metric) ?? (metrics[0] as string);
}

const common = (view: View, { from, to }: Range) => ({
  source: view.source,
  ...(view.source === 'app' && view.view !== 'user_acquisition' && { view: view.view }),
  ...(view.source === 'web' && view.model !== 'last_touch' && { model: view.model }),
  ...(view.filters && { filters: view.filters }),
  from,
  to,
});
/** In force unless `include` is sent without it. */
const organic = ({ source, paid }: View): ('organic' | 'totals')[] => (source === 'app' && !paid ? ['organic'] : []);

/** The order of the rows: as the URL says it, if the rows have that. */
export function readSort(view: View): string {
  const [metrics, by] = [readMetrics(view), readDimensions(view)];
  const known = [...metrics, ...by];
  if (view.sort !== undefined && known.includes(view.sort.replace(/^-/, ''))) return view.sort;
  return by.find(isTime) ?? `-${metrics[0]}`;
}
const orderBy = (sort: string): [string, 'asc' | 'desc'] => [
  sort.replace(/^-/, ''),
  sort.startsWith('-') ? 'desc' : 'asc',
];

/** The rows of the table with their totals. */
export const tableQuestion = (view: View, period: Period): Question => ({
  ...common(view, period),
  metrics: [...readMetrics(view)],
  dimensions: [...readDimensions(view)],
  ...period.comparison,
  order_by: [orderBy(readSort(view))],
  include: [...organic(view), 'totals'],
  limit: ROWS,
});

const HOURS_UP_TO = 2;
const DAYS_UP_TO = 92;
const WEEKS_UP_TO = 731;
/** How fine a chart over time is, unless it is chosen: hours of few days, months of years. */
export function chooseGrain(days: number, given: View['grain']): Grain {
  if (given !== 'auto') return given;
  if (days <= HOURS_UP_TO) return 'hour';
  if (days <= DAYS_UP_TO) return 'day';
  return days <= WEEKS_UP_TO ? 'week' : 'month';
}

/** The dimension whose values are lines of a chart over time: the first that is no time. */
export const lineDimension = (view: View): string | undefined => readDimensions(view).find((one) => !isTime(one));

/** The values of the lines: those of the first rows of the table, each once. */
export function chooseLines(view: View, rows: Report['results'] | undefined): string[] | undefined {
  const at = readDimensions(view).indexOf(lineDimension(view) ?? '');
  return rows && [...new Set(rows.map(({ dimensions }) => dimensions[at] ?? ''))].slice(0, LINES);
}

/**
 * All metrics over time, or one of them by the values of a dimension; undefined while these are not known.
 *
 * @param lines those of `chooseLines`, where the rows have a dimension that is no time
 * @param range the days, where they are not those of the period: as fine as the period is
 */
export function curveQuestion(
  view: View,
  period: Period,
  lines: readonly string[] | undefined,
  range: Range = period,
): Question | undefined {
  const dimension = lineDimension(view);
  const grain = chooseGrain(period.days, view.grain);
  const asked = common(view, range);
  if (dimension === undefined)
    return {
      ...asked,
      metrics: [...readMetrics(view)],
      dimensions: [grain],
      order_by: [[grain, 'asc']],
      include: organic(view),
      limit: POINTS,
    };
  if (!lines || lines.length === 0) return undefined;
  return {
    ...asked,
    metrics: [readMetric(view)],
    dimensions: [grain, dimension],
    filters: [...(view.filters ?? []), ['is', dimension, [...lines]]],
    order_by: [[grain, 'asc']],
    include: organic(view),
    limit: POINTS,
  };
}

/** The cells of a pivot table, the totals of its rows and those of its columns: nobody counts twice in them. */
export function pivotQuestions(view: View, period: Period) {
  const by = readDimensions(view);
  const metrics = [readMetric(view)];
  const last = by.at(-1) as string;
  const asked = { ...common(view, period), metrics, include: organic(view) };
  const order = (dimensions: readonly string[]): Question['order_by'] => {
    const time = dimensions.find(isTime);
    return [time === undefined ? [metrics[0] as string, 'desc'] : [time, 'asc']];
  };
  const rows = by.slice(0, -1);
  return {
    cells: { ...asked, dimensions: [...by], limit: CELLS } as Question,
    rows: {
      ...asked,
      dimensions: [...rows],
      order_by: order(rows),
      include: [...asked.include, 'totals'],
      limit: ROWS,
    } as Question,
    columns: { ...asked, dimensions: [last], order_by: order([last]), limit: PIVOT_COLUMNS } as Question,
  };
}

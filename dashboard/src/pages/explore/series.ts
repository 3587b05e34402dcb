/** An answer as the lines, bars or areas of a chart. */
import dayjs from 'dayjs';
import type { Question, Report } from '../../api/queries';
import type { MixedSeries } from '../../components/chart/mixed-series';
import type { Formats } from '../../format';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { isTime, type Source } from '../../drill';
import { listSteps, stepName } from '../../steps';
import { metricText } from '../../texts';
import type { Axes } from './axes';
import { BARS, type Grain } from './questions';

/** What pressing a label of the chart leads to: its days, or a filter. */
export interface Point {
  readonly from?: string;
  readonly to?: string;
  readonly filter?: readonly [dimension: string, value: string];
}

export interface Drawing {
  readonly labels: readonly string[];
  readonly series: readonly MixedSeries[];
  readonly points: readonly Point[];
  /** Over time: the steps, as answers have them. */
  readonly steps?: readonly string[];
  /** The value of a dimension that a line is of, by its name. */
  readonly lines?: ReadonlyMap<string, string>;
}

interface Asked {
  readonly source: Source;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
}
const readQuestion = ({ query }: Report) => query as unknown as Asked;
/** What has no row had nothing: that is zero of what can be counted, and no value of a ratio. */
const nothing = (metric: string) => (['count', 'money'].includes(metricText(metric).kind) ? 0 : null);

/** A series for each metric that is on an axis. */
const drawMetrics = (
  metrics: readonly string[],
  { left, right }: Axes,
  values: (at: number) => Pick<MixedSeries, 'values' | 'before'>,
): MixedSeries[] =>
  metrics.flatMap((metric, at): MixedSeries[] => {
    if (!left.includes(metric) && !right.includes(metric)) return [];
    const { label, kind } = metricText(metric);
    return [{ name: label, kind, axis: right.includes(metric) ? 'right' : 'left', ...values(at) }];
  });

/** The first rows beside each other. */
export function drawRows(report: Report, axes: Axes): Drawing {
  const { source, metrics, dimensions } = readQuestion(report);
  const question: Pick<Question, 'source' | 'dimensions'> = { source, dimensions: [...dimensions] };
  const rows = report.results.slice(0, BARS);
  const values = (which: 'metrics' | 'comparison', at: number) => rows.map((row) => row[which]?.[at] ?? null);
  const filtered = dimensions.findIndex((one) => !isTime(one));
  return {
    labels: rows.map((row) => dimensions.map((_, at) => rowName(question, row, at)).join(' · ')),
    series: drawMetrics(metrics, axes, (at) => ({
      values: values('metrics', at),
      ...(rows.some((row) => row.comparison) && { before: values('comparison', at) }),
    })),
    points: rows.map((row) =>
      filtered < 0 ? {} : { filter: [dimensions[filtered] as string, row.dimensions[filtered] ?? ''] },
    ),
  };
}

/** The days of a step that are in the period. */
export function stepRange(step: string, grain: Grain, period: Pick<Period, 'from' | 'to'>) {
  const first = dayjs(grain === 'month' ? `${step}-01` : step.slice(0, 10));
  const last = grain === 'hour' ? first : first.add(1, grain).subtract(1, 'day');
  const text = (day: dayjs.Dayjs) => day.format('YYYY-MM-DD');
  return {
    from: text(first) < period.from ? period.from : text(first),
    to: text(last) > period.to ? period.to : text(last),
  };
}

/** Figures over time: all of them, or one for each value of the second dimension. */
export function drawCurve(
  report: Report,
  period: Period,
  grain: Grain,
  axes: Axes,
  formats: Pick<Formats, 'shortDay'>,
): Drawing {
  const { source, metrics, dimensions } = readQuestion(report);
  const steps = listSteps(period, grain);
  const common = {
    steps,
    labels: steps.map((step) => stepName(step, grain, formats)),
    points: steps.map((step) => stepRange(step, grain, period)),
  };
  const [, by] = dimensions;
  if (by === undefined) {
    const rows = new Map(report.results.map((row) => [row.dimensions[0], row]));
    const values = (which: 'metrics' | 'comparison', at: number) =>
      steps.map((step) => rows.get(step)?.[which]?.[at] ?? nothing(metrics[at] ?? ''));
    return {
      ...common,
      series: drawMetrics(metrics, axes, (at) => ({
        values: values('metrics', at),
        ...(report.results.some((row) => row.comparison) && { before: values('comparison', at) }),
      })),
    };
  }
  const [metric = ''] = metrics;
  const found = new Map(report.results.map((row) => [row.dimensions.join('\n'), row.metrics[0] ?? null]));
  const question: Pick<Question, 'source' | 'dimensions'> = { source, dimensions: [...dimensions] };
  const names = new Map(report.results.map((row) => [row.dimensions[1] ?? '', rowName(question, row, 1)]));
  return {
    ...common,
    lines: new Map([...names].map(([value, name]) => [name, value])),
    series: [...names].map(([value, name]) => ({
      name,
      entity: value,
      kind: metricText(metric).kind,
      axis: 'left',
      values: steps.map((step) => {
        const one = found.get(`${step}\n${value}`);
        return one === undefined ? nothing(metric) : one;
      }),
    })),
  };
}

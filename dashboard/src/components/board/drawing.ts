/** The answer to a question of a board as a chart, a table or figures. */
import dayjs from 'dayjs';
import type { Report, ReportRow } from '../../api/queries';
import type { Shown } from '../../api/boards';
import type { MixedSeries } from '../chart/mixed-series';
import { isTime, type Source } from '../../drill';
import type { Formats } from '../../format';
import { rowName } from '../../names';
import { hourIn, todayIn } from '../../period';
import { findOpen } from '../../series';
import { listSteps, stepName, type Grain } from '../../steps';
import { metricText } from '../../texts';

/** The most lines of a chart: more are not told apart. */
const MAX_SERIES = 8;
/** Days from which on a curve begins with its first figures. */
const LONG = 400;
/** The most bars beside each other. */
const MAX_BARS = 20;

export interface Asked {
  readonly source: Source;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly compare?: { readonly from: string; readonly to: string };
}
/** The question as the service has understood it. */
export const readAsked = ({ query }: Pick<Report, 'query'>) => query as unknown as Asked;

export interface Drawing {
  readonly labels: readonly string[];
  readonly series: readonly MixedSeries[];
  /** How many series there are; not all of them are drawn. */
  readonly all: number;
  /** Whether the labels are times. */
  readonly isOverTime: boolean;
  /** The times, as answers have them, and how far apart they are. */
  readonly steps?: readonly string[];
  readonly grain?: Grain;
  /** The first of what is not over. */
  readonly openFrom?: number | undefined;
}

/** How an answer can be shown: a chart needs rows, and figures stand alone. */
export function chooseChart(chart: NonNullable<Shown['chart']>, { dimensions }: Asked): NonNullable<Shown['chart']> {
  if (chart === 'table') return 'table';
  if (dimensions.length === 0) return 'number';
  return chart === 'number' ? 'table' : chart;
}

const GRAINS: Readonly<Record<string, Grain>> = {
  ...{ day: 'day', week: 'week', month: 'month', hour: 'hour' },
  ...{ install_day: 'day', install_week: 'week', install_month: 'month' },
};

/** What has no row had nothing: that is zero of what can be counted, and no value of a ratio. */
const nothing = (metric: string) => (['count', 'money'].includes(metricText(metric).kind) ? 0 : null);

/** A series for each metric; what is written otherwise than the first stands on the right axis. */
function drawMetrics(metrics: readonly string[], values: (at: number) => Pick<MixedSeries, 'values' | 'before'>) {
  const first = metricText(metrics[0] ?? '').kind;
  return metrics.map((metric, at): MixedSeries => {
    const { label, kind } = metricText(metric);
    return { name: label, kind, axis: kind === first ? 'left' : 'right', ...values(at) };
  });
}

export function draw(report: Report, formats: Formats): Drawing {
  const asked = readAsked(report);
  const at = asked.dimensions.findIndex((one) => GRAINS[one] !== undefined);
  return at < 0 ? drawRows(report, asked) : drawCurve(report, asked, at, formats);
}

function drawRows({ results }: Report, asked: Asked): Drawing {
  const rows = results.slice(0, MAX_BARS);
  const question = { source: asked.source, dimensions: [...asked.dimensions] };
  const values = (which: 'metrics' | 'comparison', at: number) => rows.map((row) => row[which]?.[at] ?? null);
  const series = drawMetrics(asked.metrics, (at) => ({
    values: values('metrics', at),
    ...(rows.some(({ comparison }) => comparison) && { before: values('comparison', at) }),
  }));
  const labels = rows.map((row) => asked.dimensions.map((_, at) => rowName(question, row, at)).join(' · '));
  return { labels, series, all: series.length, isOverTime: false };
}

function drawCurve({ results }: Report, asked: Asked, time: number, formats: Formats): Drawing {
  const grain = GRAINS[asked.dimensions[time] as string] as Grain;
  const readStep = (row: ReportRow) => row.dimensions[time] as string;
  // A range of many years is drawn from its first figures on.
  const first = results.map(readStep).reduce((a, b) => (a < b ? a : b), asked.to);
  const isLong = dayjs(asked.to).diff(asked.from, 'day') > LONG;
  const from = isLong ? (first.length === 7 ? `${first}-01` : first.slice(0, 10)) : asked.from;
  const steps = listSteps({ from, to: asked.to }, grain);
  const { timezone } = formats;
  const openFrom = findOpen(steps, grain, { today: todayIn(timezone), hour: hourIn(timezone) });
  const labels = steps.map((step) => stepName(step, grain, formats));
  const common = { labels, isOverTime: true, steps, grain, openFrom };
  if (asked.dimensions.length === 1) {
    const rows = new Map(results.map((row) => [readStep(row), row]));
    const values = (which: 'metrics' | 'comparison', at: number) =>
      steps.map((step) => rows.get(step)?.[which]?.[at] ?? nothing(asked.metrics[at] ?? ''));
    const series = drawMetrics(asked.metrics, (at) => ({
      values: values('metrics', at),
      ...(results.some(({ comparison }) => comparison) && { before: values('comparison', at) }),
    }));
    return { ...common, series, all: series.length };
  }
  const series = drawLines(results, asked, time, steps);
  return { ...common, series: series.slice(0, MAX_SERIES), all: series.length };
}

/** A line for each value of the other dimensions, the largest first, of the first metric. */
function drawLines(results: readonly ReportRow[], asked: Asked, time: number, steps: readonly string[]) {
  const question = { source: asked.source, dimensions: [...asked.dimensions] };
  const [metric = ''] = asked.metrics;
  const lines = new Map<string, { sum: number; entity: string; values: Map<string, number | null> }>();
  for (const row of results) {
    const others = asked.dimensions.map((_, at) => at).filter((at) => at !== time);
    const name = others.map((at) => rowName(question, row, at)).join(' · ');
    const entity = others.map((at) => row.dimensions[at]).join(' · ');
    const line = lines.get(name) ?? { sum: 0, entity, values: new Map<string, number | null>() };
    const value = row.metrics[0] ?? null;
    line.values.set(row.dimensions[time] as string, value);
    lines.set(name, { ...line, sum: line.sum + (value ?? 0) });
  }
  return [...lines]
    .sort(([, a], [, b]) => b.sum - a.sum)
    .map(([name, { entity, values }]): MixedSeries => ({
      name,
      entity,
      kind: metricText(metric).kind,
      axis: 'left',
      values: steps.map((step) => (values.has(step) ? (values.get(step) as number | null) : nothing(metric))),
    }));
}

/** Whether a dimension of the answer is a time, by which tables stay in their order. */
export const hasTime = ({ dimensions }: Asked) => dimensions.some(isTime);

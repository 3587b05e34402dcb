/** The answer to a question as a MixedChart draws it: rows beside each other, or figures over time. */
import type { Report, ReportRow } from '../../api/queries';
import { isTime, type Source } from '../../drill';
import { rowName } from '../../names';
import { listBuckets, type Granularity, type Range } from '../../period';
import { fillUp } from '../../series';
import { metricText } from '../../texts';
import type { Axes } from './axes';
import type { MixedSeries } from './mixed-series';

/** The most bars beside each other. */
export const BARS = 20;

export interface Asked extends Range {
  readonly source: Source;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly compare?: Range;
}
/** The question as the service has understood it. */
export const readAsked = ({ query }: Pick<Report, 'query'>) => query as unknown as Asked;

/** What the value of a dimension is, for a filter. */
export type Value = readonly [dimension: string, value: string];

export interface Drawing {
  /** Names of rows, or buckets as answers have them; empty where only the comparison has one. */
  readonly labels: readonly string[];
  readonly series: readonly MixedSeries[];
  /** What a label is, of rows, or what a series is, over time. */
  readonly values: readonly (Value | undefined)[];
}

/** What has no row had nothing: that is zero of what can be counted, and no value of a ratio. */
const nothing = (metric: string) => (['count', 'money'].includes(metricText(metric).kind) ? 0 : null);

type Lists = Pick<MixedSeries, 'values' | 'before'>;

/** A series for each metric that is on an axis. */
const drawMetrics = (metrics: readonly string[], { left, right }: Axes, lists: (at: number) => Lists): MixedSeries[] =>
  metrics.flatMap((metric, at): MixedSeries[] => {
    if (!left.includes(metric) && !right.includes(metric)) return [];
    const { label, kind } = metricText(metric);
    return [{ name: label, kind, axis: right.includes(metric) ? 'right' : 'left', ...lists(at) }];
  });

/** The first rows beside each other. */
export function drawRows(report: Report, axes: Axes): Drawing {
  const asked = readAsked(report);
  const { metrics, dimensions } = asked;
  const question = { source: asked.source, dimensions: [...dimensions] };
  const rows = report.results.slice(0, BARS);
  const list = (which: 'metrics' | 'comparison', at: number) => rows.map((row) => row[which]?.[at] ?? null);
  const filtered = dimensions.findIndex((one) => !isTime(one));
  return {
    labels: rows.map((row) => dimensions.map((_, at) => rowName(question, row, at)).join(' · ')),
    series: drawMetrics(metrics, axes, (at) => ({
      values: list('metrics', at),
      ...(rows.some(({ comparison }) => comparison) && { before: list('comparison', at) }),
    })),
    values: rows.map(({ dimensions: own }) =>
      filtered < 0 ? undefined : [dimensions[filtered] as string, own[filtered] ?? ''],
    ),
  };
}

interface Line {
  readonly name: string;
  readonly key: string;
  readonly value: Value | undefined;
  readonly rows: ReadonlyMap<string, ReportRow>;
  readonly sum: number;
}

/** The rows of each value of the dimensions that are no time, by bucket; the largest first. */
function collectLines({ results, query }: Pick<Report, 'results' | 'query'>, time: number): Line[] {
  const asked = readAsked({ query });
  const question = { source: asked.source, dimensions: [...asked.dimensions] };
  const others = asked.dimensions.map((_, at) => at).filter((at) => at !== time);
  const lines = new Map<string, Line & { rows: Map<string, ReportRow> }>();
  for (const row of results) {
    const key = others.map((at) => row.dimensions[at]).join(' · ');
    const [first] = others;
    const line = lines.get(key) ?? {
      key,
      name: others.map((at) => rowName(question, row, at)).join(' · '),
      value:
        first === undefined ? undefined : ([asked.dimensions[first] as string, row.dimensions[first] ?? ''] as const),
      rows: new Map<string, ReportRow>(),
      sum: 0,
    };
    line.rows.set(row.dimensions[time] as string, row);
    lines.set(key, { ...line, sum: line.sum + (row.metrics[0] ?? 0) });
  }
  return [...lines.values()].sort((a, b) => b.sum - a.sum);
}

export interface OverTime {
  /** Which dimension is the time. */
  readonly time: number;
  readonly granularity: Granularity;
  readonly range: Range;
  /** The first bucket that is not over: what comes after it has no figures yet. */
  readonly openFrom: number | undefined;
  /** The range before, with its own answer where it has one; else rows say what they compare with. */
  readonly earlier?: { readonly range: Range; readonly report?: Report | undefined } | undefined;
  /** The first day of the project: before it, nothing is known. */
  readonly firstDay?: string | undefined;
}

/** Figures over time: all of them, or the first one for each value of the other dimensions. */
export function drawOverTime(report: Report, axes: Axes, over: OverTime): Drawing {
  const { time, granularity, range, openFrom, earlier, firstDay } = over;
  const { metrics, dimensions } = readAsked(report);
  const buckets = listBuckets(range, granularity);
  const earlierBuckets = earlier ? listBuckets(earlier.range, granularity) : [];
  const lines = collectLines(report, time);
  const old = earlier?.report ? new Map(collectLines(earlier.report, time).map((line) => [line.key, line])) : undefined;
  const [begin = ''] = firstDay === undefined ? [] : listBuckets({ from: firstDay, to: firstDay }, granularity);
  const length = Math.max(buckets.length, earlierBuckets.length);
  const read = (row: ReportRow | undefined, which: 'metrics' | 'comparison', at: number) => {
    const values = row?.[which];
    return values ? (values[at] ?? null) : nothing(metrics[at] ?? '');
  };
  const draw = (line: Line | undefined, at: number): Lists => {
    const values = buckets.map((bucket, place) =>
      openFrom !== undefined && place > openFrom ? null : read(line?.rows.get(bucket), 'metrics', at),
    );
    if (!earlier) return { values };
    const before = earlierBuckets.map((bucket, place) => {
      if (bucket < begin) return null;
      if (old) return read(old.get(line?.key ?? '')?.rows.get(bucket), 'metrics', at);
      return read(line?.rows.get(buckets[place] ?? ''), 'comparison', at);
    });
    return { values: fillUp(values, length, null), before: fillUp(before, length, null) };
  };
  const labels = fillUp(buckets, length, '');
  if (dimensions.length === 1)
    return { labels, series: drawMetrics(metrics, axes, (at) => draw(lines[0], at)), values: [] };
  const { kind } = metricText(metrics[0] ?? '');
  return {
    labels,
    series: lines.map((line) => ({ name: line.name, entity: line.key, kind, axis: 'left', ...draw(line, 0) })),
    values: lines.map(({ value }) => value),
  };
}

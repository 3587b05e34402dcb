/** What of an answer is drawn (pure). */
import { writeFigure } from '../lib/figures-text';
import type { Answer } from '../questions/answer';
import type { Query } from '../questions/query-input';
import type { Question } from '../questions/question';

/** More lines than this nobody tells apart. */
export const MOST_SERIES = 7;

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly isComparison?: boolean;
}
export interface ChartData {
  readonly kind: 'line' | 'bar' | 'area';
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** How the numbers of the axis are written. */
  readonly write: (value: number) => string;
}

/** Points on the axis; of more, the first. */
const MOST_POINTS = 400;
/** Bars that have room for their names. */
const MOST_BARS = 20;

/**
 * A line for each metric; of one metric by two dimensions, a line for each value of the second. Undefined for questions
 * that are tables or numbers, and without rows.
 */
export function readChart({ chart }: Question, query: Query, answer: Answer): ChartData | undefined {
  const { metrics, dimensions, compare } = query;
  if (chart === undefined || chart === 'table' || chart === 'number') return undefined;
  if (dimensions.length === 0 || answer.results.length === 0) return undefined;
  const results = answer.results.slice(0, chart === 'bar' && dimensions.length === 1 ? MOST_BARS : undefined);
  const keys = [...new Set(results.map(({ dimensions: [key = ''] }) => key))].slice(0, MOST_POINTS);
  const names = new Map(results.map(({ dimensions: [key = ''], labels: [label = ''] }) => [key, label]));
  const format = metrics[0]?.format ?? 'count';
  const currency = String(answer.meta.currency);
  const series =
    dimensions.length === 1 ? readMetrics(results, keys, metrics, compare !== undefined) : readSecond(results, keys);
  return {
    kind: chart,
    labels: keys.map((key) => names.get(key) || '(unknown)'),
    series: series.slice(0, MOST_SERIES),
    write: (value) => writeFigure(value, format, currency),
  };
}

function readMetrics(
  results: Answer['results'],
  keys: readonly string[],
  metrics: Query['metrics'],
  isCompared: boolean,
): Series[] {
  const byKey = new Map(results.map((row) => [row.dimensions[0] ?? '', row]));
  const values = (read: (row: Answer['results'][number]) => number | null | undefined) =>
    keys.map((key) => {
      const row = byKey.get(key);
      return (row && read(row)) ?? null;
    });
  return metrics.flatMap(({ label }, at) => [
    { name: label, values: values((row) => row.metrics[at]) },
    ...(isCompared
      ? [{ name: `${label}, before`, values: values((row) => row.comparison?.[at]), isComparison: true }]
      : []),
  ]);
}

function readSecond(results: Answer['results'], keys: readonly string[]): Series[] {
  const place = new Map(keys.map((key, at) => [key, at]));
  const lines = new Map<string, { name: string; values: (number | null)[]; sum: number }>();
  for (const { dimensions, labels, metrics } of results) {
    const [key = '', second = ''] = dimensions;
    const at = place.get(key);
    if (at === undefined) continue;
    const line = lines.get(second) ?? { name: labels[1] || '(unknown)', values: keys.map(() => null), sum: 0 };
    line.values[at] = metrics[0] ?? null;
    line.sum += metrics[0] ?? 0;
    lines.set(second, line);
  }
  return [...lines.values()].sort((a, b) => b.sum - a.sum);
}

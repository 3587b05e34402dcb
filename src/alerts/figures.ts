/** What an answer to an alert's question says of each value of its dimension (pure). */
import { addDays } from '../lib/time';
import type { Answer } from '../questions/answer';
import type { Query } from '../questions/query-input';
import { WEEKS, type Point } from './judge';

/** A metric of which there is no row: nothing was counted, or there is no quotient. */
export const readMissing = ({ metrics }: Query): 0 | null => {
  const [metric] = metrics;
  return metric && !metric.divisor && (metric.format === 'count' || metric.format === 'money') ? 0 : null;
};

/**
 * The points of a range. A value that has fired and has no row any more is there too; without a dimension there is one
 * point. Before `firstDay` the project was not there, and there is nothing to compare with.
 */
export function readPoints(answer: Answer, query: Query, breached: readonly string[], firstDay: string): Point[] {
  const missing = readMissing(query);
  const isComparable = query.compare === undefined || query.compare.from >= firstDay;
  const points = answer.results.map(({ dimensions, labels, metrics, comparison }): Point => {
    const value = dimensions[0] ?? '';
    const compared = isComparable ? (comparison?.[0] ?? null) : null;
    return {
      value,
      label: labels[0] ?? '',
      figure: metrics[0] ?? null,
      ...(query.compare && { comparison: compared }),
    };
  });
  const expected = query.dimensions.length === 0 ? [''] : breached;
  const known = new Set(points.map(({ value }) => value));
  const gone = expected.filter((value) => !known.has(value));
  return [...points, ...gone.map((value) => ({ value, label: value, figure: missing, comparison: null }))];
}

/** The points of the last day of a range that was asked for by day, with the same weekday of the weeks before. */
export function readWeekdays(
  answer: Answer,
  query: Query,
  breached: readonly string[],
  { day, firstDay }: { readonly day: string; readonly firstDay: string },
): Point[] {
  const missing = readMissing(query);
  const labels = new Map<string, string>();
  const figures = new Map<string, number | null>();
  const key = (value: string, at: string) => `${at} ${value}`;
  for (const { dimensions, labels: names, metrics } of answer.results) {
    const [at = '', value = ''] = dimensions;
    labels.set(value, names[1] ?? '');
    figures.set(key(value, at), metrics[0] ?? null);
  }
  const read = (value: string, at: string) => {
    if (at < firstDay) return null;
    const found = figures.get(key(value, at));
    return found === undefined ? missing : found;
  };
  const values = query.dimensions.length === 1 ? [''] : [...new Set([...labels.keys(), ...breached])];
  const weeks = Array.from({ length: WEEKS }, (_, i) => addDays(day, -7 * (i + 1)));
  return values.map((value) => ({
    value,
    label: labels.get(value) ?? value,
    figure: read(value, day),
    history: weeks.map((at) => read(value, at)),
  }));
}

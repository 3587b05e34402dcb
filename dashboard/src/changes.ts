/**
 * What changes are measured by. A period whose last day is not over is compared without that day on both sides; of a
 * day that is not over, the hours that are with the same hours of the day before. One rule for heads, lists and rows.
 */
import { useMemo } from 'react';
import { useReport, type Question, type Report } from './api/queries';
import { describeComparison, type Compared } from './compared';
import { isSumOfHours } from './figures';
import { isTime } from './drill';
import { hourIn, listDays, type Period, type Range } from './period';
import { useFormats, useProject } from './session';

/** A value and the one before, by which a change is measured; null where it cannot be. */
export interface Measured {
  readonly value: number | null;
  readonly before: number | null;
}
const UNKNOWN: Measured = { value: null, before: null };

/** What the change of a metric in a row is measured by; undefined where nothing is compared, or not yet. */
export type ReadChange = (dimensions: readonly string[], metric: string) => Measured | undefined;

const MAX_ROWS = 10_000;
const MAX_DIMENSIONS = 4;

/** The days of a period that are over, and as many of those before. */
export function withoutLastDay({ from, to }: Range, earlier: Range) {
  const now = listDays({ from, to }).slice(0, -1);
  const before = listDays(earlier).slice(0, now.length);
  return { from, to: now.at(-1) ?? to, compare: { from: earlier.from, to: before.at(-1) ?? earlier.to } };
}

/** By hour where hours can tell: what they add up to, of rows that are no times. */
function buildHours(question: Question, { from, to, earlier }: Period): Question[] {
  const { dimensions = [], include = [] } = question;
  const metrics = question.metrics.filter((one) => isSumOfHours(question.source, one));
  if (!earlier || metrics.length === 0 || dimensions.length >= MAX_DIMENSIONS || dimensions.some(isTime)) return [];
  const hours = (range: Range): Question => ({
    ...question,
    ...range,
    metrics,
    dimensions: ['hour', ...dimensions],
    include: include.filter((one) => one !== 'totals'),
    compare: undefined,
    order_by: undefined,
    limit: MAX_ROWS,
  });
  return [hours({ from, to }), hours({ from: earlier.from, to: earlier.to })];
}

/** The questions whose answers tell the changes of a question's rows; of a period that is over, the question itself. */
export function buildChangeQuestions(question: Question, period: Period): Question[] {
  const { earlier, isOpen, days } = period;
  if (!earlier) return [];
  if (!isOpen) return [{ ...question, compare: earlier }];
  return days > 1
    ? [{ ...question, ...withoutLastDay(period, earlier), limit: MAX_ROWS }]
    : buildHours(question, period);
}

const toKey = (dimensions: readonly string[]) => JSON.stringify(dimensions);
const listNames = ({ query }: Report): readonly string[] => (query as { metrics?: string[] }).metrics ?? [];

/** Rows beside those of before. */
export function readCompared(report: Report): ReadChange {
  const rows = new Map(report.results.map((row) => [toKey(row.dimensions), row]));
  const names = listNames(report);
  return (dimensions, metric) => {
    const row = rows.get(toKey(dimensions));
    const at = names.indexOf(metric);
    return { value: row?.metrics[at] ?? null, before: row?.comparison?.[at] ?? null };
  };
}

/**
 * The same of an answer that is there: `complete` is that of its days that are over, where its last day is not. Of a
 * single day that is not over nothing is measured.
 */
export function readAnswered(report: Report, complete: Report | null, isOpen: boolean): ReadChange {
  if (!(report.query as { compare?: Range }).compare) return () => undefined;
  if (complete) return readCompared(complete);
  return isOpen ? () => UNKNOWN : readCompared(report);
}

/** The hours that are over, in sum for each key; of what hours do not tell, null. The hour is the first dimension. */
export function sumHours(report: Report, hour: number, findKey: (others: readonly string[]) => string = () => '') {
  const names = listNames(report);
  const sums = new Map<string, number[]>();
  for (const { dimensions, metrics } of report.results) {
    const [at = '', ...others] = dimensions;
    if (Number(at.slice(11, 13)) >= hour) continue;
    const key = findKey(others);
    const before = sums.get(key);
    sums.set(
      key,
      metrics.map((value, place) => (value ?? 0) + (before?.[place] ?? 0)),
    );
  }
  return (metric: string, key = ''): number | null => {
    const at = names.indexOf(metric);
    return at < 0 || report.meta.unknown?.includes(metric) ? null : (sums.get(key)?.[at] ?? 0);
  };
}

/** What tells the changes of rows, and what they are compared with, in words. */
export interface Changes {
  readonly read: ReadChange;
  readonly compared: Compared | undefined;
}

/** Asks what tells the changes of a question's rows. */
export function useChanges(question: Question | undefined, period: Period): Changes {
  const { id } = useProject();
  const formats = useFormats();
  const [first, second] = question ? buildChangeQuestions(question, period) : [];
  const now = useReport(id, first);
  const earlier = useReport(id, second);
  const hour = hourIn(formats.timezone);
  const isCompared = question !== undefined && period.earlier !== undefined;
  const [isAsked, isByHour] = [first !== undefined, second !== undefined];
  const current = isAsked && !now.isPlaceholderData ? now.data : undefined;
  const past = isByHour && !earlier.isPlaceholderData ? earlier.data : undefined;
  return useMemo((): Changes => {
    const compared = describeComparison(period, formats, hour);
    if (!isCompared) return { read: () => undefined, compared };
    if (!isAsked) return { read: () => UNKNOWN, compared };
    if (!isByHour) return { read: current ? readCompared(current) : () => undefined, compared };
    if (!current || !past) return { read: () => undefined, compared };
    const [value, before] = [sumHours(current, hour, toKey), sumHours(past, hour, toKey)];
    return {
      read: (dimensions, metric) => {
        const key = toKey(dimensions);
        return { value: value(metric, key), before: before(metric, key) };
      },
      compared,
    };
  }, [isCompared, isAsked, isByHour, current, past, period, formats, hour]);
}

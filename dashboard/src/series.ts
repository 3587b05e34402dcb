/**
 * Figures of a period with their curve and what they are compared with. One question gives figures and curve; the
 * range compared with is another one, which is over and is kept. All are asked at once.
 */
import { useMemo } from 'react';
import { sumHours, withoutLastDay } from './changes';
import { usePrefetchedReports, useReport, type Question, type Report } from './api/queries';
import { isHourly, isSumOfHours, type Source } from './figures';
import { hourBucket, hourIn, listBuckets, type Granularity, type Period, type Range } from './period';
import { useProject } from './session';
import { metricText } from './texts';

export interface Asked {
  readonly source: Source;
  readonly metrics: readonly string[];
  readonly filters?: Question['filters'];
  /** What else each row says: of one campaign, whose it is. */
  readonly more?: readonly string[];
}

const MAX_ROWS = 10_000;

/** What is asked; what is undefined is not needed. */
export interface SeriesQuestions {
  readonly granularity: Granularity;
  readonly curve: Question;
  readonly earlierCurve: Question | undefined;
  /** Where the curve has not all of the figures. */
  readonly totals: Question | undefined;
  /** The days that are over, with those that they are compared with. */
  readonly complete: Question | undefined;
}

/** By hour only what is known of hours is asked; then the figures are another question. */
export function buildQuestions({ source, metrics, filters, more = [] }: Asked, period: Period): SeriesQuestions {
  const isByHour = period.granularity === 'hour' && metrics.some((name) => isHourly(source, name));
  const granularity = period.granularity === 'hour' && !isByHour ? 'day' : period.granularity;
  const asked = isByHour ? metrics.filter((name) => isHourly(source, name)) : metrics;
  const common = { source, ...(filters && filters.length > 0 && { filters }) };
  const organic = source === 'app' ? (['organic'] as const) : [];
  const curve = ({ from, to }: Range, withTotals: boolean): Question => ({
    ...common,
    metrics: [...asked],
    dimensions: [granularity, ...more],
    from,
    to,
    order_by: [[granularity, 'asc']],
    limit: MAX_ROWS,
    include: [...organic, ...(withTotals ? (['totals'] as const) : [])],
  });
  const { from, to, earlier, isOpen, days } = period;
  const isCut = isOpen && earlier !== undefined && days > 1;
  return {
    granularity,
    curve: curve(period, !isByHour),
    // Where today is left out, what is before comes with the days that are over.
    earlierCurve: earlier && curve(earlier, !isByHour && !isOpen),
    totals: isByHour
      ? { ...common, metrics: [...metrics], from, to, include: [...organic], ...(!isOpen && period.comparison) }
      : undefined,
    complete: isCut
      ? { ...common, metrics: [...metrics], ...withoutLastDay(period, earlier), include: [...organic] }
      : undefined,
  };
}

/** A figure, and what its change is measured by, which may be fewer days or hours. */
export interface FigureValue {
  readonly value: number | null | undefined;
  readonly change?: { readonly value: number | null; readonly before: number | null } | undefined;
}

export interface Answers {
  readonly curve: Report | undefined;
  readonly earlierCurve: Report | undefined;
  readonly totals: Report | undefined;
  readonly complete: Report | undefined;
}

/** The value of a metric in a list of an answer, by the names that the answer itself has. */
function pick(report: Report | undefined, name: string, values: readonly (number | null)[] | undefined) {
  const { metrics = [] } = (report?.query ?? {}) as { metrics?: string[] };
  const at = metrics.indexOf(name);
  return at < 0 ? undefined : values?.[at];
}

const asksFor = (report: Report, name: string) =>
  ((report.query as { metrics?: string[] }).metrics ?? []).includes(name);

/** A figure of the head. `hour`: the one that is running, in the project's zone. */
export function readFigure(asked: Asked, period: Period, name: string, answers: Answers, hour: number): FigureValue {
  const { curve, earlierCurve, totals, complete } = answers;
  const row = totals?.results[0];
  const value = totals ? pick(totals, name, row?.metrics) : pick(curve, name, curve?.totals);
  if (!period.earlier) return { value };
  if (period.isOpen && period.days === 1) {
    if (period.granularity !== 'hour' || !isSumOfHours(asked.source, name))
      return { value, change: { value: null, before: null } };
    const sum = (report: Report | undefined) => (report ? sumHours(report, hour)(name) : null);
    return { value, change: { value: sum(curve), before: sum(earlierCurve) } };
  }
  if (period.isOpen) {
    const done = complete?.results[0];
    const now = pick(complete, name, done?.metrics);
    const before = pick(complete, name, done?.comparison);
    return now === undefined || before === undefined ? { value } : { value, change: { value: now, before } };
  }
  const before = totals ? pick(totals, name, row?.comparison) : pick(earlierCurve, name, earlierCurve?.totals);
  return value === undefined || before === undefined ? { value } : { value, change: { value, before } };
}

/** The points of a curve: as many as the longer of both ranges has. */
export interface Points {
  readonly labels: readonly string[];
  readonly values: readonly (number | null)[];
  /** The points of the earlier range, and what they are called. */
  readonly earlierLabels?: readonly string[];
  readonly before?: readonly (number | null)[];
  /** Where what is not over begins. */
  readonly openFrom: number | undefined;
}

/** The value of each bucket: of one without a row nothing, which is no value of a ratio, or of what is unknown. */
function readValues(report: Report | undefined, name: string, buckets: readonly string[]): (number | null)[] {
  const rows = new Map(report?.results.map((row) => [row.dimensions[0], row]));
  const { kind } = metricText(name);
  if (report && !asksFor(report, name)) return buckets.map(() => null);
  const isCounted = (kind === 'count' || kind === 'money') && !/^(arpu|cpi|cpa|blended_cpi|ltv_d\d+)$/.test(name);
  const nothing = isCounted && !report?.meta.unknown?.includes(name) ? 0 : null;
  return buckets.map((bucket) => {
    const row = rows.get(bucket);
    return row ? (pick(report, name, row.metrics) ?? null) : nothing;
  });
}

interface Now {
  readonly today: string;
  readonly hour: number;
}

/** The bucket that is running. */
export function findOpen(
  buckets: readonly string[],
  granularity: Granularity,
  { today, hour }: Now,
): number | undefined {
  const wanted =
    granularity === 'hour'
      ? hourBucket(today, hour)
      : (listBuckets({ from: today, to: today }, granularity)[0] as string);
  const at = buckets.indexOf(wanted);
  return at < 0 ? undefined : at;
}

/** A list with nothing at its end: the last points of a longer comparison are drawn though nothing is beside them. */
export const fillUp = <T>(list: readonly T[], length: number, nothing: T): T[] => [
  ...list,
  ...Array.from({ length: Math.max(0, length - list.length) }, () => nothing),
];

/** The curve of a metric beside that of the earlier range. */
export function readPoints(name: string, period: Period, granularity: Granularity, answers: Answers, now: Now): Points {
  const buckets = listBuckets(period, granularity);
  const openFrom = period.isOpen ? findOpen(buckets, granularity, now) : undefined;
  const all = readValues(answers.curve, name, buckets);
  const values = openFrom === undefined ? all : all.map((value, at) => (at > openFrom ? null : value));
  if (!period.earlier) return { labels: buckets, values, openFrom };
  const earlierBuckets = listBuckets(period.earlier, granularity);
  const first = period.firstDay;
  const [begin] = first === undefined ? [] : listBuckets({ from: first, to: first }, granularity);
  const before = readValues(answers.earlierCurve, name, earlierBuckets).map((value, at) =>
    begin !== undefined && (earlierBuckets[at] as string) < begin ? null : value,
  );
  const length = Math.max(buckets.length, earlierBuckets.length);
  return {
    labels: fillUp(buckets, length, ''),
    values: fillUp(values, length, null),
    earlierLabels: earlierBuckets,
    before,
    openFrom,
  };
}

/** Asks everything at once. */
export function useSeries(asked: Asked, period: Period) {
  const { id, timezone } = useProject();
  const questions = buildQuestions(asked, period);
  usePrefetchedReports(id, [questions.totals, questions.curve, questions.complete, questions.earlierCurve]);
  const curve = useReport(id, questions.curve);
  const earlierCurve = useReport(id, questions.earlierCurve);
  const totals = useReport(id, questions.totals);
  const complete = useReport(id, questions.complete);
  const hour = hourIn(timezone);
  const answers = useMemo(
    (): Answers => ({
      curve: curve.data,
      earlierCurve: questions.earlierCurve && earlierCurve.data,
      totals: questions.totals && totals.data,
      complete: questions.complete && complete.data,
    }),
    [
      curve.data,
      earlierCurve.data,
      totals.data,
      complete.data,
      questions.earlierCurve === undefined,
      questions.totals === undefined,
      questions.complete === undefined,
    ],
  );
  const head = questions.totals ? totals : curve;
  return {
    questions,
    answers,
    hour,
    head,
    curve,
    error: curve.error ?? head.error ?? earlierCurve.error ?? complete.error,
    isStale: curve.isPlaceholderData || earlierCurve.isPlaceholderData,
    refetch: () => {
      for (const one of [curve, earlierCurve, totals, complete]) if (one.error) void one.refetch();
    },
    figure: (name: string) => readFigure(asked, period, name, answers, hour),
  };
}

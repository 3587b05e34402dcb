/** A question that is kept: a query whose days may move with the day, and how it is drawn (docs/contract/boards.md). */
import { ApiError } from '../errors';
import { choice, closed, named, optional, type Static } from '../lib/schema';
import { addDays, daysInRange } from '../lib/time';
import { validator } from '../lib/validate';
import { day, isOverTime, queryFields, readQueryInput, type Query } from './query-input';
import { RANGES, resolvePeriodBefore, resolveRange, type RangeName } from './range';

export const CHARTS = ['table', 'line', 'bar', 'area', 'number'] as const;

export const questionSchema = named(
  'Question',
  closed({
    ...queryFields,
    ...optional({
      range: choice(RANGES, { type: 'string', description: 'Days that move with the day; else `from` and `to`.' }),
      from: day,
      to: day,
      chart: choice(CHARTS, { type: 'string', default: 'table', description: 'How it is drawn.' }),
    }),
  }),
);
/** As it is kept and shown. */
export type Question = Static<typeof questionSchema>;

const validate = validator(questionSchema);
/** What ranges are resolved with to see whether a question has a meaning: it has the same on every day. */
const SOME_DAY = '2026-01-01';

/** @throws ApiError 400 that names what is wrong and lists what is legal, as the query endpoint does. */
export function readQuestion(body: unknown): Question {
  const question = validate(body);
  resolveQuestion(question, SOME_DAY);
  return question;
}

/**
 * The query that a question is on a day of the project's time zone.
 *
 * @throws ApiError 400 for a question without a meaning.
 */
export function resolveQuestion({ range, from, to, chart: _chart, ...rest }: Question, today: string): Query {
  if (range === undefined) {
    if (from === undefined || to === undefined) throw new ApiError(400, 'range: is required, or else both from and to');
    return readQueryInput({ ...rest, from, to });
  }
  if (from !== undefined || to !== undefined) throw new ApiError(400, 'range: has no place beside from and to');
  const compare = rest.compare === undefined ? {} : { compare: resolveComparison(rest.compare, range, today) };
  return readQueryInput({ ...rest, ...compare, ...resolveRange(range, today) });
}

function resolveComparison(compare: NonNullable<Question['compare']>, range: RangeName, today: string) {
  if (range === 'all_time') throw new ApiError(400, 'compare: there is nothing before all_time');
  return (compare === 'previous_period' ? resolvePeriodBefore(range, today) : undefined) ?? compare;
}

/**
 * The same question about its days that are over, and as many of those that it compares with: what a change is measured
 * by. Undefined where nothing is compared, where the last day is over, and for a single day.
 *
 * @throws ApiError 400 for a question without a meaning.
 */
export function resolveComplete(question: Question, today: string): Query | undefined {
  const { from, to, compare } = resolveQuestion(question, today);
  if (!compare || to < today || from >= today) return undefined;
  const end = addDays(today, -1);
  const last = addDays(compare.from, daysInRange(from, end) - 1);
  const before = { from: compare.from, to: last < compare.to ? last : compare.to };
  return resolveQuestion({ ...question, range: undefined, from, to: end, compare: before }, today);
}

/**
 * The same question about the range that it compares with, where a chart over time has fewer days than that: rows say
 * what they compare with, and the last of those days have no row. Undefined for all others.
 *
 * @throws ApiError 400 for a question without a meaning.
 */
export function resolveEarlier(question: Question, today: string): Query | undefined {
  const query = resolveQuestion(question, today);
  const { from, to, compare } = query;
  const isDrawn = question.chart === 'line' || question.chart === 'bar' || question.chart === 'area';
  if (!compare || !isDrawn || !isOverTime(query)) return undefined;
  if (daysInRange(compare.from, compare.to) <= daysInRange(from, to)) return undefined;
  const { from: start, to: end } = compare;
  return resolveQuestion({ ...question, range: undefined, from: start, to: end, compare: undefined }, today);
}

/** The questions that alerts ask: one metric, by at most one dimension, of days that are over. */
import { ApiError } from '../errors';
import { addDays } from '../lib/time';
import { resolveQuestion, type Question } from '../questions/question';
import type { Query, Range } from '../questions/query-input';
import { resolveRange, type RangeName } from '../questions/range';
import type { FigureCondition } from './condition';
import { WEEKS } from './judge';

/** Values of a dimension that are judged: those with the greatest figures. */
export const MOST_VALUES = 200;
/** Rows of all days that a judgement of weekdays looks back on. */
const MOST_ROWS = 10_000;
const DAYS_BACK = 7 * WEEKS;
const TIMES = new Set(['hour', 'day', 'week', 'month', 'day_n']);

/** @throws ApiError 400 that names the field. */
export function refuseQuestion({ metrics, dimensions = [], range, from, to }: Question): void {
  if (metrics.length !== 1) throw new ApiError(400, 'question.metrics: an alert asks for one metric');
  if (dimensions.length > 1) throw new ApiError(400, 'question.dimensions: an alert has at most one');
  const [dimension] = dimensions;
  if (dimension !== undefined && TIMES.has(dimension))
    throw new ApiError(400, `question.dimensions: an alert judges a whole range, not each ${dimension}`);
  if (range === undefined || from !== undefined || to !== undefined)
    throw new ApiError(400, 'question.range: an alert needs days that move with the day');
  if (range === 'all_time') throw new ApiError(400, 'question.range: all_time is never over');
}

/** The days of a range, of which the last is complete: those up to now, or those before. */
export function resolveCompleteRange(range: RangeName, lastDay: string): Range {
  const after = resolveRange(range, addDays(lastDay, 1));
  return after.to <= lastDay ? after : resolveRange(range, lastDay);
}

/** As what today a range is asked so that it ends with a complete day. */
const findToday = (range: RangeName, lastDay: string) =>
  resolveRange(range, addDays(lastDay, 1)).to <= lastDay ? addDays(lastDay, 1) : lastDay;

/**
 * The query that a condition is judged by, if `lastDay` is the last day that is complete.
 *
 * @throws ApiError 400 for a question that means nothing to an alert, as a saved one that was changed may.
 */
export function buildQuery(question: Question, condition: FigureCondition, lastDay: string): Query {
  refuseQuestion(question);
  const { source, metrics, dimensions = [], filters = [], range = 'yesterday', view, model } = question;
  const asked = {
    source,
    metrics,
    filters,
    ...(view === undefined ? {} : { view }),
    ...(model === undefined ? {} : { model }),
    include: (question.include ?? ['organic']).filter((one) => one === 'organic'),
  };
  if (condition.type === 'unusual') {
    const days = { from: addDays(lastDay, -DAYS_BACK), to: lastDay };
    return resolveQuestion({ ...asked, ...days, dimensions: ['day', ...dimensions], limit: MOST_ROWS }, lastDay);
  }
  const compare = condition.type === 'change' ? { compare: condition.compare ?? ('previous_period' as const) } : {};
  return resolveQuestion({ ...asked, ...compare, dimensions, range, limit: MOST_VALUES }, findToday(range, lastDay));
}

/** The days that a judgement is about. */
export const findJudgedRange = (question: Question, condition: FigureCondition, lastDay: string): Range =>
  condition.type === 'unusual'
    ? { from: lastDay, to: lastDay }
    : resolveCompleteRange(question.range ?? 'yesterday', lastDay);

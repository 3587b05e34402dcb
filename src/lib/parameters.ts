/**
 * Parameters of requests that several features read alike. One that is sent empty counts as not sent; of a repeated one
 * the first counts.
 *
 * Each function throws an ApiError 400 that names the parameter and the rule.
 */
import { ApiError } from '../errors';
import { findUnstorableText } from './text';
import { daysInRange, isDay } from './time';

/** What is wrong with a parameter. */
export const wrong = (name: string, rule: string) => new ApiError(400, `${name}: ${rule}`);

export function readDay(query: URLSearchParams, name: string): string | undefined {
  const day = query.get(name) || undefined;
  if (day !== undefined && !isDay(day)) throw wrong(name, 'must be a day, written YYYY-MM-DD');
  return day;
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** `from` and `to`, both required and both included. */
export function readDayRange(query: URLSearchParams, maxDays: number): DayRange {
  const read = (name: string) => {
    const day = readDay(query, name);
    if (day === undefined) throw wrong(name, 'must be a day, written YYYY-MM-DD');
    return day;
  };
  const range = { from: read('from'), to: read('to') };
  if (range.from > range.to) throw wrong('from', 'must not be after to');
  if (daysInRange(range.from, range.to) > maxDays)
    throw wrong('to', `the range must have at most ${maxDays} days, both included`);
  return range;
}

export function readWholeNumber(
  query: URLSearchParams,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < min || value > max)
    throw wrong(name, `must be a whole number from ${min} to ${max}`);
  return value;
}

/** Text that every engine can store. */
export function readText(query: URLSearchParams, name: string, maxLength: number): string | undefined {
  const text = query.get(name) || undefined;
  if (text === undefined) return undefined;
  if (text.length > maxLength) throw wrong(name, `must have at most ${maxLength} characters`);
  if (findUnstorableText(text) !== undefined)
    throw wrong(name, 'must be text without NUL characters and lone surrogates');
  return text;
}

export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  if (text !== 'true' && text !== 'false') throw wrong(name, 'must be true or false');
  return text === 'true';
}

export function readChoice<const T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const found = choices.find((one) => one === text);
  if (found === undefined) throw wrong(name, `must be one of ${choices.join(', ')}`);
  return found;
}

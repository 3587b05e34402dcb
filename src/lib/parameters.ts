/**
 * Parameters of queries: what is sent is read as their schemas say. One that is sent empty counts as not sent; of a
 * repeated one the first counts.
 */
import { ApiError } from '../errors';
import type { Static, TSchema } from './schema';
import { findUnstorableText } from './text';
import { daysInRange, isDay } from './time';
import { UUID_IN_ANY_CASE } from './uuid';
import { isInstant } from './validate';

/** What is wrong with a parameter. */
export const wrong = (name: string, rule: string) => new ApiError(400, `${name}: ${rule}`);

export const DAY_RULE = 'must be a day, written YYYY-MM-DD';

/** What a parameter of a schema is where it is not sent: its default. */
export type Sent<S extends TSchema> = S extends { readonly default: unknown } ? Static<S> : Static<S> | undefined;

/** How texts of these formats are checked, and what they must be. */
const FORMATS: Readonly<Record<string, readonly [isLegal: (text: string) => boolean, rule: string]>> = {
  date: [isDay, DAY_RULE],
  'date-time': [isInstant, 'must be a time of RFC 3339'],
  uuid: [(text) => UUID_IN_ANY_CASE.test(text), 'must be a UUID'],
};

/**
 * The value of a parameter that was sent as a text. Texts that may have any length are taken as they are, others must
 * be such as every engine can store.
 *
 * @throws ApiError 400 that names the parameter and the rule.
 */
export function readParameter<S extends TSchema>(name: string, schema: S, text: string | undefined): Sent<S> {
  return (text ? readSent(name, schema as Rules, text) : schema.default) as Sent<S>;
}

/** What of a schema says how a text is read; whole numbers have both bounds. */
interface Rules {
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

function readSent(name: string, schema: Rules, text: string): unknown {
  const { enum: choices, type, minimum = 0, maximum = 0, maxLength, format = '' } = schema;
  if (choices && !choices.includes(text)) throw wrong(name, `must be one of ${choices.join(', ')}`);
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw wrong(name, 'must be true or false');
    return text === 'true';
  }
  if (type === 'integer') {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < minimum || value > maximum)
      throw wrong(name, `must be a whole number from ${minimum} to ${maximum}`);
    return value;
  }
  if (maxLength !== undefined) {
    if (text.length > maxLength) throw wrong(name, `must have at most ${maxLength} characters`);
    if (findUnstorableText(text) !== undefined)
      throw wrong(name, 'must be text without NUL characters and lone surrogates');
  }
  const [isLegal, rule] = FORMATS[format] ?? [];
  if (isLegal && rule && !isLegal(text)) throw wrong(name, rule);
  return text;
}

/** Days, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** @throws ApiError 400 for a range of no day, or of too many. */
export function checkDayRange({ from, to }: DayRange, maxDays = Infinity): void {
  if (from > to) throw wrong('from', 'must not be after to');
  if (daysInRange(from, to) > maxDays) throw wrong('to', `the range must have at most ${maxDays} days, both included`);
}

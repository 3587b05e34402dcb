/** Lengths of time, and days in time zones (pure). Nothing else in the product deals with time zones. */
import { format } from 'date-fns/format';
import { fromZonedTime } from 'date-fns-tz/fromZonedTime';
import { toZonedTime } from 'date-fns-tz/toZonedTime';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * The one of these names of time zones that a text means: in any case, or by a name that Node knows for it. Offsets
 * such as +05:30 mean none, because they know no daylight saving time, nor does a name that Node cannot compute in.
 */
export function findTimezone(text: string, names: readonly string[]): string | undefined {
  const resolved = /^[A-Za-z]{2}/.test(text) ? resolveTimezone(text) : undefined;
  if (resolved === undefined) return undefined;
  const find = (name: string) => names.find((one) => one.toLowerCase() === name.toLowerCase());
  return find(text) ?? find(resolved);
}

/** Node's own name of a time zone; undefined where it knows none. */
function resolveTimezone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Written for a time that nobody knows: zeros, -1, the first and the last of what a language or an engine can hold. */
const NO_TIME = [
  /^(?:[-+]?0*(?:\.0*)?|-1|null|undefined|nan|invalid date)$/i,
  /^(?:0000|0001|9999)-/,
  /^1970-01-01(?:[t ]00:00(?::00(?:\.0+)?)?(?:z|[-+].*)?)?$/i,
];
const YEAR_9999 = Date.UTC(9999, 0);

/** Whether a value stands for no time, as phones, stores and spreadsheets write it. */
export function isNoTime(value: unknown): boolean {
  if (typeof value === 'number') return value <= 0;
  if (typeof value !== 'string') return value === undefined || value === null;
  const at = Date.parse(value);
  return NO_TIME.some((form) => form.test(value.trim())) || at <= 0 || at >= YEAR_9999;
}

/** The calendar day of an instant (milliseconds) in a time zone of the IANA database, as YYYY-MM-DD. */
export const dayIn = (timezone: string, at: number) => showIn(timezone, at, 'yyyy-MM-dd');

/** What formatInTimeZone does, which loads all of date-fns into each thread and each test. */
const showIn = (timezone: string, at: number, form: string) => format(toZonedTime(at, timezone), form);

const QUARTER_MS = 15 * MINUTE_MS;

/**
 * The first instant, in milliseconds, at which a clock of a time zone shows this hour of this day or later. Where
 * clocks are set forward over the hour it is the moment after; where they are set back, the first time of two.
 */
export function findHour(timezone: string, day: string, hour: number): number {
  const wanted = `${day} ${String(hour).padStart(2, '0')}`;
  const near = fromZonedTime(`${wanted}:00:00`, timezone).getTime();
  const isReached = (at: number) => showIn(timezone, at, 'yyyy-MM-dd HH') >= wanted;
  let at = near - 3 * HOUR_MS;
  // Clocks are set at whole quarters of an hour, by a few hours at most.
  while (!isReached(at)) at += QUARTER_MS;
  return at;
}

/** The day that is `days` after another. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The days that ClickHouse knows; a range open on a side ends with them. */
export const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2149-06-06'] as const;

/** The day, or the nearest one that ClickHouse knows. */
export const storableDay = (day: string) => (day < FIRST_DAY ? FIRST_DAY : day > LAST_DAY ? LAST_DAY : day);

/** How many days a range has, its first and last day included. */
export const daysInRange = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Whether a text is a day that exists, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

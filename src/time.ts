/** Lengths of time, and days in time zones (pure). Nothing else in the product deals with time zones. */
import { formatInTimeZone, getTimezoneOffset } from 'date-fns-tz';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Whether a text is a name of the IANA database. Offsets such as +05:30 are not: they know no daylight saving time. */
export const isTimezone = (text: string) => /^[A-Za-z]{2}/.test(text) && !Number.isNaN(getTimezoneOffset(text));

/** The calendar day of an instant (milliseconds) in a time zone of the IANA database, as YYYY-MM-DD. */
export const dayIn = (timezone: string, at: number) => formatInTimeZone(at, timezone, 'yyyy-MM-dd');

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

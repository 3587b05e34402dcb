/** When schedules are due (pure): once a day, a week or a month, at an hour in the time zone of the project. */
import { addDays, dayIn, findHour } from '../lib/time';

export interface Times {
  readonly every: 'day' | 'week' | 'month';
  /** Weekday, 1 for Monday to 7 for Sunday. */
  readonly weekday: number | null;
  /** Day of the month; in a shorter month its last day. */
  readonly month_day: number | null;
  readonly hour: number;
}

/** More days than any two times are apart. */
const MOST_DAYS = 63;

/** The first time after an instant, milliseconds both. */
export const findNext = (times: Times, timezone: string, after: number): number =>
  findDue(times, timezone, after, 1, (at) => at > after);

/** The last time up to an instant. */
export const findLatest = (times: Times, timezone: string, until: number): number =>
  findDue(times, timezone, until, -1, (at) => at <= until);

function findDue(times: Times, timezone: string, near: number, step: 1 | -1, isFound: (at: number) => boolean): number {
  // From the day before or after: an hour that clocks skip may be reached on the next day only.
  let day = addDays(dayIn(timezone, near), -step);
  for (let days = 0; days < MOST_DAYS; days += 1, day = addDays(day, step)) {
    if (!isDueOn(times, day)) continue;
    const at = findHour(timezone, day, times.hour);
    if (isFound(at)) return at;
  }
  throw new Error(`There is no time of ${JSON.stringify(times)}`);
}

/** Whether a day is one of a schedule. */
export function isDueOn({ every, weekday, month_day: monthDay }: Times, day: string): boolean {
  if (every === 'day') return true;
  const date = new Date(`${day}T00:00:00Z`);
  if (every === 'week') return (date.getUTCDay() || 7) === weekday;
  const isLast = addDays(day, 1).slice(0, 7) !== day.slice(0, 7);
  const dayOfMonth = date.getUTCDate();
  return dayOfMonth === monthDay || (isLast && dayOfMonth < (monthDay ?? 0));
}

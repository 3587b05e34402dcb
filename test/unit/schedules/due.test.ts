/** When scheduled reports are due: days, shorter months, and clocks that are set (docs/contract/alerts.md). */
import { findLatest, findNext, type Times } from '../../../src/schedules/due';
import { rounds } from '../../support/soak';

const daily = (hour: number): Times => ({ every: 'day', weekday: null, month_day: null, hour });
const weekly = (weekday: number, hour: number): Times => ({ every: 'week', weekday, month_day: null, hour });
const monthly = (monthDay: number, hour: number): Times => ({
  every: 'month',
  weekday: null,
  month_day: monthDay,
  hour,
});

const next = (times: Times, timezone: string, after: string) =>
  new Date(findNext(times, timezone, Date.parse(after))).toISOString();
const latest = (times: Times, timezone: string, until: string) =>
  new Date(findLatest(times, timezone, Date.parse(until))).toISOString();

describe('the next time', () => {
  test.each<[name: string, times: Times, timezone: string, after: string, expected: string]>([
    ['later today', daily(9), 'Asia/Kolkata', '2026-03-01T03:29:59Z', '2026-03-01T03:30:00.000Z'],
    ['not now again', daily(9), 'Asia/Kolkata', '2026-03-01T03:30:00Z', '2026-03-02T03:30:00.000Z'],
    ['at a quarter to, UTC', daily(6), 'Asia/Kathmandu', '2026-03-01T00:00:00Z', '2026-03-01T00:15:00.000Z'],
    ['on Monday', weekly(1, 8), 'UTC', '2026-11-26T12:00:00Z', '2026-11-30T08:00:00.000Z'],
    ['on Sunday', weekly(7, 8), 'UTC', '2026-11-29T08:00:00Z', '2026-12-06T08:00:00.000Z'],
    ['on the 31st, or the last day', monthly(31, 8), 'UTC', '2026-02-01T00:00:00Z', '2026-02-28T08:00:00.000Z'],
    ['of a leap year too', monthly(30, 8), 'UTC', '2028-02-01T00:00:00Z', '2028-02-29T08:00:00.000Z'],
    ['not twice in a month', monthly(30, 8), 'UTC', '2026-01-30T08:00:00Z', '2026-02-28T08:00:00.000Z'],
    ['on the 1st of the next month', monthly(1, 0), 'UTC', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00.000Z'],
    ['an hour that clocks skip', daily(2), 'America/New_York', '2026-03-08T00:00:00Z', '2026-03-08T07:00:00.000Z'],
    ['an hour that is there twice', daily(1), 'America/New_York', '2026-11-01T00:00:00Z', '2026-11-01T05:00:00.000Z'],
    ['a midnight that clocks skip', daily(0), 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00.000Z'],
    ['half an hour forward', daily(2), 'Australia/Lord_Howe', '2026-10-03T10:00:00Z', '2026-10-03T15:30:00.000Z'],
  ])('%s', (_, times, timezone, after, expected) => expect(next(times, timezone, after)).toBe(expected));
});

test.each<[Times, string, string, string]>([
  [daily(9), 'UTC', '2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  [daily(9), 'UTC', '2026-03-01T08:59:59Z', '2026-02-28T09:00:00.000Z'],
  [monthly(31, 9), 'UTC', '2026-03-01T00:00:00Z', '2026-02-28T09:00:00.000Z'],
  [daily(1), 'America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T05:00:00.000Z'],
])('the latest time of %j in %s up to %s', (times, timezone, until, expected) =>
  expect(latest(times, timezone, until)).toBe(expected),
);

/** At hours at which clocks are set there, the first of them; in a soak at all of them. */
const HOURS: [string, readonly number[]][] = [
  ['America/New_York', [2, 0]],
  ['Africa/Cairo', [0, 2]],
  ['Australia/Lord_Howe', [2, 0]],
  ['Asia/Kolkata', [0, 2]],
  ['Pacific/Apia', [0, 2]],
];
test.each(HOURS)('a year of days has as many times in %s, at each hour, one a day', (timezone, hours) => {
  for (const hour of hours.slice(0, rounds(1, hours.length))) {
    const seen = new Set<number>();
    let at = Date.parse('2026-01-01T12:00:00Z');
    for (let day = 0; day < 365; day += 1) {
      const found = findNext(daily(hour), timezone, at);
      expect(found).toBeGreaterThan(at);
      expect(found - at).toBeLessThan(26 * 3_600_000);
      seen.add(found);
      at = found;
    }
    expect(seen.size).toBe(365);
  }
});

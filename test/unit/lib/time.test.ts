/** Days in time zones: offsets of quarter hours, changes of daylight saving time, days that do not exist. */
import { isKnownToNode } from '../../support/reports/time-zones';
import { addDays, dayIn, findTimezone, isDay, isNoTime } from '../../../src/lib/time';

describe('dayIn', () => {
  test.each([
    // Kathmandu is 5:45 ahead of UTC.
    ['Asia/Kathmandu', '2025-06-01T18:14:59.999Z', '2025-06-01'],
    ['Asia/Kathmandu', '2025-06-01T18:15:00.000Z', '2025-06-02'],
    ['UTC', '2025-12-31T23:59:59.999Z', '2025-12-31'],
    ['UTC', '2026-01-01T00:00:00.000Z', '2026-01-01'],
    // New York is 5 hours behind in winter and 4 in summer; both days of change begin in the old offset.
    ['America/New_York', '2026-03-08T04:59:59.999Z', '2026-03-07'],
    ['America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T03:59:59.999Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T04:00:00.000Z', '2026-03-09'],
    ['America/New_York', '2025-11-02T04:00:00.000Z', '2025-11-02'],
    ['America/New_York', '2025-11-03T04:59:59.999Z', '2025-11-02'],
    ['America/New_York', '2025-11-03T05:00:00.000Z', '2025-11-03'],
    // No other zone is as far ahead, or has skipped a whole day as Apia did.
    ['Pacific/Kiritimati', '2025-06-01T10:00:00Z', '2025-06-02'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ])('in %s, %s is on %s', (zone, instant, day) => expect(dayIn(zone, Date.parse(instant))).toBe(day));

  test('a zone that there is not is an error', () => expect(() => dayIn('Mars/Olympus', 0)).toThrow(RangeError));
});

describe('addDays', () => {
  test.each([
    ['2025-12-31', 1, '2026-01-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2024-02-29', 366, '2025-03-01'],
    ['2026-03-08', 0, '2026-03-08'],
    // Days of 23 and 25 hours elsewhere are days like others.
    ['2026-03-07', 2, '2026-03-09'],
    ['2025-11-01', 2, '2025-11-03'],
  ])('%s and %d days', (day, days, sum) => expect(addDays(day, days)).toBe(sum));
});

describe('isDay', () => {
  test.each(['2024-02-29', '2025-12-31', '0001-01-01', '9999-12-31'])('%s is one', (text) =>
    expect(isDay(text)).toBe(true),
  );
  test.each([
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-00-10',
    '2025-13-01',
    '2025-01-00',
    '2025-1-1',
    '25-01-01',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '2025-01-01\n',
    '',
  ])('%j is none', (text) => expect(isDay(text)).toBe(false));
});

describe('findTimezone', () => {
  /** They are going out of use in Node. */
  const ABBREVIATIONS = [
    ['PST', 'America/Los_Angeles'],
    ['pst', 'America/Los_Angeles'],
    ['IST', 'Asia/Calcutta'],
  ] as const;
  const NAMES = [
    'UTC',
    'GMT',
    'Etc/UTC',
    'Europe/Berlin',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'America/Los_Angeles',
    'Factory',
  ];
  test.each<readonly [string, string]>([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['EUROPE/BERLIN', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['gmt', 'GMT'],
    ['etc/utc', 'Etc/UTC'],
    // Both names are there, and each stays as it is written.
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['asia/calcutta', 'Asia/Calcutta'],
    // Names that Node knows for one of them.
    ...ABBREVIATIONS.filter(([name]) => isKnownToNode(name)),
    ['US/Pacific', 'America/Los_Angeles'],
    ['Zulu', 'UTC'],
  ])('%j means %j', (text, name) => expect(findTimezone(text, NAMES)).toBe(name));

  test.each(['Mars/Olympus', '', ' ', 'Europe/Berlin ', 'Europe/Berlin\0', '+05:30', 'UTC+1', 'GMT+1', 'Z', 'local'])(
    '%j is known to neither',
    (text) => expect(findTimezone(text, NAMES)).toBeUndefined(),
  );

  test('what only one of the engines can compute in is none', () => {
    expect(findTimezone('Asia/Tokyo', NAMES)).toBeUndefined();
    expect(findTimezone('Factory', NAMES)).toBeUndefined();
  });
});

describe('isNoTime', () => {
  test.each([
    0,
    -1,
    '0',
    '-1',
    '',
    ' ',
    '0.0',
    null,
    undefined,
    'null',
    'Invalid date',
    '1970-01-01',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000-08:00',
    '1970-01-01T01:00:00+01:00',
    '1969-12-31T16:00:00-08:00',
    '0001-01-01T00:00:00Z',
    '0000-00-00 00:00:00',
    '1601-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%j is none', (value) => expect(isNoTime(value)).toBe(true));

  test.each(['1970-01-01T00:03:12Z', '2026-01-01T00:00:00Z', '2199-01-01T00:00:00Z', 1_767_225_600, 'yesterday', {}])(
    '%j may be one, or is for the check of its form',
    (value) => expect(isNoTime(value)).toBe(false),
  );
});

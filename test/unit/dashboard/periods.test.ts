/** Periods of the dashboard: their days, what they are compared with, how they are shown, and how all is written. */
import { chooseColors } from '../../../dashboard/src/components/chart/colors';
import { describeComparison } from '../../../dashboard/src/compared';
import { countryName, createFormats } from '../../../dashboard/src/format';
import {
  bucketRange,
  chooseGranularity,
  findEarlier,
  hourIn,
  listBuckets,
  listDays,
  listGranularities,
  presetRange,
  todayIn,
  type Period,
} from '../../../dashboard/src/period';

describe('the days of a preset', () => {
  test.each([
    ['today', '2024-03-31', '2024-03-31', '2024-03-31'],
    ['yesterday', '2024-03-01', '2024-02-29', '2024-02-29'],
    ['last_7_days', '2024-03-03', '2024-02-26', '2024-03-03'],
    ['last_28_days', '2024-03-28', '2024-03-01', '2024-03-28'],
    ['last_90_days', '2024-03-30', '2024-01-01', '2024-03-30'],
    ['this_week', '2024-03-31', '2024-03-25', '2024-03-31'],
    ['last_week', '2024-03-31', '2024-03-18', '2024-03-24'],
    ['this_month', '2024-03-31', '2024-03-01', '2024-03-31'],
    ['last_month', '2024-03-31', '2024-02-01', '2024-02-29'],
    ['last_month', '2024-01-05', '2023-12-01', '2023-12-31'],
    ['this_quarter', '2024-05-20', '2024-04-01', '2024-05-20'],
    ['last_quarter', '2024-01-20', '2023-10-01', '2023-12-31'],
    ['this_year', '2024-05-20', '2024-01-01', '2024-05-20'],
    ['last_year', '2024-05-20', '2023-01-01', '2023-12-31'],
    ['last_12_months', '2024-02-29', '2023-03-01', '2024-02-29'],
    ['all_time', '2024-02-29', '2022-11-05', '2024-02-29'],
  ] as const)('%s on %s is from %s to %s', (preset, today, from, to) => {
    expect(presetRange(preset, today, { firstDay: '2022-11-05' })).toEqual([from, to]);
  });

  test('weeks are those of reports, which begin on Monday in every locale', () => {
    for (const preset of ['this_week', 'last_week'] as const) {
      const [from] = presetRange(preset, '2024-03-31');
      expect(listBuckets({ from, to: from }, 'week')).toEqual([from]);
    }
  });

  test.each([
    ['UTC', '2024-03-31', 23],
    ['Pacific/Auckland', '2024-04-01', 12],
    ['Asia/Kathmandu', '2024-04-01', 5],
    ['America/New_York', '2024-03-31', 19],
  ])('what day and hour it is depends on the zone: %s', (zone, day, hour) => {
    const now = new Date('2024-03-31T23:30:00Z');
    expect([todayIn(zone, now), hourIn(zone, now)]).toEqual([day, hour]);
  });
});

describe('what a period is compared with', () => {
  test.each([
    ['last_28_days', '2026-10-30', '2026-11-26', '2026-10-02', '2026-10-29'],
    ['this_month', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['this_month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['last_month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['this_week', '2026-11-23', '2026-11-26', '2026-11-16', '2026-11-19'],
    ['this_quarter', '2026-10-01', '2026-11-26', '2026-07-01', '2026-08-26'],
    ['last_quarter', '2026-07-01', '2026-09-30', '2026-04-01', '2026-06-30'],
    ['this_year', '2026-01-01', '2026-11-26', '2025-01-01', '2025-11-26'],
    ['last_year', '2024-01-01', '2024-12-31', '2023-01-01', '2023-12-31'],
    [undefined, '2026-11-01', '2026-11-26', '2026-10-06', '2026-10-31'],
  ] as const)('%s from %s to %s: the period before', (preset, from, to, ...earlier) => {
    expect(findEarlier({ preset, from, to }, { compare: 'previous_period' })).toEqual({
      from: earlier[0],
      to: earlier[1],
    });
  });

  const month = { preset: 'this_month', from: '2024-02-01', to: '2024-02-29' } as const;
  test.each([
    [{ compare: 'previous_year' }, { from: '2023-02-01', to: '2023-02-28' }],
    [
      { compare: 'previous_year', weekdays: true },
      { from: '2023-02-02', to: '2023-03-02' },
    ],
    [
      { compare: 'previous_period', weekdays: true },
      { from: '2023-12-28', to: '2024-01-25' },
    ],
    [
      { compare: 'custom', own: { from: '2020-01-01', to: '2020-01-05' } },
      { from: '2020-01-01', to: '2020-01-05' },
    ],
    [{ compare: 'custom', own: { from: '2020-01-05', to: '2020-01-01' } }, undefined],
    [{ compare: 'custom' }, undefined],
    [{ compare: 'none' }, undefined],
  ] as const)('%j', (compared, expected) => {
    expect(findEarlier(month, compared)).toEqual(expected);
  });

  test('all time has nothing before it', () => {
    const all = { preset: 'all_time', from: '2024-01-01', to: '2024-02-01' } as const;
    expect(findEarlier(all, { compare: 'previous_period' })).toBeUndefined();
  });
});

describe('how a period is shown', () => {
  test.each([
    [1, 'hour', ['hour']],
    [7, 'day', ['hour', 'day']],
    [28, 'day', ['day', 'week']],
    [92, 'day', ['day', 'week', 'month']],
    [93, 'week', ['day', 'week', 'month']],
    [366, 'week', ['day', 'week', 'month']],
    [800, 'month', ['week', 'month']],
  ] as const)('%d days are shown by %s, and may be by %j', (days, fitting, legal) => {
    expect(chooseGranularity(days)).toBe(fitting);
    expect(listGranularities(days)).toEqual(legal);
  });

  test('as it was chosen, where that makes sense', () => {
    expect([chooseGranularity(28, 'week'), chooseGranularity(28, 'hour')]).toEqual(['week', 'day']);
  });

  test.each([
    ['day', '2024-02-28', '2024-03-01', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['week', '2024-02-28', '2024-03-12', ['2024-02-26', '2024-03-04', '2024-03-11']],
    ['month', '2023-12-31', '2024-02-01', ['2023-12', '2024-01', '2024-02']],
  ] as const)('by %s from %s to %s', (granularity, from, to, expected) => {
    expect(listBuckets({ from, to }, granularity)).toEqual(expected);
  });

  test('by hour, and by day over the end of a month', () => {
    expect(listBuckets({ from: '2024-02-28', to: '2024-02-29' }, 'hour')).toHaveLength(48);
    expect(listDays({ from: '2024-02-28', to: '2024-03-01' })).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  });

  test.each([
    ['2024-02-26', 'week', { from: '2024-02-28', to: '2024-03-03' }],
    ['2024-03-11', 'week', { from: '2024-03-11', to: '2024-03-12' }],
    ['2024-03', 'month', { from: '2024-03-01', to: '2024-03-12' }],
    ['2024-03-05 14', 'hour', { from: '2024-03-05', to: '2024-03-05' }],
  ] as const)('the days of %s (%s) that are in the range', (bucket, granularity, expected) => {
    expect(bucketRange(bucket, granularity, { from: '2024-02-28', to: '2024-03-12' })).toEqual(expected);
  });
});

describe('in words', () => {
  const formats = createFormats('EUR', 'Europe/Berlin');
  const plain = (text: string | undefined) => text?.replace(/[\u2009\u202f\u00a0]/g, ' ');
  const year = new Date().getUTCFullYear();
  const period: Period = {
    ...{ from: `${year}-11-01`, to: `${year}-11-25`, preset: 'this_month', compare: 'previous_period' },
    earlier: { from: `${year}-10-01`, to: `${year}-10-25` },
    ...{ comparison: {}, days: 25, granularity: 'day', isOpen: false, lacksEarlier: false, firstDay: undefined },
  };

  test.each([
    [{}, 'vs Oct 1 – 25', undefined],
    [{ isOpen: true }, 'vs Oct 1 – 25', 'Without today, which is not over.'],
    [{ isOpen: true, days: 1, to: `${year}-11-01` }, 'vs Oct 1 – 25, up to 2:00 PM', undefined],
    [{ earlier: undefined }, undefined, undefined],
    [{ earlier: { from: '2019-12-30', to: '2020-01-02' } }, 'vs Dec 30, 2019 – Jan 2, 2020', undefined],
  ])('a period with %j is compared %s', (more, name, about) => {
    const compared = describeComparison({ ...period, ...more }, formats, 14);
    expect([plain(compared?.name), compared?.about]).toEqual([name, about]);
  });

  test.each([
    ['count', 1234.567, '1,234.57'],
    ['money', -1234.5, '−€1,234.50'],
    ['percent', 12.345, '12.35%'],
    ['ratio', -2, '−2.00'],
    ['seconds', 59.6, '1 min 0 s'],
    ['seconds', 3_661, '1 h 1 min'],
    ['count', null, '–'],
    ['money', undefined, '–'],
  ] as const)('%s: %s is %s', (kind, value, expected) => {
    expect(formats[kind](value)).toBe(expected);
  });

  test.each([
    ['EUR', 'money', 999.5, '€999.50'],
    ['EUR', 'money', 1000.4, '€1,000'],
    ['EUR', 'money', -1000.4, '−€1,000'],
    ['JPY', 'money', 379_999_935, '¥380M'],
    ['EUR', 'money', 1_234_567, '€1.235M'],
    ['EUR', 'count', 99_999_999, '99,999,999'],
    ['EUR', 'count', 123_456_789, '123.5M'],
  ] as const)('in large type, in %s, %s %d is %s', (currency, kind, value, expected) => {
    expect(createFormats(currency, 'UTC').figure(kind, value)).toBe(expected);
  });

  test.each([
    ['count', 120, 100, '↑ 20%'],
    ['count', 80, 100, '↓ 20%'],
    ['money', -50, -100, '↑ 50%'],
    ['percent', 12.3, 10, '↑ 2.3 pp'],
    ['percent', 0, 10, '↓ 10 pp'],
    ['count', 5, 0, 'new'],
    ['count', 0, 0, 'unchanged'],
    ['ratio', 1.0001, 1, 'unchanged'],
  ] as const)('a %s that is %d after %d: %s', (kind, value, before, expected) => {
    expect(formats.change(kind, value, before)).toBe(expected);
  });

  test('axes have years where there is more than one, and hours as the locale has them', () => {
    expect(formats.axis('2024-03-31')).toBe('Mar 31');
    expect(formats.axis('2024-03-31', { withYear: true })).toBe('Mar 31, 2024');
    expect(formats.axis('2024-03', { withYear: true })).toBe('Mar 2024');
    expect(plain(formats.axis('2024-03-31 14', { withDay: false }))).toBe('2:00 PM');
    expect(createFormats('EUR', 'UTC', 'de-DE').axis('2024-03-31 14', { withDay: false })).toBe('14:00');
  });

  test.each([
    ['en-US', '1,234.5', '€1,234.50', /^Apr 1, 2024, 12:30\sAM$/, 7],
    ['en-GB', '1,234.5', '€1,234.50', /^1 Apr 2024, 00:30$/, 1],
    ['de-DE', '1.234,5', '1.234,50 €', /^01\.04\.2024, 00:30$/, 1],
  ] as const)('in %s', (locale, count, money, time, weekday) => {
    const own = createFormats('EUR', 'Europe/Berlin', locale);
    expect([own.count(1234.5), plain(own.money(1234.5)), own.firstWeekday]).toEqual([count, money, weekday]);
    expect(own.time('2024-03-31T22:30:00Z')).toMatch(time);
  });

  test.each([
    ['DE', 'Germany'],
    ['', 'Unknown'],
    ['de', 'de'],
  ])('the country "%s" is %s', (code, name) => expect(countryName(code)).toBe(name));
});

describe('colours', () => {
  test('are those of what is drawn, whatever its rank', () => {
    const colors = chooseColors(['google', 'meta', 'newsletter'], 8);
    expect(chooseColors(['newsletter', 'meta', 'google', 'direct'], 8)).toEqual(new Map([...colors, ['direct', 3]]));
  });

  test('differ as long as there are enough', () => {
    const names = Array.from({ length: 8 }, (_, i) => `channel ${i}`);
    expect(new Set(chooseColors(names, 8).values()).size).toBe(8);
    expect(chooseColors([...names, 'one more'], 8).size).toBe(9);
  });
});

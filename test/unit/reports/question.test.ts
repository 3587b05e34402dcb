/** Questions that are kept: which mean something, and which days they are about (docs/contract/boards.md). */
import {
  readQuestion,
  resolveComplete,
  resolveEarlier,
  resolveQuestion,
  type Question,
} from '../../../src/questions/question';
import { resolvePeriodBefore, resolveRange, type RangeName } from '../../../src/questions/range';
import { refusal } from '../../support/http/refusal';

const good: Question = { source: 'app', metrics: ['installs'], dimensions: ['day'], range: 'last_7_days' };

test.each<[RangeName, today: string, from: string, to: string, before: [from: string, to: string] | null]>([
  ['today', '2026-03-01', '2026-03-01', '2026-03-01', null],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28', null],
  ['last_7_days', '2026-03-01', '2026-02-23', '2026-03-01', null],
  ['last_28_days', '2026-03-28', '2026-03-01', '2026-03-28', null],
  ['last_30_days', '2026-01-10', '2025-12-12', '2026-01-10', null],
  ['last_90_days', '2026-03-31', '2026-01-01', '2026-03-31', null],
  ['last_12_months', '2026-11-26', '2025-11-27', '2026-11-26', null],
  ['last_12_months', '2024-02-29', '2023-03-01', '2024-02-29', null],
  ['this_week', '2026-11-26', '2026-11-23', '2026-11-26', ['2026-11-16', '2026-11-19']],
  ['this_week', '2026-11-23', '2026-11-23', '2026-11-23', ['2026-11-16', '2026-11-16']],
  ['this_week', '2026-11-29', '2026-11-23', '2026-11-29', ['2026-11-16', '2026-11-22']],
  ['last_week', '2026-11-29', '2026-11-16', '2026-11-22', null],
  ['last_week', '2026-01-01', '2025-12-22', '2025-12-28', null],
  ['this_month', '2026-03-31', '2026-03-01', '2026-03-31', ['2026-02-01', '2026-02-28']],
  ['this_month', '2026-11-26', '2026-11-01', '2026-11-26', ['2026-10-01', '2026-10-26']],
  ['last_month', '2026-03-31', '2026-02-01', '2026-02-28', ['2026-01-01', '2026-01-31']],
  ['last_month', '2026-01-15', '2025-12-01', '2025-12-31', ['2025-11-01', '2025-11-30']],
  ['this_quarter', '2026-05-31', '2026-04-01', '2026-05-31', ['2026-01-01', '2026-02-28']],
  ['this_year', '2024-02-29', '2024-01-01', '2024-02-29', ['2023-01-01', '2023-02-28']],
  ['all_time', '2026-11-26', '2000-01-01', '2026-11-26', null],
])('%s on %s', (range, today, from, to, before) => {
  expect(resolveRange(range, today)).toEqual({ from, to });
  const compared = resolvePeriodBefore(range, today);
  expect(compared ? [compared.from, compared.to] : null).toEqual(before);
});

describe('a question', () => {
  test('is a query for the days of its range', () => {
    expect(resolveQuestion({ ...good, chart: 'line' }, '2026-03-01')).toMatchObject({
      from: '2026-02-23',
      to: '2026-03-01',
      dimensions: ['day'],
    });
    expect(resolveQuestion({ ...good, range: 'this_month', compare: 'previous_period' }, '2026-11-26')).toMatchObject({
      compare: { from: '2026-10-01', to: '2026-10-26', days: 31, years: 0 },
    });
    expect(resolveQuestion({ ...good, compare: 'previous_period' }, '2026-03-01').compare).toMatchObject({ days: 7 });
    expect(
      resolveQuestion({ source: 'app', metrics: ['installs'], from: '2026-01-01', to: '2026-01-31' }, '2026-03-01'),
    ).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
    });
  });

  test.each<[object, string, [from: string, to: string, before: string, end: string] | undefined]>([
    [{ compare: 'previous_period' }, '2026-03-01', ['2026-02-23', '2026-02-28', '2026-02-16', '2026-02-21']],
    [
      { range: 'this_month', compare: 'previous_period' },
      '2026-11-26',
      ['2026-11-01', '2026-11-25', '2026-10-01', '2026-10-25'],
    ],
    [
      { range: 'this_month', compare: 'previous_period' },
      '2026-03-31',
      ['2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
    ],
    [{ range: 'last_month', compare: 'previous_period' }, '2026-03-31', undefined],
    [{ range: 'today', compare: 'previous_period' }, '2026-03-01', undefined],
    [{}, '2026-03-01', undefined],
  ])('%j on %s is compared without the day that is not over', (more, today, expected) => {
    const query = resolveComplete({ ...good, ...more }, today);
    expect(query && [query.from, query.to, query.compare?.from, query.compare?.to]).toEqual(expected);
  });

  test.each<[object, string, string[] | undefined]>([
    [{}, '2026-12-15', ['2026-10-01', '2026-10-31']],
    [{}, '2026-11-15', undefined],
    [{ chart: 'table' }, '2026-12-15', undefined],
    [{ dimensions: ['campaign'] }, '2026-12-15', undefined],
    [{ compare: undefined }, '2026-12-15', undefined],
  ])('%j on %s has its longer comparison by itself', (more, today, expected) => {
    const asked = { ...good, range: 'last_month', compare: 'previous_period', chart: 'line', ...more } as Question;
    const query = resolveEarlier(asked, today);
    expect(query && [query.from, query.to]).toEqual(expected);
    expect(query?.compare).toBeUndefined();
  });

  test.each<[object, string]>([
    [{ range: undefined }, 'range: is required, or else both from and to'],
    [{ range: undefined, from: '2026-01-01' }, 'range: is required, or else both from and to'],
    [{ from: '2026-01-01', to: '2026-01-31' }, 'range: has no place beside from and to'],
    [{ range: undefined, from: '2026-02-01', to: '2026-01-31' }, 'from must not be after to.'],
    [{ range: 'last_fortnight' }, 'range: must be one of today, yesterday, last_7_days, '],
    [{ chart: 'pie' }, 'chart: must be one of table, line, bar, area, number'],
    [{ range: 'all_time', compare: 'previous_year' }, 'compare: there is nothing before all_time'],
    [{ metrics: ['profits'] }, 'Unknown metric: "profits". Legal: '],
    [{ dimensions: ['rule'], metrics: ['spend'] }, 'spend cannot be asked for by rule; it can by '],
    [{ colour: 'red' }, 'body: unknown field "colour"'],
  ])('is refused with %j', (change, message) => {
    const body = JSON.parse(JSON.stringify({ ...good, ...change })) as unknown;
    const [status, said] = refusal(() => readQuestion(body));
    expect(status).toBe(400);
    expect(said).toContain(message);
  });
});

/** What changes are measured by: the same days of both ranges, without one that is not over, on every page. */
import type { Question, Report } from '../../../dashboard/src/api/queries';
import { buildChangeQuestions, readAnswered, readCompared, sumHours } from '../../../dashboard/src/changes';
import type { Period } from '../../../dashboard/src/period';
import { buildQuestions } from '../../../dashboard/src/series';
import { changeQuestion, listQuestion } from '../../../dashboard/src/pages/campaigns/questions';
import { tableQuestion as exploreQuestion, type View } from '../../../dashboard/src/pages/explore/questions';
import { exploreSearch } from '../../../dashboard/src/pages/explore/search';
import { tableQuestion as webQuestion } from '../../../dashboard/src/pages/web/questions';
import { withDefaults } from '../../../dashboard/src/search';

const earlier = { from: '2026-11-01', to: '2026-11-07' };
const period = (more: Partial<Period> = {}): Period => ({
  ...{ from: '2026-11-08', to: '2026-11-14', days: 7, preset: undefined, compare: 'previous_period', earlier },
  ...{ comparison: { compare: earlier }, granularity: 'day', isOpen: true, lacksEarlier: false, firstDay: undefined },
  ...more,
});
const today = period({
  ...{ from: '2026-11-14', to: '2026-11-14', days: 1, granularity: 'hour' },
  earlier: { from: '2026-11-13', to: '2026-11-13' },
});
const view: View = withDefaults(exploreSearch, {});
const lists = (one: Period): [string, Question][] => [
  ['campaigns', changeQuestion(listQuestion({ period: one, metrics: ['installs', 'spend'], filters: undefined }))],
  ['explore', exploreQuestion(view, one)],
  ['web', webQuestion({ period: one, filters: undefined }, 'channel', 'last_touch', true)],
];
const report = (query: object, results: object[], meta: object = {}) =>
  ({ query, results, meta: { rows: results.length, ...meta } }) as unknown as Report;

test('an unfinished day is left out on both sides, in lists as at the head of the overview', () => {
  const days = { from: '2026-11-08', to: '2026-11-13', compare: { from: '2026-11-01', to: '2026-11-06' } };
  expect(buildQuestions({ source: 'app', metrics: ['installs'] }, period()).complete).toMatchObject(days);
  for (const [name, question] of lists(period()))
    expect([name, buildChangeQuestions(question, period())]).toMatchObject([name, [days]]);
});

test('a period that is over is asked for once: its own answer tells its changes', () => {
  const over = period({ isOpen: false });
  for (const [name, question] of lists(over))
    expect([name, buildChangeQuestions(question, over)]).toEqual([name, [{ ...question, compare: earlier }]]);
  const alone = period({ earlier: undefined, comparison: {} });
  for (const [, question] of lists(alone)) expect(buildChangeQuestions(question, alone)).toEqual([]);
});

test('of today the hours that are over, as far as hours can tell', () => {
  for (const [name, question] of lists(today).slice(0, 2))
    expect([name, buildChangeQuestions(question, today)]).toMatchObject([
      name,
      [
        { metrics: ['installs'], dimensions: ['hour', 'campaign'], from: '2026-11-14', to: '2026-11-14' },
        { metrics: ['installs'], dimensions: ['hour', 'campaign'], from: '2026-11-13', to: '2026-11-13' },
      ],
    ]);
  // Rows that are days already are no sums of hours.
  expect(buildChangeQuestions({ ...exploreQuestion(view, today), dimensions: ['day'] }, today)).toEqual([]);
  const hours = report({ metrics: ['installs'] }, [
    { dimensions: ['2026-11-14 09', 'a'], metrics: [2] },
    { dimensions: ['2026-11-14 10', 'a'], metrics: [3] },
    { dimensions: ['2026-11-14 11', 'a'], metrics: [40] },
    { dimensions: ['2026-11-14 09', 'b'], metrics: [7] },
  ]);
  const sum = sumHours(hours, 11, ([name = '']) => name);
  expect([sum('installs', 'a'), sum('installs', 'b'), sum('installs', 'c'), sum('spend', 'a')]).toEqual([
    5,
    7,
    0,
    null,
  ]);
  expect(sumHours(hours, 11)('installs')).toBe(12);
});

test('a change is read by the row and the name of the metric, and is unknown where a row is missing', () => {
  const compared = { metrics: ['installs'], compare: earlier };
  const whole = report(compared, [{ dimensions: ['a'], metrics: [10], comparison: [4] }]);
  const complete = report(compared, [{ dimensions: ['a'], metrics: [6], comparison: [3] }]);
  const read = readCompared(whole);
  expect(read(['a'], 'installs')).toEqual({ value: 10, before: 4 });
  expect([read(['b'], 'installs'), read(['a'], 'spend')]).toEqual(Array(2).fill({ value: null, before: null }));
  expect(readAnswered(whole, complete, true)(['a'], 'installs')).toEqual({ value: 6, before: 3 });
  expect(readAnswered(whole, null, false)(['a'], 'installs')).toEqual({ value: 10, before: 4 });
  expect(readAnswered(whole, null, true)(['a'], 'installs')).toEqual({ value: null, before: null });
  expect(readAnswered(report({ metrics: [] }, []), null, true)(['a'], 'installs')).toBeUndefined();
});

/** Which days an alert judges, and what it may ask (docs/contract/alerts.md). */
import { readWeekdays, readPoints } from '../../../src/alerts/figures';
import { buildQuery, refuseQuestion, resolveCompleteRange } from '../../../src/alerts/question';
import { tellEvent } from '../../../src/alerts/telling';
import { RANGES, type RangeName } from '../../../src/questions/range';
import type { Question } from '../../../src/questions/question';

// A Wednesday.
const LAST = '2026-03-18';

test.each<[RangeName, string, string]>([
  ['today', '2026-03-18', LAST],
  ['yesterday', '2026-03-18', LAST],
  ['last_7_days', '2026-03-12', LAST],
  ['this_week', '2026-03-16', LAST],
  ['last_week', '2026-03-09', '2026-03-15'],
  ['last_month', '2026-02-01', '2026-02-28'],
])('%s ends with the last complete day at the latest', (range, from, to) =>
  expect(resolveCompleteRange(range, LAST)).toEqual({ from, to }),
);

test('the last day of a month completes it', () =>
  expect(resolveCompleteRange('last_month', '2026-03-31')).toEqual({ from: '2026-03-01', to: '2026-03-31' }));

test.each(RANGES)('%s never reaches beyond it', (range) => {
  for (const day of ['2026-01-01', '2026-02-28', '2026-03-31', '2026-12-31', '2028-02-29'])
    expect(resolveCompleteRange(range, day).to <= day).toBe(true);
});

const question = (more: Partial<Question> = {}): Question => ({
  source: 'app',
  metrics: ['installs'],
  range: 'last_7_days',
  ...more,
});
const unusual = { type: 'unusual', factor: 3 } as const;

test('what is asked ends with the same day, whatever a saved question compares or limits', () => {
  const saved = question({ compare: 'previous_year', limit: 1, offset: 5, order_by: [['installs', 'asc']] });
  const query = buildQuery(saved, { type: 'threshold', direction: 'above', value: 1 }, LAST);
  expect(query).toMatchObject({ from: '2026-03-12', to: LAST, compare: undefined, limit: 200, offset: 0 });
  const change = buildQuery(question(), { type: 'change', direction: 'up', percent: 1 }, LAST);
  expect(change.compare).toMatchObject({ from: '2026-03-05', to: '2026-03-11' });
  expect(buildQuery(question(), unusual, LAST)).toMatchObject({ from: '2026-01-21', to: LAST, dimensions: ['day'] });
});

test.each<[Partial<Question>, string]>([
  [{ metrics: ['installs', 'clicks'] }, 'question.metrics'],
  [{ dimensions: ['campaign', 'country'] }, 'question.dimensions'],
  [{ dimensions: ['week'] }, 'question.dimensions'],
  [{ range: 'all_time' }, 'question.range'],
])('%j is refused', (more, field) => expect(() => refuseQuestion(question(more))).toThrow(field));

describe('figures of an answer', () => {
  const answer = (...results: object[]) => ({ results, meta: {}, query: {} }) as never;
  const row = (dimensions: string[], figure: number | null, comparison?: number | null) => ({
    dimensions,
    labels: dimensions.map((one) => `name of ${one}`),
    metrics: [figure],
    ...(comparison === undefined ? {} : { comparison: [comparison] }),
  });

  test('a count without a row is 0, a quotient none; what has fired and has no row is there', () => {
    const query = buildQuery(
      question({ dimensions: ['campaign'] }),
      { type: 'change', direction: 'up', percent: 1 },
      LAST,
    );
    expect(readPoints(answer(row(['a'], 5, 4)), query, ['a', 'b'], '2020-01-01')).toMatchObject([
      { value: 'a', label: 'name of a', figure: 5, comparison: 4 },
      { value: 'b', figure: 0, comparison: null },
    ]);
    expect(readPoints(answer(row(['a'], 5, 4)), query, [], '2026-03-10')).toMatchObject([{ comparison: null }]);
    const ratio = buildQuery(
      question({ metrics: ['roas'] }),
      { type: 'threshold', direction: 'below', value: 1 },
      LAST,
    );
    expect(readPoints(answer(), ratio, [], '2020-01-01')).toMatchObject([{ value: '', figure: null }]);
  });

  test('weekdays before the project are no history, those without a row had nothing', () => {
    const query = buildQuery(question(), unusual, LAST);
    const rows = answer(row([LAST], 9), row(['2026-03-11'], 4), row(['2026-03-10'], 100));
    expect(readWeekdays(rows, query, [], { day: LAST, firstDay: '2026-02-20' })).toEqual([
      { value: '', label: '', figure: 9, history: [4, 0, 0, null, null, null, null, null] },
    ]);
  });
});

test('a message has no line, link or address of those who named something', () => {
  const { subject, text } = tellEvent({
    kind: 'fired',
    at: new Date(0),
    alert_id: 1,
    project_id: 2,
    project: 'Acme\r\nBcc: x@evil.example',
    name: 'see https://evil.example/now',
    condition: { type: 'threshold', direction: 'below', value: 1.5 },
    details: {
      range: { from: LAST, to: LAST, timezone: 'UTC' },
      metric: { name: 'roas', label: 'ROAS', format: 'ratio', currency: 'USD' },
      values: [{ value: 'a', label: 'www.evil.example', figure: 1.25, expected: 1.5 }],
      count: 1,
    },
  });
  expect(subject).not.toMatch(/[\r\n@]|:\/\//);
  expect(text).toContain('- www evil example: 1.25 (limit: below 1.5)');
  expect(text).not.toMatch(/evil\.example/);
});

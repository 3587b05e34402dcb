/** Charts of scheduled reports: what is drawn of an answer, and that it is a PNG. */
import { drawChart } from '../../../src/schedules/chart';
import { readChart } from '../../../src/schedules/chart-data';
import { resolveQuestion, type Question } from '../../../src/questions/question';

const question = (more: Partial<Question> = {}): Question => ({
  source: 'app',
  metrics: ['installs'],
  dimensions: ['day'],
  range: 'last_7_days',
  chart: 'line',
  ...more,
});
const read = (asked: Question, results: object[]) => {
  const answer = { results, meta: { currency: 'USD' }, query: {} } as never;
  return readChart(asked, resolveQuestion(asked, '2026-03-08'), answer);
};
const day = (at: string, installs: number | null, before?: number) => ({
  dimensions: [at],
  labels: [at],
  metrics: [installs],
  ...(before === undefined ? {} : { comparison: [before] }),
});

test('a line for a metric, and a dashed one for what it is compared with', () => {
  const asked = question({ compare: 'previous_period' });
  const data = read(asked, [day('2026-03-07', 2, 1), day('2026-03-08', null, 3)]);
  expect(data?.labels).toEqual(['2026-03-07', '2026-03-08']);
  expect(data?.series).toEqual([
    { name: 'Installs', values: [2, null] },
    { name: 'Installs, before', values: [1, 3], isComparison: true },
  ]);
  const png = data && drawChart(data);
  expect(png?.subarray(1, 4).toString()).toBe('PNG');
  expect(png?.readUInt32BE(16)).toBe(1280);
});

test('a line for each value of a second dimension, the greatest first', () => {
  const row = (at: string, country: string, installs: number) => ({
    dimensions: [at, country],
    labels: [at, country],
    metrics: [installs],
  });
  const asked = question({ dimensions: ['day', 'country'] });
  const data = read(asked, [row('2026-03-07', 'DE', 1), row('2026-03-08', 'DE', 1), row('2026-03-08', 'FR', 9)]);
  expect(data?.series).toMatchObject([
    { name: 'FR', values: [null, 9] },
    { name: 'DE', values: [1, 1] },
  ]);
});

test('nothing is drawn of tables, numbers, and what has no rows', () => {
  expect(read(question({ chart: 'table' }), [day('2026-03-08', 1)])).toBeUndefined();
  expect(read(question({ chart: 'number', dimensions: [] }), [day('2026-03-08', 1)])).toBeUndefined();
  expect(read(question(), [])).toBeUndefined();
});

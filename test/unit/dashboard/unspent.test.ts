/** Pages show no cost of what nothing was spent on, and no profit of what no campaign is credited with. */
import type { Report } from '../../../dashboard/src/api/queries';
import { organicRow } from '../../../dashboard/src/pages/campaigns/rows';
import { hasUnspent, withoutUnspent } from '../../../dashboard/src/unspent';

interface Answer {
  readonly metrics: readonly string[];
  readonly rows: readonly (readonly (number | null)[])[];
  readonly dimensions?: readonly string[];
  readonly named?: readonly (readonly string[])[];
  readonly filters?: readonly unknown[];
  readonly totals?: readonly (number | null)[];
  readonly comparison?: readonly (number | null)[];
}

/** An answer of the service with these rows. */
const answer = ({ metrics, rows, dimensions = [], named = [], filters = [], totals, comparison }: Answer) =>
  ({
    results: rows.map((values, at) => ({
      dimensions: named[at] ?? [],
      labels: named[at] ?? [],
      metrics: values,
      ...(comparison && { comparison }),
    })),
    ...(totals && { totals }),
    meta: { rows: rows.length, currency: 'USD', timezone: 'UTC' },
    query: { metrics, dimensions, filters },
  }) as unknown as Report;
const shown = (of: Answer) => withoutUnspent(answer(of)).results.map(({ metrics }) => metrics);

const LIST = ['spend', 'revenue', 'profit', 'roas', 'installs', 'cpi', 'cpa'];

test('a campaign without spend has no cost; its profit is its revenue', () => {
  const rows = [
    [0, 40, 40, null, 8, 0, 0],
    [20, 50, 30, 2.5, 10, 2, 4],
    [20, 0, -20, 0, 0, null, null],
    [0, 0, 0, null, 3, 0, null],
  ];
  expect(shown({ metrics: LIST, rows })).toEqual([
    [0, 40, 40, null, 8, null, null],
    [20, 50, 30, 2.5, 10, 2, 4],
    [20, 0, -20, 0, 0, null, null],
    [0, 0, 0, null, 3, null, null],
  ]);
});

test('a cost that is rounded to 0 stays where spend says so, and is none where spend is not asked for', () => {
  expect(shown({ metrics: ['spend', 'cpi', 'blended_cpi'], rows: [[1, 0, 0]] })).toEqual([[1, 0, 0]]);
  expect(shown({ metrics: ['cpi', 'blended_cpi'], rows: [[0, 0]] })).toEqual([[null, null]]);
});

test('what is organic has no profit: by its campaign, by the filter, and by revenue that no campaign has', () => {
  const byCampaign = { metrics: ['profit'], dimensions: ['network', 'campaign'] };
  const named = [
    ['', 'organic'],
    ['', 'mine'],
  ];
  expect(shown({ ...byCampaign, named, rows: [[0], [0]] })).toEqual([[null], [0]]);
  const rows = [[0, 0]];
  const metrics = ['revenue', 'profit'];
  expect(shown({ metrics, rows, filters: [['is', 'campaign', ['organic']]] })).toEqual([[0, null]]);
  expect(shown({ metrics, rows, filters: [['is', 'campaign', ['organic', 'mine']]] })).toEqual([[0, 0]]);
  expect(shown({ metrics, rows, filters: [['is_not', 'campaign', ['organic']]] })).toEqual([[0, 0]]);
  expect(shown({ metrics, rows: [[12, 0]], dimensions: ['network'], named: [['']] })).toEqual([[12, null]]);
});

test('comparisons and totals are shown likewise, each by its own spend', () => {
  const report = withoutUnspent(
    answer({ metrics: ['spend', 'cpi'], rows: [[10, 5]], comparison: [0, 0], totals: [0, 0] }),
  );
  expect(report.results[0]).toMatchObject({ metrics: [10, 5], comparison: [0, null] });
  expect(report.totals).toEqual([0, null]);
});

test('an answer without costs and profit is the same object, so that nothing is drawn again', () => {
  const report = answer({ metrics: ['spend', 'roas'], rows: [[0, null]] });
  expect(withoutUnspent(report)).toBe(report);
});

test('a note is due where anything was hidden, and not for what nobody tells', () => {
  const unspent = withoutUnspent(answer({ metrics: ['spend', 'cpi'], rows: [[0, 0]] }));
  expect(hasUnspent(unspent)).toBe(true);
  expect(hasUnspent({ ...unspent, meta: { ...unspent.meta, unknown: ['cpi'] } })).toBe(false);
  expect(hasUnspent(withoutUnspent(answer({ metrics: ['spend', 'cpi'], rows: [[3, 1]] })))).toBe(false);
});

test('the organic row of the list of campaigns has revenue and no profit', () => {
  const report = withoutUnspent(
    answer({
      metrics: LIST,
      rows: [[0, 99.5, 0, null, 20, null, null]],
      filters: [['is', 'campaign', ['organic']]],
    }),
  );
  expect(organicRow([report])?.figures).toMatchObject({ revenue: 99.5, profit: null, cpi: null });
});

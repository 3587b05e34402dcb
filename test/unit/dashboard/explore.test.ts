/** What the explore page reckons by itself: its questions, the steps and axes of its charts, pivot tables, filters. */
import type { Report } from '../../../dashboard/src/api/queries';
import { findValues } from '../../../dashboard/src/components/dimension-values';
import { filterTo } from '../../../dashboard/src/drill';
import { drawOverTime, drawRows } from '../../../dashboard/src/components/chart/answers';
import { chooseAxes } from '../../../dashboard/src/components/chart/axes';
import { listMetricGroups } from '../../../dashboard/src/pages/explore/metrics';
import { buildPivot } from '../../../dashboard/src/pages/explore/pivot';
import {
  chooseGrain,
  chooseLines,
  curveQuestion,
  pivotQuestions,
  tableQuestion,
  type View,
} from '../../../dashboard/src/pages/explore/questions';
import { keepQuestion, readKept } from '../../../dashboard/src/pages/explore/saved';
import { exploreSearch } from '../../../dashboard/src/pages/explore/search';
import { bucketRange, listBuckets } from '../../../dashboard/src/period';
import { withDefaults } from '../../../dashboard/src/search';
import type { Kind } from '../../../dashboard/src/texts';

const view = (given: object): View => withDefaults(exploreSearch, given as Record<string, unknown>);
const period = {
  from: '2026-03-01',
  to: '2026-03-31',
  days: 31,
  preset: undefined,
  compare: 'previous_period',
  earlier: { from: '2026-01-29', to: '2026-02-28' },
  comparison: { compare: { from: '2026-01-29', to: '2026-02-28' } },
  granularity: 'day',
  isOpen: false,
  lacksEarlier: false,
  firstDay: undefined,
} as const;
const report = (query: object, results: object[], more: object = {}) =>
  ({ query, results, meta: { rows: results.length }, ...more }) as unknown as Report;
const AXES = { left: ['installs'], right: [] };
const over = { time: 0, granularity: 'day', openFrom: undefined } as const;
const row = (dimensions: string[], ...metrics: (number | null)[]) => ({ dimensions, labels: dimensions, metrics });

describe('questions', () => {
  test('an address without anything is a question that makes sense', () => {
    expect(tableQuestion(view({}), period)).toMatchObject({
      source: 'app',
      dimensions: ['campaign'],
      order_by: [['installs', 'desc']],
      include: ['organic', 'totals'],
      compare: period.earlier,
    });
    expect(tableQuestion(view({ source: 'web', by: [] }), period)).toMatchObject({
      dimensions: [],
      include: ['totals'],
    });
  });

  test('rows are in the order of time, unless they are sorted by what they have', () => {
    const by = ['day', 'campaign'];
    expect(tableQuestion(view({ by }), period).order_by).toEqual([['day', 'asc']]);
    expect(tableQuestion(view({ by, sort: '-revenue' }), period).order_by).toEqual([['revenue', 'desc']]);
    expect(tableQuestion(view({ by, sort: '-nothing' }), period).order_by).toEqual([['day', 'asc']]);
  });

  test('over time there is a line for each of the first values, each once', () => {
    const asked = view({ by: ['week', 'country'], filters: [['is', 'platform', ['IOS']]] });
    const rows = [row(['2026-03-02', 'DE'], 3), row(['2026-03-02', 'FR'], 2), row(['2026-03-09', 'DE'], 1)];
    const lines = chooseLines(asked, report({}, rows).results);
    expect(lines).toEqual(['DE', 'FR']);
    expect(curveQuestion(asked, period, lines)).toMatchObject({
      metrics: ['installs'],
      dimensions: ['day', 'country'],
      filters: [
        ['is', 'platform', ['IOS']],
        ['is', 'country', ['DE', 'FR']],
      ],
    });
    expect(curveQuestion(asked, period, [])).toBeUndefined();
  });

  test('without organic they ask for it not to count', () => {
    expect(tableQuestion(view({ paid: true }), period).include).toEqual(['totals']);
  });

  test('totals of a pivot table are questions of their own', () => {
    const { cells, rows, columns } = pivotQuestions(view({ by: ['campaign', 'platform'], metric: 'revenue' }), period);
    expect([cells.dimensions, rows.dimensions, columns.dimensions]).toEqual([
      ['campaign', 'platform'],
      ['campaign'],
      ['platform'],
    ]);
    expect([cells.metrics, rows.include]).toEqual([['revenue'], ['organic', 'totals']]);
  });
});

describe('questions that are kept', () => {
  const fixed = { ...period, preset: 'last_28_days' } as const;

  test('days that have a name move with the day; others stay', () => {
    expect(keepQuestion(view({}), fixed, 'table', undefined)).toMatchObject({
      range: 'last_28_days',
      compare: 'previous_period',
      chart: 'table',
      dimensions: ['campaign'],
    });
    const own = keepQuestion(view({}), period, 'number', undefined);
    expect(own).toMatchObject({ from: '2026-03-01', to: '2026-03-31' });
    expect(own).not.toHaveProperty('range');
  });

  test('what is kept opens as the same view', () => {
    const asked = view({ source: 'app', metrics: ['revenue'], by: ['country'], sort: 'country', paid: true });
    const opened = view(readKept(keepQuestion(asked, fixed, 'table', undefined)));
    expect(opened).toEqual({ ...asked, period: 'last_28_days', compare: 'previous_period' });
    const curve = keepQuestion(view({ by: [], shape: 'area' }), fixed, 'area', undefined);
    expect(curve).toMatchObject({ dimensions: ['day'], chart: 'area' });
    expect(curve).toMatchObject({ compare: 'previous_period' });
    expect(view(readKept(curve))).toMatchObject({ by: [], shape: 'area', grain: 'day', over: 'time' });
    const bars = { source: 'app', metrics: ['installs'], dimensions: ['country'], chart: 'bar' } as const;
    expect(view(readKept({ ...bars, metrics: [...bars.metrics], dimensions: [...bars.dimensions] }))).toMatchObject({
      by: ['country'],
      over: 'rows',
    });
  });
});

describe('charts', () => {
  test.each([
    [1, 'hour'],
    [2, 'hour'],
    [3, 'day'],
    [92, 'day'],
    [93, 'week'],
    [732, 'month'],
  ])('%i days are by %s', (days, grain) => {
    expect(chooseGrain(days, 'auto')).toBe(grain);
    expect(chooseGrain(days, 'month')).toBe('month');
  });

  test.each([
    ['hour', '2026-03-01', '2026-03-01', 24, '2026-03-01 00', '2026-03-01 23'],
    ['day', '2026-02-27', '2026-03-01', 3, '2026-02-27', '2026-03-01'],
    ['week', '2026-03-01', '2026-03-09', 3, '2026-02-23', '2026-03-09'],
    ['month', '2025-12-31', '2026-02-01', 3, '2025-12', '2026-02'],
  ] as const)('steps by %s from %s to %s', (grain, from, to, count, first, last) => {
    const steps = listBuckets({ from, to }, grain);
    expect([steps.length, steps[0], steps.at(-1)]).toEqual([count, first, last]);
  });

  test('a step leads to its days, as far as they are in the period', () => {
    const range = { from: '2026-02-10', to: '2026-03-10' };
    expect(bucketRange('2026-02', 'month', range)).toEqual({ from: '2026-02-10', to: '2026-02-28' });
    expect(bucketRange('2026-03-09', 'week', range)).toEqual({ from: '2026-03-09', to: '2026-03-10' });
    expect(bucketRange('2026-03-01 07', 'hour', range)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  });

  const KINDS: Readonly<Record<string, Kind>> = { installs: 'count', clicks: 'count', revenue: 'money', roas: 'ratio' };
  test.each([
    [['installs', 'clicks'], undefined, ['installs', 'clicks'], []],
    [['installs', 'revenue', 'roas'], undefined, ['installs'], ['revenue']],
    [['installs', 'revenue', 'roas'], ['roas'], ['installs'], ['roas']],
    [['installs', 'clicks'], ['clicks'], ['installs'], ['clicks']],
  ])('%j with %j on the right', (metrics, named, left, right) => {
    expect(chooseAxes(metrics, named, (one) => KINDS[one] as Kind)).toEqual({ left, right });
  });

  test('what has no row is zero if it can be counted, and nothing if it is a ratio', () => {
    const asked = { source: 'app', metrics: ['installs'], dimensions: ['day', 'country'] };
    const drawn = drawOverTime(report(asked, [row(['2026-03-01', 'DE'], 2), row(['2026-03-03', 'FR'], null)]), AXES, {
      ...over,
      range: { from: '2026-03-01', to: '2026-03-03' },
    });
    expect(drawn.labels).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(drawn.series.map(({ name, values }) => [name, values])).toEqual([
      ['Germany', [2, 0, 0]],
      ['France', [0, 0, null]],
    ]);
    expect(drawn.values).toEqual([
      ['country', 'DE'],
      ['country', 'FR'],
    ]);
  });

  test('a line stands beside the one before, drawn to its end and from the first day of the project', () => {
    const asked = { source: 'app', metrics: ['installs'], dimensions: ['day', 'country'] };
    const drawn = drawOverTime(report(asked, [row(['2026-03-02', 'DE'], 2)]), AXES, {
      ...{ ...over, range: { from: '2026-03-01', to: '2026-03-02' }, openFrom: 0, firstDay: '2026-02-21' },
      earlier: {
        range: { from: '2026-02-20', to: '2026-02-22' },
        report: report(asked, [row(['2026-02-22', 'DE'], 7)]),
      },
    });
    expect(drawn.labels).toEqual(['2026-03-01', '2026-03-02', '']);
    // What comes after the day that is running has no figures yet.
    expect(drawn.series).toMatchObject([{ name: 'Germany', values: [0, null, null], before: [null, 0, 7] }]);
  });

  test('an answer that compares by itself has the comparison of each line', () => {
    const asked = { source: 'app', metrics: ['installs'], dimensions: ['week', 'country'] };
    const compared = { ...row(['2026-03-02', 'DE'], 2), comparison: [5] };
    const drawn = drawOverTime(report(asked, [compared]), AXES, {
      ...{ ...over, granularity: 'week', range: { from: '2026-03-02', to: '2026-03-15' } },
      earlier: { range: { from: '2026-02-16', to: '2026-03-01' } },
    });
    expect(drawn.series).toMatchObject([{ values: [2, 0], before: [5, 0] }]);
  });

  test('rows stand beside each other with what they are filtered by', () => {
    const asked = { source: 'app', metrics: ['installs'], dimensions: ['day', 'country'] };
    const drawn = drawRows(report(asked, [row(['2026-03-02', 'DE'], 2)]), AXES);
    expect(drawn).toMatchObject({ labels: ['2026-03-02 · Germany'], values: [['country', 'DE']] });
  });
});

test('a pivot table: cells by row and column, totals as the service counts them', () => {
  const pivot = buildPivot(
    report({}, [row(['a', 'x'], 3), row(['a', 'y'], 1), row(['b', 'x'], 2)]),
    report({}, [row(['a'], 3), row(['b'], 2)], { totals: [4] }),
    report({}, [row(['x'], 4), row(['y'], 1)]),
  );
  expect(pivot.rows.map(({ total, cells }) => [total, ...['x', 'y'].map((one) => cells.get(one) ?? 0)])).toEqual([
    [3, 3, 1],
    [2, 2, 0],
  ]);
  expect(pivot.columns.map(({ id, total }) => [id, total])).toEqual([
    ['x', 4],
    ['y', 1],
  ]);
  expect([pivot.total, pivot.isCut]).toEqual([4, false]);
});

describe('filters', () => {
  test('a value that is pressed replaces what was said of its dimension', () => {
    const before = [
      ['is', 'country', ['DE', 'FR']],
      ['contains', 'channel', ['x']],
    ] as const;
    expect(filterTo(before as never, 'country', 'US')).toEqual([
      ['contains', 'channel', ['x']],
      ['is', 'country', ['US']],
    ]);
    expect(filterTo(undefined, 'country', '')).toEqual([['is', 'country', ['']]]);
  });

  test.each(['germ', 'DE', ' Germany '])('%j finds Germany', (search) => {
    const values = [
      { value: 'FR', name: 'France', count: 9 },
      { value: 'DE', name: 'Germany', count: 5 },
    ];
    expect(findValues(values, [], search).map(({ value }) => value)).toEqual(['DE']);
  });

  test('figures of an event are offered by the name that is typed; what is chosen is named', () => {
    const metrics = ['installs', 'ltv_dN', 'retention_dN', 'event:<name>'].map((name) => ({ name, label: name }));
    const values = (typed: string, chosen: string[] = []) =>
      listMetricGroups(metrics, chosen, typed).flatMap(({ items }) => items.map(({ value }) => value));
    expect(values('')).toContain('ltv_d0');
    expect(values('')).not.toContain('retention_d0');
    expect(values('level up')).toContain('event:level up');
    expect(values('', ['event:sale', 'ltv_d5'])).toEqual(expect.arrayContaining(['event:sale', 'ltv_d5']));
  });
});

/** Which figures the pages ask for, that totals are sums, what a period's figures are, and how campaigns are judged. */
import type { Report } from '../../../dashboard/src/api/queries';
import * as figures from '../../../dashboard/src/figures';
import { chooseHorizon, judge } from '../../../dashboard/src/judge';
import type { Period } from '../../../dashboard/src/period';
import { buildQuestions, readFigure, readPoints, type Answers, type Asked } from '../../../dashboard/src/series';
import { learnModel } from '../../../dashboard/src/texts/metrics';
import { listMetrics, listQuestion, ofOrganic } from '../../../dashboard/src/pages/campaigns/questions';
import { described } from '../../../src/questions/model';
import { APP } from '../../../src/figures/app-model';
import { WEB } from '../../../src/figures/web-model';

beforeAll(() => learnModel(described));

const OF_PAGES = [
  ...figures.headFigures('app', 'conversion_d7'),
  ...figures.topMetrics('app', 'campaign'),
  ...figures.topMetrics('app', 'country'),
  ...figures.CAMPAIGN_METRICS.map(({ name }) => name),
  ...figures.partMetrics('ad'),
  ...figures.cohortMetrics(30),
];

describe('the metrics of pages', () => {
  test('exist, and what is set against spend is of campaigns alone: nothing is blended', () => {
    for (const name of OF_PAGES) expect([name, APP.metric(name) !== undefined]).toEqual([name, true]);
    for (const name of figures.headFigures('web', '')) expect(WEB.metric(name)).toBeDefined();
    expect(OF_PAGES.filter((name) => name.startsWith('blended_'))).toEqual([]);
    for (const name of figures.OF_CREDITED) {
      const metric = APP.metric(name);
      expect([metric?.measure.name, metric?.divisor?.name].some((one) => one?.startsWith('credited_'))).toBe(true);
    }
  });

  test('lists ask for campaigns, whose total is their sum, and for organic apart: together they are everything', () => {
    const question = listQuestion({ period: period(), metrics: listMetrics(['spend', 'profit']), filters: undefined });
    expect(question.include).toEqual(['totals']);
    expect(ofOrganic(question)).toMatchObject({ filters: [['is', 'campaign', ['organic']]], include: ['organic'] });
    // The same answers as the service gives of one data set: a total is the sum of its rows in all that is summed.
    const [one, two, total] = [
      { spend: 10, revenue: 33.3, installs: 6 },
      { spend: 5, revenue: 3, installs: 2 },
      { spend: 15, revenue: 36.3, installs: 8 },
    ];
    for (const name of ['spend', 'revenue', 'installs'] as const) expect(one[name] + two[name]).toBe(total[name]);
  });

  test('what is known by hour, and what hours add up to', () => {
    expect(figures.isHourly('app', 'installs')).toBe(true);
    expect(['spend', 'roas', 'cpi', 'conversion_d7'].map((name) => figures.isHourly('app', name))).not.toContain(true);
    expect(figures.isHourly('web', 'visitors')).toBe(true);
    expect(figures.isSumOfHours('web', 'visitors')).toBe(false);
    expect(figures.isSumOfHours('web', 'revenue')).toBe(true);
  });
});

describe('the verdict on a campaign', () => {
  test.each([
    [{ roas: 0.83, mature: 60 }, 1, 'below'],
    [{ roas: 1, mature: 60 }, 1, 'reached'],
    [{ roas: 1, mature: 60 }, 1.2, 'below'],
    [{ roas: 0, mature: 5 }, 1, 'below'],
    [{ roas: null, mature: 0 }, 1, 'young'],
    [{ roas: null, mature: undefined }, 1, 'young'],
    [{ roas: null, mature: 50 }, 1, 'free'],
  ] as const)('%j against %d: %s', (cohort, target, verdict) => {
    expect(judge(cohort, target)).toBe(verdict);
  });

  test.each([
    ['2026-11-20', 7, 7],
    ['2026-10-30', 28, 7],
    ['2026-10-01', 31, 30],
    ['2026-08-29', 90, 30],
  ])('of a period from %s of %d days by day %d', (from, days, day) => {
    expect(chooseHorizon({ from, days }, '2026-11-26')).toBe(day);
  });
});

function period(more: Partial<Period> = {}): Period {
  return {
    ...{ from: '2026-11-24', to: '2026-11-26', days: 3, preset: undefined, compare: 'previous_period' },
    earlier: { from: '2026-11-21', to: '2026-11-23' },
    comparison: { compare: { from: '2026-11-21', to: '2026-11-23' } },
    ...{ granularity: 'day', isOpen: true, lacksEarlier: false, firstDay: '2026-01-01' },
    ...more,
  };
}
const asked: Asked = { source: 'app', metrics: ['installs', 'revenue', 'roas'] };
const report = (metrics: readonly string[], rows: (readonly [string, ...(number | null)[]])[], more: object = {}) =>
  ({
    query: { metrics },
    results: rows.map(([label, ...values]) => ({ dimensions: [label], labels: [label], metrics: values })),
    meta: {},
    ...more,
  }) as unknown as Report;
const answers = (more: Partial<Answers>): Answers => ({
  ...{ curve: undefined, earlierCurve: undefined, totals: undefined, complete: undefined },
  ...more,
});

describe('the questions of a period', () => {
  test('one for figures and curve, one for the range before, and one for the days that are over', () => {
    const { curve, earlierCurve, totals, complete } = buildQuestions(asked, period());
    expect(curve).toMatchObject({ dimensions: ['day'], from: '2026-11-24', include: ['organic', 'totals'] });
    expect(earlierCurve).toMatchObject({ dimensions: ['day'], from: '2026-11-21', to: '2026-11-23' });
    expect(totals).toBeUndefined();
    expect(complete).toMatchObject({ to: '2026-11-25', compare: { from: '2026-11-21', to: '2026-11-22' } });
  });

  test('of what is over, or compared with nothing, fewer', () => {
    expect(buildQuestions(asked, period({ isOpen: false })).complete).toBeUndefined();
    const { earlierCurve, complete } = buildQuestions(asked, period({ earlier: undefined }));
    expect([earlierCurve, complete]).toEqual([undefined, undefined]);
  });

  test('by hour what is known of hours, and the figures beside it', () => {
    const { curve, totals } = buildQuestions(asked, period({ from: '2026-11-26', days: 1, granularity: 'hour' }));
    expect(curve.metrics).not.toContain('roas');
    expect(curve.dimensions).toEqual(['hour']);
    expect(totals?.metrics).toEqual(asked.metrics);
  });
});

describe('a figure and its change', () => {
  const metrics = ['installs', 'revenue', 'roas'];

  test('of a period that is over: of all of its days', () => {
    const given = answers({
      curve: report(metrics, [], { totals: [9, 30, 2] }),
      earlierCurve: report(metrics, [], { totals: [6, 15, null] }),
    });
    const over = period({ isOpen: false });
    expect(readFigure(asked, over, 'installs', given, 14)).toEqual({ value: 9, change: { value: 9, before: 6 } });
    expect(readFigure(asked, over, 'roas', given, 14)).toEqual({ value: 2, change: { value: 2, before: null } });
  });

  test('of one that is not: of the days that are over', () => {
    const complete = report(metrics, [['', 8, 25, 1]]);
    Object.assign(complete.results[0] as object, { comparison: [4, 10, 1] });
    const given = answers({ curve: report(metrics, [], { totals: [9, 30, 2] }), complete });
    expect(readFigure(asked, period(), 'revenue', given, 14)).toEqual({ value: 30, change: { value: 25, before: 10 } });
  });

  test('of today: up to the same hour, as far as hours are known', () => {
    const hours = (...counts: number[]) =>
      report(
        ['installs'],
        counts.map((count, at) => [`2026-11-26 ${String(at + 12)}`, count]),
      );
    const today = period({ from: '2026-11-26', days: 1, granularity: 'hour' });
    const given = answers({
      curve: hours(3, 4, 1),
      earlierCurve: hours(2, 2, 9, 9),
      totals: report(metrics, [['', 8, 30, 2]]),
    });
    expect(readFigure(asked, today, 'installs', given, 14)).toEqual({ value: 8, change: { value: 7, before: 4 } });
    expect(readFigure(asked, today, 'roas', given, 14)).toEqual({ value: 2, change: { value: null, before: null } });
  });
});

describe('the points of a curve', () => {
  const now = { today: '2026-11-26', hour: 14 };

  test('a day without a row had nothing; a ratio and what is unknown has no value; today is open', () => {
    const curve = report(['installs', 'spend', 'roas'], [['2026-11-25', 5, null, 1.5]], {
      meta: { unknown: ['spend'] },
    });
    const read = (name: string) => readPoints(name, period({ earlier: undefined }), 'day', answers({ curve }), now);
    expect(read('installs')).toMatchObject({ values: [0, 5, 0], openFrom: 2 });
    expect(read('spend').values).toEqual([null, null, null]);
    expect(read('roas').values).toEqual([null, 1.5, null]);
    expect(read('clicks').values).toEqual([null, null, null]);
  });

  test('a longer comparison is drawn to its end, and not before the first day of the project', () => {
    const earlier = { from: '2026-11-01', to: '2026-11-05' };
    const given = answers({
      curve: report(['installs'], [['2026-11-24', 1]]),
      earlierCurve: report(['installs'], [['2026-11-05', 7]]),
    });
    const points = readPoints('installs', period({ earlier, firstDay: '2026-11-03' }), 'day', given, now);
    expect(points.labels).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', '', '']);
    expect(points.values).toEqual([1, 0, 0, null, null]);
    expect(points.before).toEqual([null, null, 0, 0, 7]);
  });

  test('hours that have not begun have no value', () => {
    const today = period({ from: '2026-11-26', days: 1, granularity: 'hour', earlier: undefined });
    const curve = report(['installs'], [['2026-11-26 13', 2]]);
    const { values, openFrom } = readPoints('installs', today, 'hour', answers({ curve }), now);
    expect([openFrom, values[13], values[14], values[15]]).toEqual([14, 2, 0, null]);
  });
});

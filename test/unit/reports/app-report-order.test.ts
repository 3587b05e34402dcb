/** The order of rows in app reports: exact comparison, ties by ID, missing values last in both orders. */
import { countClicks, compareText, sorted, countStarts, type Sortable } from '../../../src/app-report/order';
import type { SortField, View } from '../../../src/app-report/input';
import type { Figures } from '../../../src/app-report/figures';
import { readFigures, money } from '../../support/reports/figures';

interface Row extends Sortable {
  readonly id: number;
}
const row = (id: number, figures: Partial<Figures>, more: Partial<Sortable> = {}): Row => ({
  id,
  figures: readFigures(figures),
  isNetworks: false,
  ...more,
});
const order = (rows: readonly Row[], field: SortField, ascending: boolean, view: View = 'user_acquisition') =>
  sorted(rows, { field, view, ascending }, (a, b) => a.id - b.id).map(({ id }) => id);

const installs = (id: number, count: number | undefined) =>
  row(id, { counts: count === undefined ? {} : { installs: count } });

describe('counts', () => {
  const rows = [installs(3, 5), installs(1, undefined), installs(2, 12), installs(4, 5)];
  test('greatest first, ties by ID', () => expect(order(rows, 'installs', false)).toEqual([2, 3, 4, 1]));
  test('least first, ties by ID all the same', () => expect(order(rows, 'installs', true)).toEqual([1, 3, 4, 2]));
  test('the rows that were given stay as they are', () => {
    order(rows, 'installs', false);
    expect(rows.map(({ id }) => id)).toEqual([3, 1, 2, 4]);
  });
  test('retargeting has no installs, so that all rows tie', () =>
    expect(order(rows, 'installs', false, 'retargeting')).toEqual([1, 2, 3, 4]));
});

describe('money', () => {
  test('is compared to the last digit', () => {
    const rows = [
      row(1, { spend: money('9007199254740993.01') }),
      row(2, { spend: money('9007199254740993.02') }),
      row(3, { spend: money('0.000000000000000000000000001') }),
    ];
    expect(order(rows, 'spend', false)).toEqual([2, 1, 3]);
    expect(order(rows, 'spend', true)).toEqual([3, 1, 2]);
  });
  test('that was refunded is less than none', () =>
    expect(order([row(1, { revenue: money('-0.01') }), row(2, {})], 'revenue', false)).toEqual([2, 1]));
});

describe('return on spend', () => {
  const rows = [
    row(1, { revenue: money('5') }),
    row(2, { revenue: money('1'), spend: money('3') }),
    row(3, { revenue: money('2'), spend: money('6') }),
    row(4, { revenue: money('0'), spend: money('1') }),
    row(5, {}),
    row(6, { revenue: money('10'), spend: money('2') }),
  ];
  test('without spend it is missing, and last when the greatest come first', () =>
    expect(order(rows, 'roas', false)).toEqual([6, 2, 3, 4, 1, 5]));
  test('and last when the least come first', () => expect(order(rows, 'roas', true)).toEqual([4, 2, 3, 6, 1, 5]));
});

describe('conversion', () => {
  const counts = (installed: number, signups: number) => ({ counts: { installs: installed, signups } });
  const rows = [row(1, counts(3, 1)), row(2, counts(0, 7)), row(3, counts(6, 2)), row(4, counts(1, 1))];
  test('of nothing is 0, and not missing', () => {
    expect(order(rows, 'conversion', false)).toEqual([4, 1, 3, 2]);
    expect(order(rows, 'conversion', true)).toEqual([2, 1, 3, 4]);
  });
  test('of retargeting is that of reinstalls and re-engagements', () => {
    const both = [
      row(1, { counts: { installs: 1, reinstalls: 2, reengagements: 2, signups: 1 } }),
      row(2, { counts: { installs: 9, reinstalls: 2, signups: 1 } }),
    ];
    expect(order(both, 'conversion', false, 'retargeting')).toEqual([2, 1]);
  });
});

test('what was never created is last by the time of creation, in both orders', () => {
  const rows = [row(1, {}), row(2, {}, { createdAt: 20 }), row(3, {}, { createdAt: 10 }), row(4, {})];
  expect(order(rows, 'created_at', false)).toEqual([2, 3, 1, 4]);
  expect(order(rows, 'created_at', true)).toEqual([3, 2, 1, 4]);
});

test('clicks are those that the network counted where it counts them', () => {
  const figures = { tracked: { clicks: 5, recent: 0 }, reported: { clicks: 9, recent: 0 } };
  expect(countClicks(readFigures(figures), true)).toBe(9);
  expect(countClicks(readFigures(figures), false)).toBe(5);
  expect(order([row(1, figures), row(2, figures, { isNetworks: true })], 'clicks', false)).toEqual([2, 1]);
});

test('sign-ups are counted against installs, or against reinstalls and re-engagements', () => {
  const figures = readFigures({ counts: { installs: 7, reinstalls: 2, reengagements: 1 } });
  expect([countStarts(figures, 'user_acquisition'), countStarts(figures, 'retargeting')]).toEqual([7, 3]);
  expect([countStarts(readFigures(), 'user_acquisition'), countStarts(readFigures(), 'retargeting')]).toEqual([0, 0]);
});

test('text is ordered by bytes, also beyond the first 65,536 characters of Unicode', () => {
  const texts = ['\u{1F600}', '\uff5e', 'ä', 'z', 'Z', '10', '9', ''];
  expect(texts.sort(compareText)).toEqual(['', '10', '9', 'Z', 'z', 'ä', '\uff5e', '\u{1F600}']);
});

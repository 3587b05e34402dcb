/** When an alert fires (docs/contract/alerts.md). */
import { findTransitions, judge, median, type Judged, type Point, type Verdict } from '../../../src/alerts/judge';
import { readCondition, type Condition } from '../../../src/alerts/condition';

const point = (figure: number | null, more: Partial<Point> = {}): Point => ({ value: '', label: '', figure, ...more });
const above: Condition = { type: 'threshold', direction: 'above', value: 10 };
const below: Condition = { type: 'threshold', direction: 'below', value: 10 };
const change = (direction: 'up' | 'down' | 'either'): Condition => ({ type: 'change', direction, percent: 20 });
const unusual: Condition = { type: 'unusual', factor: 3 };
const silent: Condition = { type: 'nothing_received', hours: 6, kind: 'click' };
const doubled: Condition = { type: 'refusals_doubled', hours: 6, minimum: 10 };
const late: Condition = { type: 'export_late', hours: 2 };
const weeks = [100, 110, 90, 100, 120, 80, 100, 105];

describe('a figure is judged by its condition', () => {
  const cases: readonly [name: string, condition: Condition, point: Point, expected: string][] = [
    ['above the limit', above, point(10.01), 'breach'],
    ['at the limit is not above', above, point(10), 'fine'],
    ['below the limit', below, point(-1), 'breach'],
    ['at the limit is not below', below, point(10), 'fine'],
    ['zero is a figure', below, point(0), 'breach'],
    ['no figure', above, point(null), 'no_figure'],
    ['not a number', above, point(Number.NaN), 'no_figure'],
    ['infinite', above, point(Number.POSITIVE_INFINITY), 'no_figure'],
    ['up by as much', change('up'), point(120, { comparison: 100 }), 'breach'],
    ['up by less', change('up'), point(119, { comparison: 100 }), 'fine'],
    ['down is not up', change('up'), point(1, { comparison: 100 }), 'fine'],
    ['down by as much', change('down'), point(80, { comparison: 100 }), 'breach'],
    ['down from a loss', change('down'), point(-120, { comparison: -100 }), 'breach'],
    ['either way', change('either'), point(500, { comparison: 100 }), 'breach'],
    ['compared with nothing', change('either'), point(500, { comparison: 0 }), 'no_comparison'],
    ['compared with what is unknown', change('either'), point(500, { comparison: null }), 'no_comparison'],
    ['without a comparison', change('either'), point(500), 'no_comparison'],
    // The median is 100, the median distance from it 7.5.
    ['far above the weekday', unusual, point(123, { history: weeks }), 'breach'],
    ['far below the weekday', unusual, point(77, { history: weeks }), 'breach'],
    ['as far as is usual', unusual, point(122.5, { history: weeks }), 'fine'],
    ['gaps do not count', unusual, point(500, { history: [100, 110, null, 90, 100, null, Number.NaN] }), 'breach'],
    ['three weeks', unusual, point(500, { history: [100, 110, 90, null] }), 'too_little_history'],
    ['no history', unusual, point(500), 'too_little_history'],
    ['always the same', unusual, point(500, { history: [7, 7, 7, 7, 9] }), 'no_variation'],
    ['nothing came', silent, point(0, { comparison: 5 }), 'breach'],
    ['one came', silent, point(1, { comparison: 5 }), 'fine'],
    ['nothing ever came', silent, point(0, { comparison: 0 }), 'nothing_received_ever'],
    ['refused twice as often', doubled, point(20, { comparison: 10 }), 'breach'],
    ['not quite', doubled, point(19, { comparison: 10 }), 'fine'],
    ['too few to count', doubled, point(9, { comparison: 1 }), 'fine'],
    ['behind for longer', late, point(7_201), 'breach'],
    ['behind for as long', late, point(7_200), 'fine'],
    ['a reason that was not there', doubled, point(10, { comparison: 0 }), 'breach'],
  ];
  test.each(cases)('%s', (_, condition, given, expected) => {
    const verdict = judge(condition, given);
    expect(verdict.state === 'not_judged' ? verdict.reason : verdict.state).toBe(expected);
  });

  test('and says what it was held against', () => {
    expect(judge(change('up'), point(150, { comparison: 100 }))).toEqual({
      state: 'breach',
      expected: 100,
      deviation: 50,
    });
    expect(judge(unusual, point(130, { history: weeks }))).toEqual({ state: 'breach', expected: 100, deviation: 4 });
  });
});

test.each([
  [[3], 3],
  [[1, 2], 1.5],
  [[9, 1, 5], 5],
  [[10, 9, 100, 1], 9.5],
])('the median of %j is %d', (numbers, expected) => expect(median(numbers)).toBe(expected));

test('what is not judged neither begins nor ends a breach', () => {
  const judged = (value: string, state: 'breach' | 'fine' | 'not_judged'): Judged => {
    const verdict: Verdict = state === 'not_judged' ? { state, reason: 'no_figure' } : { state, expected: 1 };
    return { ...point(1), value, verdict };
  };
  const all = [
    judged('new', 'breach'),
    judged('still', 'breach'),
    judged('gone', 'fine'),
    judged('never', 'fine'),
    judged('unknown', 'not_judged'),
    judged('unknown new', 'not_judged'),
  ];
  const { fired, over } = findTransitions(all, new Set(['still', 'gone', 'unknown']));
  expect(fired.map(({ value }) => value)).toEqual(['new']);
  expect(over.map(({ value }) => value)).toEqual(['gone']);
});

describe('a condition is refused by the name of its field', () => {
  test.each([
    [{}, 'condition.type: must be one of threshold, change, unusual, nothing_received, refusals_doubled, export_late'],
    [{ type: 'constructor' }, /^condition\.type: must be one of/],
    [{ type: 'threshold', direction: 'above' }, /^condition: "value" is required/],
    [{ type: 'threshold', direction: 'over', value: 1 }, /^condition\.direction/],
    [{ type: 'change', direction: 'up', percent: 0 }, /^condition\.percent/],
    [{ type: 'unusual', factor: 0.5 }, /^condition\.factor/],
    [{ type: 'nothing_received', hours: 0, kind: 'click' }, /^condition\.hours/],
    [{ type: 'nothing_received', hours: 1, kind: 'spend' }, /^condition\.kind/],
    [{ type: 'nothing_received', hours: 1, kind: 'web_event', partner_id: 1 }, /^condition\.partner_id/],
    [{ type: 'refusals_doubled', hours: 25 }, /^condition\.hours/],
    [{ type: 'export_late', hours: 337 }, /^condition\.hours/],
    [{ type: 'refusals_doubled', hours: 1, more: 1 }, /^condition: unknown field/],
  ])('%j', (given, message) => expect(() => readCondition(given)).toThrow(message));
});

/** How reports write counts, money, ratios and shares: rounded half up, of any size, and 0 for a share of nothing. */
import {
  countDecimals,
  formatCount,
  formatMoney,
  formatPercent,
  formatRatio,
  toPercent,
} from '../../../src/lib/format';
import { money } from '../../support/reports/figures';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the count %d is %s', (count, text) => expect(formatCount(count)).toBe(text));

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['XXX', 2],
])('amounts of %s have %d decimals', (currency, decimals) => expect(countDecimals(currency)).toBe(decimals));

test.each([
  ['12540.5', 'USD', '$12,540.50'],
  ['0', 'USD', '$0.00'],
  ['0.005', 'USD', '$0.01'],
  ['0.0049999', 'USD', '$0.00'],
  ['1.005', 'USD', '$1.01'],
  ['2.675', 'USD', '$2.68'],
  // Negative money is rounded away from zero too, and what is rounded to nothing has no sign.
  ['-1.005', 'USD', '-$1.01'],
  ['-0.004', 'USD', '$0.00'],
  // As many decimals as the currency has.
  ['1234.5', 'JPY', '¥1,235'],
  ['1.2345', 'KWD', 'KWD\u00a01.235'],
  ['100000', 'INR', '₹100,000.00'],
  ['1', 'EUR', '€1.00'],
  ['1', 'XXX', '¤1.00'],
  // Beyond what a number holds exactly.
  ['9007199254740993.01', 'USD', '$9,007,199,254,740,993.01'],
  // The last few digits of 27 are what conversion was off by.
  ['0.004999999999999999999999999', 'USD', '$0.01'],
  ['0.005000000000000000000000001', 'USD', '$0.01'],
])('%s in %s is %s', (amount, currency, text) => expect(formatMoney(money(amount), currency)).toBe(text));

test.each([
  ['5', '2', '2.50'],
  ['1', '3', '0.33'],
  ['2', '3', '0.67'],
  ['1', '200', '0.01'],
  ['1', '201', '0.00'],
  ['-1', '200', '-0.01'],
  ['1000000', '0.01', '100000000.00'],
  ['0', '7', '0.00'],
])('%s over %s is %s', (dividend, divisor, text) => expect(formatRatio(money(dividend), money(divisor))).toBe(text));

test.each([
  [1, 3, 33.33, '33.33%'],
  [2, 3, 66.67, '66.67%'],
  [1, 1, 100, '100.00%'],
  [3, 2, 150, '150.00%'],
  [0, 5, 0, '0.00%'],
  // Half a hundredth of a percent is rounded up.
  [1, 20_000, 0.01, '0.01%'],
  [1, 20_001, 0, '0.00%'],
  [4482, 10_000, 44.82, '44.82%'],
])('%d of %d', (part, whole, percent, text) => {
  expect(toPercent(part, whole)).toBe(percent);
  expect(formatPercent(part, whole)).toBe(text);
});

test('a share of nothing is written as 0', () => expect(formatPercent(5, 0)).toBe('0.00%'));

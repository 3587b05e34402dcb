/** Decimal numbers as people, files and JSON write them, kept exact and rounded half up. */
import { Decimal, readDecimal, toUnits } from '../../../src/lib/decimal';

describe('readDecimal', () => {
  test.each<[unknown, string]>([
    [0, '0.00'],
    [5, '5.00'],
    [9.99, '9.99'],
    [-0.5, '-0.50'],
    ['12.3', '12.30'],
    [' 7 ', '7.00'],
    ['+7', '7.00'],
    ['007.10', '7.10'],
    ['7.', '7.00'],
    // Half up, away from zero.
    ['0.005', '0.01'],
    ['0.0049999999999999999999', '0.00'],
    ['1.005', '1.01'],
    [1.005, '1.01'],
    ['-1.005', '-1.01'],
    ['0.995', '1.00'],
    // What is rounded to nothing has no sign.
    ['-0.004', '0.00'],
    [-0, '0.00'],
    // Exponents, as JSON numbers have them where they are very small or very great.
    [1e-7, '0.00'],
    ['1e2', '100.00'],
    ['1.5E+2', '150.00'],
    ['12345e-3', '12.35'],
    ['5e-3', '0.01'],
    // As great as 6 digits can be.
    ['999999.99', '999999.99'],
    ['999999.994', '999999.99'],
    ['-999999.99', '-999999.99'],
  ])('%j to two decimals is %s', (value, expected) => expect(readDecimal(value, 2, 6)).toBe(expected));

  test.each<[unknown]>([
    [''],
    [' '],
    ['.5'],
    ['-'],
    ['1,5'],
    ['1 000'],
    ['0x10'],
    ['1e'],
    ['1e1000'],
    ['NaN'],
    ['Infinity'],
    [NaN],
    [Infinity],
    [null],
    [undefined],
    [true],
    [['1']],
    [{}],
    // More than 6 digits before the point, perhaps only when rounded.
    ['1000000'],
    ['999999.995'],
    ['-1000000'],
    [1e21],
    ['1e999'],
  ])('%j is none, or too great', (value) => expect(readDecimal(value, 2, 6)).toBeUndefined());

  test('without decimals there is no point', () => {
    expect(readDecimal('2.5', 0, 6)).toBe('3');
    expect(readDecimal('-2.5', 0, 6)).toBe('-3');
    expect(readDecimal('2.4999', 0, 6)).toBe('2');
  });

  test('every digit is kept where there is room for it', () =>
    expect(readDecimal('12345678901234567890.123456789012345678', 18, 20)).toBe(
      '12345678901234567890.123456789012345678',
    ));
});

test('equal amounts are equal however they are written, and others are not', () => {
  expect(toUnits(new Decimal('1.5'))).toEqual(toUnits(new Decimal('1.500')));
  expect(toUnits(new Decimal('-0.10'))).toEqual(toUnits(new Decimal('-0.1')));
  expect(toUnits(new Decimal('0.000000000000000000000000001'))).not.toEqual(toUnits(new Decimal('0')));
});

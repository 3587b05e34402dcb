/** How reports write numbers (docs/contract.md, App report; pure). */
import { decimalText, divide } from './decimal';

/** Money is computed in units of 10^-27, and differs from the exact value, where that has no end, in the last few at most. */
export const MONEY_SCALE = 27;
/** What is left after those few are rounded away. */
const EXACT_SCALE = 18;

const counts = new Intl.NumberFormat('en-US');
const monies = new Map<string, Intl.NumberFormat>();

/** `3201` as `3,201`. */
export const formatCount = (count: number): string => counts.format(count);

/** Units of money as `$12,540.50`, rounded half up to what the currency has. */
export function formatMoney(units: bigint, currency: string): string {
  let format = monies.get(currency);
  if (!format)
    monies.set(
      currency,
      (format = new Intl.NumberFormat('en-US', { style: 'currency', currency, signDisplay: 'negative' })),
    );
  const exact = divide(units, 10n ** BigInt(MONEY_SCALE - EXACT_SCALE), 0);
  return format.format(decimalText(exact, EXACT_SCALE) as Intl.StringNumericLiteral);
}

/** A quotient with two decimals, `2.35`. */
export const formatRatio = (dividend: bigint, divisor: bigint): string => decimalText(divide(dividend, divisor, 2), 2);

/** A share of a whole in percent, rounded to two decimals: 44.82. */
export const percentOf = (part: number, whole: number): number =>
  Number(divide(100n * BigInt(part), BigInt(whole), 2)) / 100;

/** A share of a whole as `12.34%`; of nothing, `0.00%`. */
export const formatPercent = (part: number, whole: number): string =>
  `${decimalText(whole === 0 ? 0n : divide(100n * BigInt(part), BigInt(whole), 2), 2)}%`;

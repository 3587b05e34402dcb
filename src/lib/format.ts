/** How reports write numbers (docs/contract/app-report.md; pure). */
import { Decimal, toText } from './decimal';

/** An amount that has no end is inexact in its last decimals at most; these are left out before it is written. */
const EXACT_DECIMALS = 18;

const counts = new Intl.NumberFormat('en-US');
const currencies = new Map<string, Intl.NumberFormat>();

/** How many decimals amounts of a currency have: of JPY none, of KWD three. */
export const countDecimals = (currency: string): number =>
  currencyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** `3201` as `3,201`. */
export const formatCount = (count: number): string => counts.format(count);

/** An amount of money as `$12,540.50`, rounded half up to what the currency has. */
export function formatMoney(amount: Decimal, currency: string): string {
  return currencyFormat(currency).format(toText(amount, EXACT_DECIMALS) as Intl.StringNumericLiteral);
}

function currencyFormat(currency: string): Intl.NumberFormat {
  const known = currencies.get(currency);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, signDisplay: 'negative' });
  currencies.set(currency, format);
  return format;
}

/** A quotient with two decimals, `2.35`. */
export const formatRatio = (dividend: Decimal, divisor: Decimal): string => toText(dividend.div(divisor), 2);

const percent = (part: number, whole: number) => toText(new Decimal(part).times(100).div(whole), 2);

/** A share of a whole in percent, rounded to two decimals: 44.82. */
export const toPercent = (part: number, whole: number): number => Number(percent(part, whole));

/** A share of a whole as `12.34%`; of nothing, `0.00%`. */
export const formatPercent = (part: number, whole: number): string => `${whole === 0 ? '0.00' : percent(part, whole)}%`;

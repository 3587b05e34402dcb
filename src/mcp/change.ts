/**
 * Takes the difference of a figure between two ranges apart, by the groups of a dimension (docs/contract/mcp.md; pure).
 * All amounts are whole numbers of 10^-18, so that parts and remainder add up to the difference, digit by digit.
 */
import { Decimal } from '../lib/decimal';

const DECIMALS = 18;
const ONE = 10n ** BigInt(DECIMALS);

/** What a figure is made of in one range: an amount, divided by another one where it is a quotient. */
export interface Sums {
  readonly amount: bigint;
  /** Undefined of figures that are no quotients. */
  readonly divisor?: bigint;
}

/** A group in both ranges; a range in which it has nothing has zeros. */
export interface Group {
  readonly before: Sums;
  readonly after: Sums;
}

/** How the figure is made of the quotient, as 100 / 1 for per cent. */
export interface Scale {
  readonly times: bigint;
  readonly by: bigint;
}

export interface Effects {
  /** That the group's own quotient changed, at its mean weight. */
  readonly rate: bigint;
  /** That its weight in the divisor changed, at its mean distance from the whole. */
  readonly mix: bigint;
  /** That its amount changed in a range in which it has no divisor. */
  readonly unmatched: bigint;
}

export interface Change {
  readonly difference: bigint;
  /** Quotients have them. */
  readonly effects?: Effects;
}

export interface Decomposition {
  readonly before: bigint;
  readonly after: bigint;
  readonly difference: bigint;
  /** In the order of the groups. */
  readonly parts: readonly Change[];
  /** What the parts leave of the difference. */
  readonly remainder: bigint;
}

/** A decimal text as a whole number of 10^-18; what is smaller is rounded. */
export const readUnits = (text: string): bigint => BigInt(new Decimal(text).times(`1e${DECIMALS}`).toFixed(0));

/** The same as plain digits, without zeros at the end. */
export function writeUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0');
  const split = digits.length - DECIMALS;
  let end = digits.length;
  while (end > split && digits[end - 1] === '0') end -= 1;
  const part = end > split ? `.${digits.slice(split, end)}` : '';
  return `${units < 0n ? '-' : ''}${digits.slice(0, split)}${part}`;
}

/** A quotient of whole numbers, rounded half away from zero. */
function divide(amount: bigint, by: bigint): bigint {
  const [a, b] = by < 0n ? [-amount, -by] : [amount, by];
  return a < 0n ? -((-a * 2n + b) / (2n * b)) : (a * 2n + b) / (2n * b);
}

/** The figure of some sums; undefined for a quotient by nothing. */
export function readFigure({ amount, divisor }: Sums, { times, by }: Scale): bigint | undefined {
  if (divisor === undefined) return divide(amount * times, by);
  return divisor === 0n ? undefined : divide(amount * times * ONE, divisor * by);
}

/** Undefined where the figure has no value in one of the ranges. */
export function decompose(total: Group, groups: readonly Group[], scale: Scale): Decomposition | undefined {
  const [before, after] = [readFigure(total.before, scale), readFigure(total.after, scale)];
  if (before === undefined || after === undefined) return undefined;
  const difference = after - before;
  const isQuotient = total.before.divisor !== undefined;
  const parts = groups.map((group) => (isQuotient ? compareQuotients(total, group, scale) : compare(group, scale)));
  const remainder = parts.reduce((left, part) => left - part.difference, difference);
  return { before, after, difference, parts, remainder };
}

const compare = ({ before, after }: Group, { times, by }: Scale): Change => ({
  difference: divide(after.amount * times, by) - divide(before.amount * times, by),
});

/**
 * With the weight `w` of a group in the divisor, its own quotient `r` and that of the whole `R`: a rate effect of
 * `(w0 + w1) / 2 * (r1 - r0)` and a mix effect of `(w1 - w0) * ((r0 + r1) / 2 - (R0 + R1) / 2)`. Their sum over all
 * groups is `R1 - R0`. A group that is in one range only has the same quotient in the other one: all of it is mix.
 */
function compareQuotients({ before: whole0, after: whole1 }: Group, { before, after }: Group, scale: Scale): Change {
  const [n0, n1, d0, d1] = [before.amount, after.amount, before.divisor ?? 0n, after.divisor ?? 0n];
  const [N0, N1, D0, D1] = [whole0.amount, whole1.amount, whole0.divisor ?? 0n, whole1.divisor ?? 0n];
  const scaled = (amount: bigint, by: bigint) => divide(amount * scale.times * ONE, by * scale.by);
  const unmatched = (d1 === 0n ? scaled(n1, D1) : 0n) - (d0 === 0n ? scaled(n0, D0) : 0n);
  let [rate, mix] = [0n, 0n];
  if (d0 !== 0n || d1 !== 0n) {
    const [a0, b0] = d0 === 0n ? [n1, d1] : [n0, d0];
    const [a1, b1] = d1 === 0n ? [n0, d0] : [n1, d1];
    const wholes = 2n * D0 * D1;
    const own = b0 * b1;
    rate = scaled((d0 * D1 + d1 * D0) * (a1 * b0 - a0 * b1), wholes * own);
    // The mean quotients of the group and of the whole, of twice their denominators.
    const distance = (a0 * b1 + a1 * b0) * D0 * D1 - (N0 * D1 + N1 * D0) * own;
    mix = scaled((d1 * D0 - d0 * D1) * distance, wholes * own * D0 * D1);
  }
  return { difference: rate + mix + unmatched, effects: { rate, mix, unmatched } };
}

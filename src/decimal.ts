/** Exact decimal numbers as text: what binary fractions cannot hold (pure). */

const FORM = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal number as plain digits with `scale` decimals, rounded half up (away from zero); undefined for what is no
 * number, or has more than `digits` digits before the point. Takes JSON numbers, and text as people and files write it.
 */
export function readDecimal(value: unknown, scale: number, digits: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const [, sign, whole = '', fraction = '', exponent = '0'] = FORM.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const unscaled = shift(BigInt(whole + fraction), Number(exponent) - fraction.length + scale);
  if (unscaled >= 10n ** BigInt(digits + scale)) return undefined;
  return decimalText(sign === '-' ? -unscaled : unscaled, scale);
}

/** A whole number of units of 10^-scale, written as a decimal. */
export function decimalText(units: bigint, scale: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** `value` times 10^by, rounded half up. */
function shift(value: bigint, by: number): bigint {
  if (by >= 0) return value * 10n ** BigInt(by);
  const divisor = 10n ** BigInt(-by);
  return (value + divisor / 2n) / divisor;
}

/** A decimal number as units of 10^-scale; the text must be one, and have no more decimals. */
export function unitsOf(text: string, scale: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = FORM.exec(text) ?? [];
  const units = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '-' ? -units : units;
}

/** A quotient of whole numbers in units of 10^-scale, rounded half up (away from zero). */
export function divide(dividend: bigint, divisor: bigint, scale: number): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * a * 10n ** BigInt(scale) + b) / (2n * b);
  return isNegative ? -quotient : quotient;
}

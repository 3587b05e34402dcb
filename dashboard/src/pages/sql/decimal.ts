/** Decimals as ClickHouse writes them, compared and added exactly: some are larger than JavaScript's numbers hold. */

interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

function parse(value: unknown): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

const raise = ({ units, scale }: Decimal, to: number) => units * 10n ** BigInt(to - scale);

/** Which of two numbers is greater, exactly where both are decimals. */
export function compareNumbers(a: unknown, b: unknown): number {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return Number(a) - Number(b);
  const scale = Math.max(one.scale, other.scale);
  const [left, right] = [raise(one, scale), raise(other, scale)];
  return left < right ? -1 : Number(left > right);
}

/** The sum of numbers as text, exact where all are decimals; null where there is none. */
export function addNumbers(values: readonly unknown[]): string | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length === 0) return null;
  const parsed = known.map(parse);
  if (parsed.includes(undefined)) return String(known.reduce<number>((sum, one) => sum + Number(one), 0));
  const decimals = parsed as Decimal[];
  const scale = Math.max(...decimals.map((one) => one.scale));
  const units = decimals.reduce((sum, one) => sum + raise(one, scale), 0n);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

/** Values of ClickHouse as text and as numbers. */

/** `Nullable(Decimal(18, 4))` and the like are numbers; big ones come as text. */
export const isNumeric = (type: string): boolean =>
  /^(Nullable\(|LowCardinality\()*(U?Int\d+|Float\d+|Decimal)/.test(type);

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function readNumber(value: unknown): number | null {
  const number = value === null || value === '' ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** On an axis an instant is short. */
export const labelText = (label: string): string => label.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2');

/** Reads Parquet files with a second program: the one of Apache Arrow for Rust. */
import { DataType, tableFromIPC, type Decimal, type Table, type Vector } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';

export interface ArrowColumn {
  readonly name: string;
  /** As Arrow names it: `Utf8`, `Decimal[38e+9]`, `List<Struct<…>>`. */
  readonly type: string;
  readonly nullable: boolean;
}

/** Numbers are texts of all their digits, behind `#`; times and days are those of ISO 8601. */
export interface ArrowRows {
  readonly columns: readonly ArrowColumn[];
  readonly rows: readonly Record<string, unknown>[];
}

export function readArrow(bytes: Uint8Array): ArrowRows {
  const table: Table = tableFromIPC(readParquet(bytes).intoIPCStream());
  const columns = table.schema.fields.map(({ name, type, nullable }) => ({ name, type: String(type), nullable }));
  const vectors = columns.map(({ name }) => ({ name, vector: table.getChild(name) as Vector<DataType> }));
  const readRow = (row: number): Record<string, unknown> =>
    Object.fromEntries(vectors.map(({ name, vector }) => [name, readValue(vector.type, vector.get(row) as unknown)]));
  const rows = Array.from({ length: table.numRows }, (_, row) => readRow(row));
  return { columns, rows };
}

function readValue(type: DataType, value: unknown): unknown {
  if (value === null) return null;
  if (DataType.isTimestamp(type)) return new Date(value as number).toISOString();
  if (DataType.isDate(type)) return new Date(value as number).toISOString().slice(0, 10);
  if (DataType.isDecimal(type)) return `#${readDecimal(type, value as Uint32Array)}`;
  if (DataType.isInt(type) || DataType.isFloat(type)) return `#${(value as number | bigint).toString()}`;
  if (DataType.isList(type))
    return Array.from(value as Vector, (one: unknown) => readValue(type.children[0]?.type as DataType, one));
  if (DataType.isStruct(type)) {
    const fields = (value as { toJSON(): Record<string, unknown> }).toJSON();
    return Object.fromEntries(
      type.children.map((child) => [child.name, readValue(child.type as DataType, fields[child.name])]),
    );
  }
  return value;
}

/** Words of 32 bits, the lowest first, as a whole number of `scale` decimal places; without zeros at its end. */
function readDecimal({ scale }: Decimal, words: Uint32Array): string {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const whole = BigInt.asIntN(words.length * 32, unsigned);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, '0');
  const places = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${places && `.${places}`}`;
}

/** Tables as files: CSV, NDJSON and Parquet, written row by row, whatever their length. */
import { pipeline, Readable, Transform } from 'node:stream';
import { stringify } from 'csv-stringify';

export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number';
}

/** How a CSV file is written; other formats leave no choice. */
export interface CsvOptions {
  /** Values exactly as they are, so that they join with those of other files; else spreadsheets run none of them. */
  readonly exact?: boolean;
  /** Whether a byte order mark comes first, by which Excel knows UTF-8. */
  readonly bom?: boolean;
}

type Rows = AsyncIterable<readonly unknown[]>;
type Encode = (columns: readonly Column[], rows: Rows, csv: CsvOptions) => Readable;

/** Rows that are encoded at a time: Parquet's take some milliseconds, in which nothing else happens. */
const GROUP_ROWS = 4_000;

export const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8', accept: 'text/csv', encode: toCsv },
  ndjson: { type: 'application/x-ndjson', accept: 'application/x-ndjson', encode: toNdjson },
  parquet: { type: 'application/vnd.apache.parquet', accept: 'application/vnd.apache.parquet', encode: toParquet },
} as const satisfies Record<string, { type: string; accept: string; encode: Encode }>;
export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/**
 * What a spreadsheet would run as a formula is made a text by an apostrophe before it, unless the file is `exact`;
 * numbers stay numbers.
 */
function toCsv(columns: readonly Column[], rows: Rows, { exact = false, bom = false }: CsvOptions): Readable {
  const csv = stringify({
    header: true,
    bom,
    columns: columns.map(({ name }) => name),
    escape_formulas: !exact,
    // An empty line is no row to those who read it.
    quoted_empty: columns.length === 1,
    cast: {
      string: (value, { index, header }) =>
        header || columns[index]?.type === 'text' ? value : { value, escape_formulas: false },
      object: (value) => JSON.stringify(value),
    },
  });
  return through(rows, csv);
}

function toNdjson(columns: readonly Column[], rows: Rows): Readable {
  const names = columns.map(({ name }) => name);
  const lines = new Transform({
    writableObjectMode: true,
    transform(row: readonly unknown[], _encoding, done) {
      done(null, `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at]])))}\n`);
    },
  });
  return through(rows, lines);
}

/** The rows as `encoder` writes them: where one of both ends early, so does the other. */
const through = (rows: Rows, encoder: Transform): Readable => pipeline(Readable.from(rows), encoder, () => undefined);

const PARQUET_TYPES = { text: 'STRING', integer: 'INT64', number: 'DOUBLE' } as const;

/** The bytes of a Parquet file with row groups of some thousand rows, each written when it is asked for. */
function toParquet(columns: readonly Column[], rows: Rows): Readable {
  return Readable.from(parquetChunks(columns, rows), { objectMode: false });
}

async function* parquetChunks(columns: readonly Column[], rows: Rows): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  /** What has been written since the last time; the offsets in the file continue. */
  const taken = () => {
    const bytes = Uint8Array.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  const transpose = (group: readonly (readonly unknown[])[]) =>
    columns.map(({ name, type }, at) => ({
      name,
      type: PARQUET_TYPES[type],
      nullable: true,
      data: group.map((row) => (type === 'integer' && typeof row[at] === 'number' ? BigInt(row[at]) : row[at])),
    }));
  const parquet = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: transpose([]) }) });
  for await (const group of inGroups(rows)) {
    await parquet.write({ columnData: transpose(group), rowGroupSize: GROUP_ROWS });
    yield taken();
  }
  await parquet.finish();
  yield taken();
}

async function* inGroups(rows: Rows): AsyncGenerator<(readonly unknown[])[]> {
  let group: (readonly unknown[])[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < GROUP_ROWS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Records of a view as files, and up to when they are complete: for exports on request, and scheduled ones. */
import { Readable } from 'node:stream';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { ExportRunner } from '../files/export-runner';
import type { Format } from '../files/formats';
import { VIEWS, type RecordKind } from '../files/kinds';
import { MINUTE_MS } from '../lib/time';

export interface CompleteParts {
  readonly postgres: Postgres;
  /** Up to which receipt time, in milliseconds, everything that any process has accepted is in ClickHouse. */
  readonly settled: () => Promise<number>;
  readonly now: () => number;
}

/** An attempt to deliver is in ClickHouse so long after it began. */
const ATTEMPT_MS = 5 * MINUTE_MS;
const decidedText = readQuery('sql', 'export.decided-until');
const columnsText = readQuery('clickhouse', 'export.columns');

/** Attempts come from no ingest log; installs are records once they are decided. */
export async function readCompleteUntil(kind: RecordKind, { postgres, settled, now }: CompleteParts): Promise<number> {
  if (kind === 'postbacks') return now() - ATTEMPT_MS;
  return Math.min(await settled(), kind === 'installs' ? await decidedUntil(postgres) : Infinity);
}

/** Up to which receipt time installs are decided. */
async function decidedUntil(postgres: Postgres): Promise<number> {
  const [row] = await postgres.rows<{ settled: number }>(decidedText);
  return row?.settled ?? 0;
}

/** A moment as statements take it. */
export const writeMoment = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/** A statement with what it binds. */
export interface Records {
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type ColumnRow = {
  readonly name: string;
  readonly type: 'text' | 'number';
  readonly text_ids: string | null;
  readonly json: string | null;
};

/**
 * Every reader of Parquet knows Snappy. Row groups of the size that ClickHouse takes by itself would be ten times as
 * large, in memory too; filters and indexes within the file take a third of the time and help nobody who loads it.
 */
const PARQUET = {
  output_format_parquet_compression_method: 'snappy',
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_write_bloom_filter: 0,
  output_format_parquet_write_page_index: 0,
} as const;
/** NULL is nothing, where an empty text is a pair of quotes; what is in a list or tuple keeps all its digits. */
const CSV = {
  format_csv_null_representation: '',
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
} as const;
const BYTE_ORDER_MARK = '\ufeff';

/** Numbers are given digit by digit, and texts letter by letter, as they are stored. */
export async function openRecords(
  { clickhouse, limits }: Pick<ExportRunner, 'clickhouse' | 'limits'>,
  kind: RecordKind,
  format: Format,
  { text, params }: Records,
  bom = false,
): Promise<Readable> {
  if (format === 'ndjson') return clickhouse.file(text, params, 'JSONEachRow', limits);
  const columns = await clickhouse.rows<ColumnRow>(columnsText, { view: VIEWS[kind] });
  const replacing = (replaced: readonly (string | null)[]) => withColumns(text, replaced);
  if (format === 'parquet') {
    // The UUIDs of Parquet are bytes to pandas and refused by Spark.
    const texts = replacing(columns.map(({ text_ids }) => text_ids));
    return clickhouse.file(texts, params, 'Parquet', { ...limits, ...PARQUET });
  }
  const lists = replacing(columns.map(({ json }) => json));
  const rows = await clickhouse.file(lists, params, 'CSV', { ...limits, ...CSV });
  const head = `${bom ? BYTE_ORDER_MARK : ''}${columns.map(({ name }) => name).join(',')}\n`;
  return Readable.from(withHead(head, rows), { objectMode: false });
}

/** The statement with expressions in the place of some columns. */
function withColumns(text: string, expressions: readonly (string | null)[]): string {
  const replaced = expressions.filter((one) => one !== null);
  return replaced.length === 0 ? text : `SELECT * REPLACE (${replaced.join(', ')}) FROM (\n${text})`;
}

/** The head comes with the first rows: what fails before them is an answer like others. */
async function* withHead(head: string, rows: Readable): AsyncGenerator<Buffer> {
  let before = Buffer.from(head);
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    yield before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    before = Buffer.alloc(0);
  }
  if (before.length > 0) yield before;
}

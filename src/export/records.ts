/** Records of a view as files, and up to when they are complete: for exports on request, and scheduled ones. */
import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { FileReads } from '../files/export-runner';
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
const writeMoment = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/** A statement with what it binds. */
export interface Records {
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** By what a record is of a period: the name of the statement that selects those of one (clickhouse/queries). */
export const ARRIVALS = {
  clicks: 'touches',
  impressions: 'touches',
  'ctv-impressions': 'touches',
  installs: 'received',
  'app-events': 'received',
  'web-events': 'received',
  spend: 'received',
  postbacks: 'attempts',
} as const satisfies Record<RecordKind, string>;

/** What selects the records of a project from `from` until before `to`, in milliseconds. */
export const bindRecords = (kind: RecordKind, project: number, from: number, to: number) => ({
  view: VIEWS[kind],
  project_id: project,
  from: writeMoment(from),
  to: writeMoment(to),
});

export const selectRecords = (kind: RecordKind, project: number, from: number, to: number): Records => ({
  text: readQuery('clickhouse', `export.${ARRIVALS[kind]}`),
  params: bindRecords(kind, project, from, to),
});

type ColumnRow = { readonly name: string; readonly text_ids: string | null; readonly csv: string };

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

/** JSON within CSV: every digit is kept by whoever reads it, and nothing is escaped that need not be. */
const CSV = {
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_escape_forward_slashes: 0,
} as const;
/** By which Excel knows UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Numbers are given digit by digit, and texts letter by letter, as they are stored. */
export async function openRecords(
  { clickhouse, limits }: FileReads,
  kind: RecordKind,
  format: Format,
  { text, params }: Records,
  bom = false,
): Promise<Readable> {
  if (format === 'ndjson') return clickhouse.file(text, params, 'JSONEachRow', limits);
  const columns = await clickhouse.rows<ColumnRow>(columnsText, { view: VIEWS[kind] });
  if (format === 'parquet')
    return clickhouse.file(withTextIds(text, columns), params, 'Parquet', { ...limits, ...PARQUET });
  const lines = await clickhouse.file(asLines(text, columns), params, 'LineAsString', { ...limits, ...CSV });
  const header = columns.map(({ name }) => name).join(',');
  return withHeading(`${bom ? BYTE_ORDER_MARK : ''}${header}\n`, lines);
}

/** The UUIDs of Parquet are bytes to pandas and refused by Spark. */
function withTextIds(text: string, columns: readonly ColumnRow[]): string {
  const replaced = columns.flatMap(({ text_ids }) => text_ids ?? []);
  return replaced.length === 0 ? text : `SELECT * REPLACE (${replaced.join(', ')}) FROM (\n${text})`;
}

/** ClickHouse's own CSV puts every text in quotes. */
const asLines = (text: string, columns: readonly ColumnRow[]) =>
  `SELECT concat(${columns.map(({ csv }) => csv).join(", ',', ")}) FROM (\n${text})`;

/** `body` with a text before it; where one of both ends early, so does the other. */
function withHeading(heading: string, body: Readable): Readable {
  const whole = new PassThrough();
  whole.write(heading);
  return pipeline(body, whole, () => undefined);
}

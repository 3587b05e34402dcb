/** What a data engineer may set: how results look, and limits of one's own below those of everybody. */
import { MAX_BACKTRACKS } from '../../lib/parser-bounds';
import { DIALECT_SETTINGS } from '../../lib/sql-dialect';
import { ClickHouseException } from './errors';

export type ReaderLimits = Readonly<Record<'max_execution_time' | 'max_memory_usage' | 'max_result_rows', number>>;

/** What one query of a reader may cost. */
export const READER_LIMITS: ReaderLimits = {
  max_execution_time: 60,
  max_memory_usage: 4_000_000_000,
  max_result_rows: 10_000_000,
};

/** For the users of SQL pages. */
export const CONSOLE_LIMITS: ReaderLimits = {
  max_execution_time: 15,
  max_memory_usage: 1_000_000_000,
  max_result_rows: 100_001,
};

/** Further limits that a reader may tighten; they have no bound of ours. */
const OWN_LIMITS = new Set(['max_threads', 'max_result_bytes', 'max_rows_to_read', 'max_bytes_to_read']);

/** What the HTTP interface itself reads, and what clients send along unasked. */
const TRANSPORT = new Set([
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_wait_end_of_query',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'send_progress_in_http_headers',
  'cancel_http_readonly_queries_on_client_close',
  'add_http_cors_header',
  'session_timezone',
]);

const DIALECT: ReadonlySet<string> = new Set(DIALECT_SETTINGS);

/** What clients send along of their own accord and what changes nothing for those who only read: it is left out. */
const MEANINGLESS: ReadonlyMap<string, RegExp> = new Map([
  ['extremes', /^(?:0|false)$/],
  ['select_sequential_consistency', /^(?:0|1|true|false)$/],
  ['date_time_input_format', /^[a-z_]+$/],
  ['cast_string_to_dynamic_use_inference', /^[01]$/],
]);

const OUTPUT = new RegExp(
  '^(?:output_format_\\w+|format_(?:csv|tsv|custom)_\\w+|format_json_object_each_row_column_for_object_name|' +
    '(?:date_time|interval)_output_format)$',
);
/** Settings of output that name a file or a server. */
const NOT_OUTPUT = /schema|template|registry|subject|url|path/;

/**
 * The settings to put in force for a reader: those of its request's address and, before them, those of its statement,
 * checked, over the limits of all such readers. `refused` are some that this reader may not set.
 */
export function readerSettings(
  ofAddress: ReadonlyMap<string, string>,
  ofStatement: ReadonlyMap<string, string>,
  limits: ReaderLimits,
  refused: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const settings = new Map<string, string>([
    ...Object.entries(limits).map(([name, value]) => [name, String(value)] as const),
    ['max_temporary_data_on_disk_size_for_query', '10000000000'],
    ['max_parser_backtracks', String(MAX_BACKTRACKS)],
    ['result_overflow_mode', 'throw'],
    ['timeout_overflow_mode', 'throw'],
  ]);
  const given = [
    ...[...ofAddress]
      .filter(([name, value]) => !MEANINGLESS.get(name)?.test(value))
      .map(([name, value]) => [name, within(name, value, limits)] as const),
    ...ofStatement,
  ];
  for (const [name, value] of given) {
    // Readers are always read-only; what is asked beyond 0 changes nothing.
    if (name === 'readonly' && (value === '1' || value === '2')) continue;
    if (refused.has(name)) throw notChangeable(name);
    check(name, value, limits);
    settings.set(name, value);
  }
  return settings;
}

/** Clients put their own patience, which nobody chose, into the address: more than the limit is the limit. */
function within(name: string, value: string, limits: ReaderLimits): string {
  const most = name === 'max_execution_time' ? limits.max_execution_time : Infinity;
  return /^\d+$/.test(value) && Number(value) > most ? String(most) : value;
}

function check(name: string, value: string, limits: ReaderLimits): void {
  if (name in limits) return checkLimit(name, value, limits[name as keyof ReaderLimits]);
  if (OWN_LIMITS.has(name)) return checkLimit(name, value, Number.MAX_SAFE_INTEGER);
  if (name === 'result_overflow_mode' && (value === 'throw' || value === 'break')) return;
  if (DIALECT.has(name) && /^[01]$/.test(value)) return;
  if (TRANSPORT.has(name) || (OUTPUT.test(name) && !NOT_OUTPUT.test(name))) return;
  throw notChangeable(name);
}

const notChangeable = (name: string) =>
  new ClickHouseException(164, 'READONLY', `reader: Cannot modify '${name}' setting in readonly mode`);

function checkLimit(name: string, value: string, most: number): void {
  // 0 is no limit at all.
  if (/^[1-9]\d*$/.test(value) && Number(value) <= most) return;
  throw new ClickHouseException(
    452,
    'SETTING_CONSTRAINT_VIOLATION',
    `Setting ${name} takes a whole number from 1 to ${most} here`,
  );
}

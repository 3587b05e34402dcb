/** Reads rows of ad spend into legal values (docs/contract.md, Collectors). */
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { readDecimal } from '../decimal';
import { ApiError } from '../errors';
import { findUnstorableText } from '../text';
import { isDay } from '../time';
import { nextSlice } from '../slices';
import { requireMaxRows, type BatchLimits, type FieldError, type Row } from '../batch';
import { isTooLarge, REASONS } from './batch';

/** Why a row is refused. */
export const SPEND_REASONS = [...REASONS, 'unknown_account', 'unknown_campaign'] as const;
export type SpendError = FieldError<(typeof SPEND_REASONS)[number]>;

/** A row that is legal by itself; whether its account and campaign exist is another question. */
export interface SpendRow {
  /** Day in the project's time zone, YYYY-MM-DD. */
  readonly date: string;
  /** Code of the ad network in capitals; empty for spend with a partner. */
  readonly network: string;
  /** external_customer_id; empty where none is given. */
  readonly account: string;
  /** The network's ID of the campaign, or a display_id where there is no network. */
  readonly campaignId: string;
  readonly names: Readonly<Record<'campaign_name' | 'ad_set_name' | 'ad_name' | 'keyword_name', string>>;
  readonly ids: Readonly<Record<'ad_set_id' | 'ad_id' | 'keyword_id', string>>;
  readonly platform: 'ANDROID' | 'IOS' | '';
  readonly impressions: number;
  readonly clicks: number;
  /** Decimal with nine decimals. */
  readonly spend: string;
  readonly currency: string;
}

export const SPEND_LIMITS = { field: 'rows', maxRows: 10_000, container: 'request' } as const satisfies BatchLimits;
export const MAX_ID = 255;
export const MAX_NAME = 1_024;
/** Decimals and digits before the point of an amount of money. */
const SCALE = 9;
const DIGITS = 15;
/** The days that a ClickHouse Date holds. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2149-06-06'];

/** More columns than anybody exports; those that are not read cost time all the same. */
const MAX_COLUMNS = 200;
/** Of a line and of a row, in characters; one that is legal has far fewer. */
const MAX_RECORD = 128 * 1024;
/** How many characters are parsed before other requests get their turn. */
const SLICE = 32 * 1024;

/**
 * The rows of a CSV file, whose first line names the columns; an empty cell is one that is not given.
 *
 * @throws ApiError 400 for text that is no CSV, 413 for more than 10,000 rows.
 */
export async function readCsv(text: string): Promise<readonly unknown[]> {
  return (await readCsvLines(text)).rows;
}

/** The same, with the number of the line on which each row ends; the first line is 1. */
export async function readCsvLines(text: string): Promise<{ rows: readonly unknown[]; lines: readonly number[] }> {
  const parser = parse({
    columns: (header: string[]) => {
      if (header.length > MAX_COLUMNS) throw new Error(`more than ${MAX_COLUMNS} columns`);
      return header;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    info: true,
    max_record_size: MAX_RECORD,
    to: SPEND_LIMITS.maxRows + 1,
  });
  const rows: unknown[] = [];
  const lines: number[] = [];
  parser.on('data', ({ record, info }: { record: unknown; info: { lines: number } }) => {
    rows.push(record);
    lines.push(info.lines);
  });
  const ended = finished(parser);
  // Whoever waits for the end hears of it; until then nobody may be waiting.
  ended.catch(() => undefined);
  let line = 0;
  for (let start = 0; start < text.length && parser.writable; start += SLICE) {
    await nextSlice();
    const slice = text.slice(start, start + SLICE);
    const lastBreak = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('\r'));
    line = lastBreak === -1 ? line + slice.length : slice.length - lastBreak;
    if (line > MAX_RECORD) parser.destroy(new Error(`a line of more than ${MAX_RECORD} characters`));
    else parser.write(slice);
  }
  parser.end();
  await ended.catch((error: Error) => {
    throw new ApiError(400, `Invalid CSV body: ${error.message}`);
  });
  return { rows: requireMaxRows(rows, SPEND_LIMITS), lines };
}

/** What one row says, or what is wrong with it. */
export function readRow(row: Row): SpendRow | SpendError {
  if (isTooLarge(row)) return { reason: 'too_large', field: '' };
  try {
    return readValues(row);
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.reason, field: error.field };
    throw error;
  }
}

class Refusal extends Error {
  constructor(
    readonly reason: SpendError['reason'],
    readonly field: string,
  ) {
    super();
  }
}

function readValues(row: Row): SpendRow {
  const date = required(row, 'date', (value) =>
    typeof value === 'string' && isDay(value) && value >= FIRST_DAY && value <= LAST_DAY ? value : undefined,
  );
  const network = optional(row, 'network', '', (value) =>
    typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value) ? value.toUpperCase() : undefined,
  );
  const id = (field: string) => optional(row, field, '', (value) => text(value, MAX_ID));
  const name = (field: string) => optional(row, field, '', (value) => text(value, MAX_NAME));
  const count = (field: string) =>
    optional(row, field, 0, (value) => {
      const digits = readDecimal(value, 0, DIGITS);
      return digits !== undefined && Number(digits) >= 0 && Number(value) === Number(digits)
        ? Number(digits)
        : undefined;
    });
  return {
    date,
    network,
    account: network === '' ? id('account') : required(row, 'account', (value) => text(value, MAX_ID)),
    campaignId: required(row, 'campaign_id', (value) => text(value, MAX_ID)),
    names: {
      campaign_name: name('campaign_name'),
      ad_set_name: name('ad_set_name'),
      ad_name: name('ad_name'),
      keyword_name: name('keyword_name'),
    },
    ids: { ad_set_id: id('ad_set_id'), ad_id: id('ad_id'), keyword_id: id('keyword_id') },
    platform: optional(row, 'platform', '', (value) =>
      typeof value === 'string' && /^(android|ios)$/i.test(value)
        ? (value.toUpperCase() as 'ANDROID' | 'IOS')
        : undefined,
    ),
    impressions: count('impressions'),
    clicks: count('clicks'),
    spend: required(row, 'spend', (value) => {
      const amount = readDecimal(value, SCALE, DIGITS);
      return amount?.startsWith('-') ? undefined : amount;
    }),
    currency: required(row, 'currency', (value) =>
      typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : undefined,
    ),
  };
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

function optional<T>(row: Row, field: string, absent: T, read: (value: unknown) => T | undefined): T {
  const value = row[field];
  if (!isGiven(value)) return absent;
  const result = read(value);
  if (result === undefined) throw new Refusal('invalid_field', field);
  return result;
}

function required<T>(row: Row, field: string, read: (value: unknown) => T | undefined): T {
  if (!isGiven(row[field])) throw new Refusal('missing_field', field);
  return optional(row, field, undefined as T, read);
}

/** Text of at most `max` characters, or a whole number, as which networks export their IDs. */
function text(value: unknown, max: number): string | undefined {
  const string = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof string === 'string' && [...string].length <= max && findUnstorableText(string) === undefined
    ? string
    : undefined;
}

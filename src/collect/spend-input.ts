/** Reads rows of ad spend into legal values (docs/contract/collectors.md). */
import {
  checkAgain,
  checkRows,
  requireMaxRows,
  type Batch,
  type BatchLimits,
  type FieldError,
  type Row,
} from '../ingest/batch';
import { readCurrency, readNetwork } from '../lib/codes';
import { isDisplayId } from '../configuration/display-id';
import { readTable, type Columns } from '../ingest/csv-table';
import { readDecimal } from '../lib/decimal';
import { ApiError } from '../errors';
import { nextSlice } from '../lib/slices';
import { cutName, findUnstorableText } from '../lib/text';
import { FIRST_DAY, isDay, LAST_DAY } from '../lib/time';
import { MAX_ID, MAX_NAME } from './app-schema';
import { isTooLarge, REASONS } from './batch';
import { isMangledId, ROUNDED_ID } from './spend-id';

/** Why a row is refused. */
export const SPEND_REASONS = [...REASONS, 'unknown_account', 'unknown_campaign', 'duplicate_row'] as const;
export type SpendError = FieldError<(typeof SPEND_REASONS)[number]>;

/** A row that is legal as such; whether its account and campaign exist is another question. */
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
/** Decimals and digits before the point of an amount of money. */
const SCALE = 9;
const DIGITS = 15;

export const SPEND_COLUMNS: Columns = {
  required: ['date', 'campaign_id', 'spend', 'currency'],
  optional: [
    'network',
    'account',
    'campaign_name',
    'ad_set_id',
    'ad_set_name',
    'ad_id',
    'ad_name',
    'keyword_id',
    'keyword_name',
    'platform',
    'impressions',
    'clicks',
  ],
};
/** How many characters of a text are parsed at once. */
const SLICE = 32 * 1024;
const ID_FIELDS = ['account', 'campaign_id', 'ad_set_id', 'ad_id', 'keyword_id'] as const;

export type ReadRow = (row: Row) => SpendRow | SpendError;

/** The rows of a file, and how they are read, which depends on the whole file. */
export interface SpendFile {
  /** Undefined for a row that has more or fewer cells than the file has columns. */
  readonly rows: readonly (Row | undefined)[];
  /** The line on which each row ends; the first is 1. */
  readonly lines: readonly number[];
  readonly read: ReadRow;
}

/**
 * The rows of a CSV file; an empty cell is one that is not given.
 *
 * @throws ApiError 400 for text that is no CSV with the columns of spend, 413 for more than 10,000 rows.
 */
export async function readSpendFile(text: string): Promise<SpendFile> {
  const rows: (Row | undefined)[] = [];
  const lines: number[] = [];
  try {
    for await (const { row, line } of readTable(inSlices(text), SPEND_COLUMNS)) {
      rows.push(row);
      lines.push(line);
      if (rows.length > SPEND_LIMITS.maxRows) break;
    }
  } catch (error) {
    throw new ApiError(400, `Invalid CSV body: ${(error as Error).message}`);
  }
  requireMaxRows(rows, SPEND_LIMITS);
  return { rows, lines, read: fileReader(rows) };
}

/** A text, part by part, so that other requests get their turn. */
export async function* inSlices(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += SLICE) {
    await nextSlice();
    yield text.slice(start, start + SLICE);
  }
}

/** One point and three digits after it: 1.234 may be more than a thousand. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
/** An amount with three decimals or more. */
const FINE = /^[+-]?\d+\.\d{3,}$/;
/** A whole number with points between thousands. */
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/;

/**
 * How rows of a file are read: it may have been written by a spreadsheet, which rounds IDs and writes 1.234 for more
 * than a thousand. That is an amount below ten only where other amounts of the file have as many decimals for certain,
 * and none of its numbers has a comma, or points between thousands.
 */
export function fileReader(rows: readonly (Row | undefined)[]): ReadRow {
  const isFine = rows.some((row) => isText(row?.spend, FINE) && !isText(row?.spend, AMBIGUOUS));
  const hasOtherLocale = rows.some(
    (row) => isText(row?.spend, /,/) || isText(row?.impressions, THOUSANDS) || isText(row?.clicks, THOUSANDS),
  );
  const isCertain = isFine && !hasOtherLocale;
  return (row) => {
    const read = readRow(row);
    if ('reason' in read) return read;
    const rounded = ID_FIELDS.find((field) => isText(row[field], ROUNDED_ID));
    if (rounded) return { reason: 'invalid_field', field: rounded };
    return !isCertain && isText(row.spend, AMBIGUOUS) ? { reason: 'invalid_field', field: 'spend' } : read;
  };
}

/** How rows are read whose numbers and days a mapping has brought into our form. */
export const mappedReader: ReadRow = (row) => {
  const read = readRow(row);
  const rounded = 'reason' in read ? undefined : ID_FIELDS.find((field) => isText(row[field], ROUNDED_ID));
  return rounded ? { reason: 'invalid_field', field: rounded } : read;
};

const isText = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value.trim());

/** Reads each row; of two with the same keys the second is refused: which of them is right nobody knows. */
export async function readRows(
  rows: readonly unknown[],
  read: ReadRow = readRow,
): Promise<Batch<SpendRow, SpendError['reason']>> {
  const seen = new Set<string>();
  return checkAgain(await checkRows<SpendRow, SpendError['reason']>(rows, read), (row) => {
    const { date, network, account, campaignId, ids, platform } = row;
    const key = JSON.stringify([date, network, account, campaignId, ids, platform]);
    return seen.size === seen.add(key).size ? { reason: 'duplicate_row', field: '' } : undefined;
  });
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
    typeof value === 'string' && isDay(value) && value > FIRST_DAY && value <= LAST_DAY ? value : undefined,
  );
  const network = optional(row, 'network', '', readNetwork);
  const id = (field: string) => optional(row, field, '', readId);
  const name = (field: string) => optional(row, field, '', readName);
  const count = (field: string) => optional(row, field, 0, readCount);
  return {
    date,
    network,
    account: network === '' ? id('account') : required(row, 'account', readId),
    campaignId: required(row, 'campaign_id', (value) =>
      network === '' && typeof value === 'string' && isDisplayId(value) ? value : readId(value),
    ),
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
    spend: required(row, 'spend', readAmount),
    currency: required(row, 'currency', readCurrency),
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

/** An ID as it was given out, byte by byte, or a whole number, as which networks export theirs. */
function readId(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id !== 'string' || [...id].length > MAX_ID || findUnstorableText(id) !== undefined) return undefined;
  return isMangledId(id) ? undefined : id;
}

const readName = (value: unknown) =>
  typeof value === 'string' ? cutName(value, MAX_NAME) : typeof value === 'number' ? String(value) : undefined;

/** Plain digits, of which a spreadsheet may have made a decimal: 12.0. */
function readCount(value: unknown): number | undefined {
  const isPlain = typeof value === 'number' ? Number.isInteger(value) : isText(value, /^\d+(?:\.0+)?$/);
  if (!isPlain || isText(value, THOUSANDS)) return undefined;
  const digits = readDecimal(value, 0, DIGITS);
  return digits === undefined || digits.startsWith('-') ? undefined : Number(digits);
}

/** A decimal with a point, or a JSON number. A text with an exponent has been rounded by a spreadsheet. */
const readAmount = (value: unknown) =>
  typeof value === 'number' || isText(value, /^[+-]?\d+(?:\.\d*)?$/) ? readDecimal(value, SCALE, DIGITS) : undefined;

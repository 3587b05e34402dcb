/**
 * Reads files of others by a mapping: which column is which field, what holds for all rows, and how days and numbers
 * are written (docs/contract/collectors.md).
 */
import type { Row } from '../ingest/batch';
import { readColumnName } from '../ingest/csv-table';
import { ApiError } from '../errors';
import { wrong } from '../lib/parameters';
import { Type } from '../lib/schema';
import { findUnstorableText, normaliseText } from '../lib/text';
import { queryParameter, readAs } from '../openapi/operation';
import { SPEND_FIELDS, type SpendField } from './spend-formats';

export const DATE_ORDERS = ['YMD', 'DMY', 'MDY'] as const;
export const DECIMAL_SIGNS = ['.', ','] as const;
/** What may be said for all rows of a file. */
export const VALUE_FIELDS = ['network', 'account', 'platform', 'currency'] as const satisfies readonly SpendField[];

export interface Notation {
  /** The order of day, month and year; null to find it in the file. */
  readonly dates: (typeof DATE_ORDERS)[number] | null;
  /** The sign before decimals; null to find it in the file. */
  readonly decimal: (typeof DECIMAL_SIGNS)[number] | null;
}

export interface Mapping extends Notation {
  /** Titles of columns by field. */
  readonly columns: Readonly<Partial<Record<SpendField, string>>>;
  readonly values: Readonly<Partial<Record<(typeof VALUE_FIELDS)[number], string>>>;
}

const MAX_MAPPING = 6_000;
const MAX_TITLE = 200;
/** The fields without which no row is good. */
const REQUIRED: readonly SpendField[] = ['date', 'campaign_id', 'spend', 'currency'];

const sent = queryParameter(
  'mapping',
  'JSON of the form that `/collect/v1/spend/csv/columns` answers with.',
  Type.String({ maxLength: MAX_MAPPING }),
  '{"columns":{"date":"date","network":"network","account":"account","campaign_id":"campaign_id",' +
    '"spend":"spend","currency":"currency"}}',
);
export const mappingParameter = readAs(sent, (text) => {
  const json = sent.read(text);
  return json === undefined ? undefined : readMapping(json);
});

/** @throws ApiError 400 that names the field and the rule. */
function readMapping(text: string): Mapping {
  const given = parseObject(text, 'mapping');
  const known = ['columns', 'values', 'dates', 'decimal'];
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw wrong('mapping', `${unknown.slice(0, 40)}: is not one of ${known.join(', ')}`);
  return {
    columns: readTexts(given.columns, 'columns', SPEND_FIELDS),
    values: readTexts(given.values, 'values', VALUE_FIELDS),
    dates: readOne(given.dates, 'dates', DATE_ORDERS),
    decimal: readOne(given.decimal, 'decimal', DECIMAL_SIGNS),
  };
}

function parseObject(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // It is no JSON at all.
  }
  throw wrong(name, 'must be a JSON object');
}

function readTexts<const T extends string>(value: unknown, name: string, fields: readonly T[]) {
  const texts: Partial<Record<T, string>> = {};
  if (value === undefined || value === null) return texts;
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('mapping', `${name}: must be an object`);
  for (const [field, text] of Object.entries(value)) {
    if (!(fields as readonly string[]).includes(field))
      throw wrong('mapping', `${name}.${field.slice(0, 40)}: is not one of ${fields.join(', ')}`);
    if (text === null || text === '') continue;
    if (typeof text !== 'string' || text.length > MAX_TITLE || findUnstorableText(text) !== undefined)
      throw wrong('mapping', `${name}.${field}: must be text of at most ${MAX_TITLE} characters`);
    texts[field as T] = text;
  }
  return texts;
}

function readOne<const T extends string>(value: unknown, name: string, choices: readonly T[]): T | null {
  if (value === undefined || value === null) return null;
  if (!(choices as readonly unknown[]).includes(value))
    throw wrong('mapping', `${name}: must be one of ${choices.join(' ')}, or null`);
  return value as T;
}

/** The required fields that a mapping says nothing of. */
export function listMissing({ columns, values }: Pick<Mapping, 'columns' | 'values'>): SpendField[] {
  const isSaid = (field: SpendField) => columns[field] !== undefined || field in values;
  const hasNetwork = isSaid('network');
  return [...REQUIRED, ...(hasNetwork ? (['account'] as const) : [])].filter((field) => !isSaid(field));
}

/** @throws ApiError 400 for a mapping with which no row can be good. */
export function requireMapped(mapping: Mapping): void {
  const missing = listMissing(mapping);
  if (missing.length > 0) throw new ApiError(400, `mapping: ${missing.join(', ')}: must be a column or a value`);
}

// Days.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const NAMED = /^(?:([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})|(\d{1,2})\.? ([a-z]{3})[a-z]*\.?,? (\d{4}))$/i;
const MONTHS_IN_YEAR = 12;

const writeDay = (year: string, month: string | number, day: string) =>
  `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;

/** A day as the service writes it; what is none stays as it is, and is refused as such. */
function translateDay(text: string, order: Notation['dates']): string {
  const iso = YEAR_FIRST.exec(text);
  if (iso) return writeDay(iso[1] as string, iso[2] as string, iso[3] as string);
  const named = NAMED.exec(text);
  if (named) {
    const [, monthFirst, dayAfter, yearAfter, dayFirst, monthAfter, year] = named;
    const month = MONTHS.indexOf(((monthFirst ?? monthAfter) as string).toLowerCase()) + 1;
    return month === 0 ? text : writeDay((yearAfter ?? year) as string, month, (dayAfter ?? dayFirst) as string);
  }
  const [, first = '', second = '', year = ''] = YEAR_LAST.exec(text) ?? [];
  if (first === '' || order === null || order === 'YMD') return text;
  return order === 'DMY' ? writeDay(year, second, first) : writeDay(year, first, second);
}

/** The order of days that is certain from the file; null where each of them may be read in two ways. */
function findDateOrder(days: readonly string[]): Notation['dates'] {
  let [isDayFirst, isMonthFirst, isOpen] = [false, false, false];
  for (const day of days) {
    const [, first, second] = YEAR_LAST.exec(day) ?? [];
    if (first === undefined) continue;
    isOpen = true;
    isDayFirst ||= Number(first) > MONTHS_IN_YEAR;
    isMonthFirst ||= Number(second) > MONTHS_IN_YEAR;
  }
  if (isDayFirst === isMonthFirst) return isOpen ? null : 'YMD';
  return isDayFirst ? 'DMY' : 'MDY';
}

// Numbers.

const BEFORE = /^(?:[A-Z]{3}|\p{Sc})/u;
const BEHIND = /(?:[A-Z]{3}|\p{Sc})$/u;

/** A number without what stands beside it: a currency, spaces, and the typesetter's minus. */
function bare(text: string): string {
  const number = text.replace('\u2212', '-');
  const sign = number.startsWith('-') ? '-' : '';
  const digits = number.slice(sign.length).replace(BEFORE, '').replace(BEHIND, '').trim();
  return sign + digits.replace(/(?<=\d)[\s\u00a0\u202f'\u2019](?=\d{3})/g, '');
}

const escape = (sign: string) => (sign === '.' ? '\\.' : ',');
const GROUPED = { '.': groupedBy('.', ','), ',': groupedBy(',', '.') } as const;

/** Numbers with these decimals, and thousands that are all grouped or not at all. */
function groupedBy(decimal: string, thousands: string): RegExp {
  const groups = `\\d{1,3}(?:${escape(thousands)}\\d{3})+`;
  return new RegExp(`^-?(?:\\d+|${groups})(?:${escape(decimal)}\\d*)?$`);
}

/** A number in plain digits; what is none in this notation stays as it is. */
function translateNumber(text: string, decimal: Notation['decimal']): string {
  const number = bare(text);
  if (/^-?\d+$/.test(number)) return number;
  if (decimal === null || !GROUPED[decimal].test(number)) return text;
  return decimal === '.' ? number.replaceAll(',', '') : number.replaceAll('.', '').replace(',', '.');
}

/** The sign of decimals that is certain from the file; null where a number may be read in two ways. */
function findDecimal(numbers: readonly string[], isEnglish: boolean): Notation['decimal'] {
  let [isPoint, isComma, isOpen] = [false, false, false];
  for (const text of numbers) {
    const number = bare(text);
    if (/^-?\d*$/.test(number)) continue;
    if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(number)) isOpen = true;
    else {
      const fits = (decimal: '.' | ',') => GROUPED[decimal].test(number);
      isPoint ||= fits('.') && !fits(',');
      isComma ||= fits(',') && !fits('.');
    }
  }
  if (isPoint !== isComma) return isPoint ? '.' : ',';
  return isPoint || (isOpen && !isEnglish) ? null : '.';
}

/** What a file certainly uses where the mapping leaves it open. `isEnglish`: of exports that are known to be so. */
export function findNotation(rows: readonly (Row | undefined)[], mapping: Mapping, isEnglish: boolean): Notation {
  const cells = (field: SpendField) => rows.map((row) => (row ? readCell(row, mapping, field) : ''));
  return {
    dates: mapping.dates ?? findDateOrder(cells('date')),
    decimal: mapping.decimal ?? findDecimal(cells('spend'), isEnglish),
  };
}

// Rows.

/** What reports write where there is nothing. */
const NOTHING = /^[-\u2013\u2014\s]*$/;
/** The letters before IDs in exports of Meta: c:123. */
const REPORT_PREFIX = /^[a-z]{1,3}:\s*(?=\d+$)/i;
const TOTAL = /^(?:grand |sub-?)?totals?(?:$|[\s:\u2013-])/i;
const NAMES_AND_IDS = [
  'campaign_id',
  'campaign_name',
  'ad_set_id',
  'ad_set_name',
  'ad_id',
  'ad_name',
  'keyword_id',
] as const;
const COUNTS = ['impressions', 'clicks'] as const;

function readCell(row: Row, { columns }: Mapping, field: SpendField): string {
  const title = columns[field];
  const cell = title === undefined ? undefined : row[readColumnName(title)];
  const text = typeof cell === 'string' ? normaliseText(cell) : '';
  return NOTHING.test(text) ? '' : text;
}

/** Whether a row sums others up: it names no campaign, and says so or names nothing at all. */
export function isTotal(row: Row, mapping: Mapping): boolean {
  if (readCell(row, mapping, 'campaign_id') !== '') return false;
  return (
    Object.values(row).some((cell) => typeof cell === 'string' && TOTAL.test(normaliseText(cell))) ||
    NAMES_AND_IDS.every((field) => readCell(row, mapping, field) === '')
  );
}

/** Accounts as people and reports write them: with `act_` or hyphens, or without. */
export const plainAccount = (account: string) => account.toLowerCase().replace(/^act_/, '').replace(/[\s-]/g, '');

/** A row of the file in the fields of the service, as text. `accounts` finds those of the project by plain names. */
export function translateRow(
  row: Row,
  mapping: Mapping,
  notation: Notation,
  accounts: ReadonlyMap<string, string>,
): Row {
  const fields: Record<string, string> = { ...mapping.values };
  for (const field of SPEND_FIELDS) {
    const cell = readCell(row, mapping, field);
    if (cell !== '') fields[field] = cell;
  }
  if (fields.date !== undefined) fields.date = translateDay(fields.date, notation.dates);
  for (const field of ['spend', ...COUNTS] as const)
    if (fields[field] !== undefined) fields[field] = translateNumber(fields[field], notation.decimal);
  for (const field of ['campaign_id', 'ad_set_id', 'ad_id'] as const)
    if (fields[field] !== undefined) fields[field] = fields[field].replace(REPORT_PREFIX, '');
  if (fields.account !== undefined) fields.account = accounts.get(plainAccount(fields.account)) ?? fields.account;
  return fields;
}

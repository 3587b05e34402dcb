/**
 * Reads files of exchange rates (docs/contract/workspace.md): CSV with one rate a row, and what the European Central
 * Bank publishes, as CSV and as XML, where each day says what one euro was worth (pure).
 */
import { readTable } from '../ingest/csv-table';
import { ApiError } from '../errors';
import { readCurrency } from '../lib/codes';
import { Decimal } from '../lib/decimal';
import { isDay } from '../lib/time';

export interface Rate {
  readonly date: string;
  readonly currency: string;
  /** What one unit was worth in US dollars. */
  readonly usd: number;
}
export interface RefusedRate {
  readonly line: number;
  readonly msg: string;
}
export interface RateFile {
  readonly format: 'csv' | 'ecb';
  readonly rates: readonly Rate[];
  readonly refused: readonly RefusedRate[];
}

/** All that the ECB publishes of some ten years; more than anybody sends again every day. */
export const MAX_RATES = 100_000;
const LEAST = 1e-9;
const MOST = 1e9;
/** Digits of a rate that is computed. */
const DIGITS = 12;
/** The way of big.js to name it. */
const HALF_UP = 1;
const NUMBER = /^\d{1,12}(?:\.\d{1,18})?$/;

/**
 * The rates of a file, those before `from` left out.
 *
 * @throws ApiError 400 for text of no known form, 413 for too many rates.
 */
export async function readRateFile(text: string, from = ''): Promise<RateFile> {
  const start = text.trimStart();
  if (start.startsWith('<')) return collect('ecb', readXml(start), from);
  const [head = ''] = start.split(/\r?\n/, 1);
  if (isEcbHeader(head)) return collect('ecb', readEcbCsv(text), from);
  return collectCsv(text, from);
}

/** One day of the ECB: what one euro was worth. */
interface EcbDay {
  readonly line: number;
  readonly date: string | undefined;
  readonly perEuro: ReadonlyMap<string, string>;
}

function collect(format: 'ecb', days: Iterable<EcbDay>, from: string): RateFile {
  const rates = new Map<string, Rate>();
  const refused: RefusedRate[] = [];
  for (const { line, date, perEuro } of days) {
    if (date !== undefined && date < from) continue;
    const dollar = perEuro.get('USD');
    if (date === undefined) refused.push({ line, msg: 'date: must be a day, for example 2026-03-05' });
    else if (dollar === undefined) refused.push({ line, msg: 'USD: is missing on that day, and is needed for all' });
    else
      for (const [currency, rate] of [['EUR', '1'], ...perEuro] as const) {
        if (currency === 'USD') continue;
        const usd = Number(new Decimal(dollar).div(rate).toPrecision(DIGITS, HALF_UP));
        add(rates, { date, currency, usd });
      }
  }
  return { format, rates: [...rates.values()], refused };
}

function add(rates: Map<string, Rate>, rate: Rate): void {
  rates.set(`${rate.date} ${rate.currency}`, rate);
  if (rates.size > MAX_RATES)
    throw new ApiError(413, `A file takes at most ${MAX_RATES} rates. Leave out earlier days by from.`);
}

const isEcbHeader = (head: string) => /^\uFEFF?"?date"?\s*,/i.test(head) && !/currency/i.test(head);

/** `Date, USD, JPY, …` and a line for each day; what has no rate that day is empty, or `N/A`. */
function* readEcbCsv(text: string): Generator<EcbDay> {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = head.split(',').map((name) => readCurrency(name.trim()));
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const cells = line.split(',').map((cell) => cell.trim());
    const perEuro = names.flatMap((name, at): [string, string][] =>
      at > 0 && name !== undefined && isRate(cells[at]) ? [[name, cells[at]]] : [],
    );
    yield { line: i + 2, date: readDay(cells[0] ?? ''), perEuro: new Map(perEuro) };
  }
}

const CUBE = /<(?:\w{1,20}:)?Cube\s([^<>]{1,200})>/g;
const TIME = /\btime=["'](\d{4}-\d{2}-\d{2})["']/;
const CURRENCY = /\bcurrency=["']([A-Z]{3})["']/;
const RATE = /\brate=["']([\d.]{1,30})["']/;

/** `<Cube time="…"><Cube currency="USD" rate="1.08"/>…</Cube>`. */
function* readXml(text: string): Generator<EcbDay> {
  let day: { date: string; perEuro: Map<string, string>; line: number } | undefined;
  let line = 0;
  for (const [, attributes = ''] of text.matchAll(CUBE)) {
    const [, date] = TIME.exec(attributes) ?? [];
    if (date !== undefined) {
      if (day) yield { ...day, date: readDay(day.date) };
      day = { date, perEuro: new Map(), line: ++line };
      continue;
    }
    const [, currency] = CURRENCY.exec(attributes) ?? [];
    const [, rate] = RATE.exec(attributes) ?? [];
    if (day && currency !== undefined && isRate(rate)) day.perEuro.set(currency, rate);
  }
  if (!day) throw new ApiError(400, 'Invalid file: it has no rates of the European Central Bank');
  yield { ...day, date: readDay(day.date) };
}

const isRate = (text: string | undefined): text is string =>
  text !== undefined && NUMBER.test(text) && Number(text) > 0;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `2026-03-05`, or `05 March 2026` as the file of the latest day has it. */
function readDay(text: string): string | undefined {
  const [, day, name, year] = /^(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name ?? '') + 1;
  const iso = month > 0 ? `${year}-${String(month).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}` : text;
  return isDay(iso) ? iso : undefined;
}

const COLUMNS = { required: ['date', 'currency', 'usd'], optional: [] };

async function collectCsv(text: string, from: string): Promise<RateFile> {
  const rates = new Map<string, Rate>();
  const refused: RefusedRate[] = [];
  // eslint-disable-next-line @typescript-eslint/require-await -- it is read as a stream of one chunk
  const chunks = async function* () {
    yield text;
  };
  try {
    for await (const { row, line } of readTable(chunks(), COLUMNS)) {
      const read = row ? readRate(row) : 'the row must have as many cells as there are columns';
      if (typeof read === 'string') refused.push({ line, msg: read });
      else if (rates.has(`${read.date} ${read.currency}`))
        refused.push({ line, msg: 'an earlier row has the same date and currency' });
      else if (read.date >= from) add(rates, read);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, `Invalid CSV body: ${(error as Error).message}`);
  }
  return { format: 'csv', rates: [...rates.values()], refused };
}

/** A rate, or what is wrong with it. */
function readRate(row: Readonly<Record<string, unknown>>): Rate | string {
  const read = (name: string) => (typeof row[name] === 'string' ? row[name] : '');
  const [date, code, amount] = [read('date'), read('currency'), read('usd')];
  const currency = readCurrency(code);
  const usd = NUMBER.test(amount) ? Number(amount) : 0;
  if (!isDay(date)) return 'date: must be a day, written YYYY-MM-DD';
  if (currency === undefined) return 'currency: must be a currency code of three letters';
  if (usd < LEAST || usd > MOST) return `usd: must be a number from ${LEAST.toFixed(9)} to ${MOST}`;
  return { date, currency, usd };
}

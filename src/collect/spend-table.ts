/** Files of spend as people have them: with our columns, as ad networks export them, or with any, by a mapping. */
import type { Row } from '../ingest/batch';
import { requireMaxRows } from '../ingest/batch';
import { guessHeader, readColumnName, readTable } from '../ingest/csv-table';
import { ApiError } from '../errors';
import { nextSlice } from '../lib/slices';
import { currencyInTitles, FORMATS, guessColumns, recogniseFormat, type FormatName } from './spend-formats';
import {
  findNotation,
  isTotal,
  listMissing,
  plainAccount,
  requireMapped,
  translateRow,
  type Mapping,
  type Notation,
} from './spend-mapping';
import { inSlices, mappedReader, readSpendFile, SPEND_LIMITS, type SpendFile } from './spend-input';
import type { SpendAccount } from './spend-upload-queries';

/** A file that is read, and how. */
export interface ReadSpendFile extends SpendFile {
  readonly format: FormatName | null;
  /** Undefined for a file with our own columns, which is read as it stands. */
  readonly mapping: Mapping | undefined;
  readonly notation: Notation;
  /** Rows that sum up others, which are left out. */
  readonly totals: number;
}

const AS_IT_STANDS: Notation = { dates: 'YMD', decimal: '.' };
const SAMPLES = 3;

const invalid = (error: unknown) => new ApiError(400, `Invalid CSV body: ${(error as Error).message}`);

/** What a mapping takes from the accounts of the project: the only one of a network, and its currency. */
function guessValues(
  titles: readonly string[],
  columns: Mapping['columns'],
  format: FormatName | undefined,
  accounts: readonly SpendAccount[],
): Mapping['values'] {
  const network = format && FORMATS[format].network;
  const candidates = accounts.filter((one) => one.network === network);
  const [only] = candidates.length === 1 ? candidates : [];
  const currency = currencyInTitles(titles) ?? only?.currency ?? undefined;
  return {
    ...(network !== undefined && columns.network === undefined && { network }),
    ...(network !== undefined && columns.account === undefined && only && { account: only.account }),
    ...(columns.currency === undefined && currency !== undefined && { currency }),
  };
}

const findHeader = (text: string) => guessHeader(text, (names) => recogniseFormat(names) !== undefined);

function guessMapping(titles: readonly string[], accounts: readonly SpendAccount[]) {
  const format = recogniseFormat(titles.map(readColumnName));
  const columns = guessColumns(titles, format);
  const values = guessValues(titles, columns, format, accounts);
  return { format, mapping: { columns, values, dates: null, decimal: null } satisfies Mapping };
}

/**
 * The rows of a file, by a mapping, by that of its format, or with our own columns.
 *
 * @throws ApiError 400 for text that is no CSV with the columns that are needed, 413 for more than 10,000 rows.
 */
export async function readAnySpendFile(
  text: string,
  given: Mapping | undefined,
  accounts: readonly SpendAccount[],
): Promise<ReadSpendFile> {
  const header = findHeader(text);
  const guessed = header && guessMapping(header.titles, accounts);
  const format = guessed?.format ?? null;
  const mapping = given ?? (format !== null && format !== 'adtrail' ? guessed?.mapping : undefined);
  if (!mapping) {
    const own = await readSpendFile(text);
    return { ...own, format, mapping: undefined, notation: AS_IT_STANDS, totals: 0 };
  }
  requireMapped(mapping);
  const { rows: all, lines: allLines } = await readMappedRows(text, mapping);
  const notation = findNotation(all, mapping, format !== null && format !== 'adtrail');
  const known = new Map(accounts.map(({ account }) => [plainAccount(account), account]));
  const kept = all.flatMap((row, i) => (row && isTotal(row, mapping) ? [] : [i]));
  const rows = kept.map((i) => {
    const row = all[i];
    return row && translateRow(row, mapping, notation, known);
  });
  requireMaxRows(rows, SPEND_LIMITS);
  return {
    rows,
    lines: kept.map((i) => allLines[i] as number),
    read: mappedReader,
    format,
    mapping,
    notation,
    totals: all.length - kept.length,
  };
}

/** So many rows beyond the limit may be totals. */
const TOTALS = 100;

async function readMappedRows(text: string, { columns }: Mapping) {
  const rows: (Row | undefined)[] = [];
  const lines: number[] = [];
  const required = [...new Set(Object.values(columns).map(readColumnName))];
  try {
    for await (const { row, line } of readTable(inSlices(text), { required, optional: [] })) {
      rows.push(row);
      lines.push(line);
      if (rows.length > SPEND_LIMITS.maxRows + TOTALS) break;
    }
  } catch (error) {
    throw invalid(error);
  }
  return { rows, lines };
}

/**
 * What a file is made of, and how it would be read, for a person to change.
 *
 * @throws ApiError 400 for text without a header.
 */
export async function describeColumns(text: string, accounts: readonly SpendAccount[]) {
  const header = findHeader(text);
  if (!header) throw new ApiError(400, 'Invalid CSV body: no header was found among the first 30 rows');
  const { names, titles } = header;
  const { format, mapping } = guessMapping(titles, accounts);
  const single = names.filter((name, i) => name !== '' && names.indexOf(name) === i && !names.includes(name, i + 1));
  const rows: Row[] = [];
  try {
    for await (const { row } of readTable(inSlices(text), { required: single, optional: [] })) {
      if (row) rows.push(row);
      if (rows.length > SPEND_LIMITS.maxRows) break;
    }
  } catch (error) {
    throw invalid(error);
  }
  await nextSlice();
  const notation = findNotation(rows, mapping, format !== undefined && format !== 'adtrail');
  const listed = titles.filter((title) => single.includes(readColumnName(title)));
  return {
    format: format ?? null,
    columns: listed.map((title) => ({
      title,
      samples: rows.slice(0, SAMPLES).map((row) => String(row[readColumnName(title)]).slice(0, 100)),
    })),
    mapping: { ...mapping, ...notation },
    missing: listMissing(mapping),
  };
}

/** Reads CSV as spreadsheets and ad networks write it: the separator and the header are found, not told. */
import { Readable, pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import type { Row } from './batch';
import { normaliseText } from '../lib/text';

/** Why a text is no table of these columns; its message says everything. */
export class TableError extends Error {}

/** The columns of a table by their names, which files may write in any case, with spaces or hyphens. */
export interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

export interface TableRow {
  /** Cells by column. Undefined where there are more or fewer cells than columns: they may have shifted. */
  readonly row: Row | undefined;
  /** The line on which the row ends; the first is 1. */
  readonly line: number;
  /** Bytes of the text, in UTF-8, up to the end of the row. */
  readonly bytes: number;
}

/** More columns than anybody exports; those that are not read cost time all the same. */
const MAX_COLUMNS = 200;
/** The longest line and the longest row, in characters; a legal one has far fewer. */
const MAX_RECORD = 128 * 1024;
/** Rows without text are none, but cost time. */
const MAX_BLANK = 20_000;
/** How many records and characters are searched for the header, which may stand after titles of a report. */
const HEADER_WITHIN = { records: 30, characters: 64 * 1024 };
const SEPARATORS = [',', ';', '\t'];
/** The line by which Excel is told the separator. */
const DECLARED_SEPARATOR = /^[ \t]*"?sep=(.)"?[ \t]*$/im;
/** Names of columns, and how much of each, that an error lists. */
const LISTED = { names: 30, characters: 40 };

const OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  bom: true,
  trim: true,
  skip_empty_lines: true,
  relax_column_count: true,
  // A cell such as ="123" is for the reader of the row to judge.
  relax_quotes: true,
  max_record_size: MAX_RECORD,
};

/**
 * The rows after the header; rows without any text are none.
 *
 * @throws TableError, or the parser's own error, for what is no CSV with these columns.
 */
export async function* readTable(text: AsyncIterable<string>, columns: Columns): AsyncGenerator<TableRow> {
  const chunks = text[Symbol.asyncIterator]();
  let head = '';
  let isDone = false;
  while (!isDone && head.length < HEADER_WITHIN.characters) {
    const next = await chunks.next();
    if (next.done) isDone = true;
    else head += next.value;
  }
  const { delimiter, header } = findHeader(head, columns);
  const rest = async function* () {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const parser = parse({ ...OPTIONS, delimiter, info: true });
  // Whoever reads the records hears of an error.
  pipeline(Readable.from(boundLines(rest())), parser, () => undefined);
  let at = -1;
  let blank = 0;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number; bytes: number };
  }>) {
    at += 1;
    if (at <= header.at) continue;
    if (record.every((cell) => normaliseText(cell) === '')) {
      blank += 1;
      if (blank > MAX_BLANK) throw new TableError(`more than ${MAX_BLANK} rows without text`);
    } else yield { row: readCells(record, header.names), line: info.lines, bytes: info.bytes };
  }
}

/** Columns without a name at the end are none: what stands there has been moved by a comma in a cell before it. */
function readCells(cells: readonly string[], names: readonly string[]): Row | undefined {
  const width = names.findLastIndex((name) => name !== '') + 1;
  if (cells.length < width || cells.slice(width).some((cell) => normaliseText(cell) !== '')) return undefined;
  return Object.fromEntries(cells.flatMap((cell, i) => (names[i] ? [[names[i], cell]] : [])));
}

/** A parser takes ever longer for a line that does not end. */
async function* boundLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 0;
  for await (const chunk of chunks) {
    const lastBreak = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
    line = lastBreak === -1 ? line + chunk.length : chunk.length - lastBreak;
    if (line > MAX_RECORD) throw new TableError(`a line of more than ${MAX_RECORD} characters`);
    yield chunk;
  }
}

interface Header {
  /** Its place among the records. */
  readonly at: number;
  readonly names: readonly string[];
}

/** The header is the first record with all required columns, by whichever separator there is one. */
function findHeader(head: string, { required, optional }: Columns): { delimiter: string; header: Header } {
  const declared = DECLARED_SEPARATOR.exec(head.slice(0, 100))?.[1];
  let closest: { names: readonly string[]; found: number } = { names: [], found: -1 };
  for (const delimiter of declared ? [declared] : SEPARATORS)
    for (const [at, record] of firstRecords(head, delimiter).entries()) {
      const names = record.map(readColumnName);
      const found = required.filter((name) => names.includes(name)).length;
      if (found === required.length)
        return { delimiter, header: { at, names: checkNames(names, [...required, ...optional]) } };
      if (found > closest.found || (found === closest.found && names.length > closest.names.length))
        closest = { names, found };
    }
  const missing = required.filter((name) => !closest.names.includes(name));
  const named = closest.names
    .filter((name) => name !== '')
    .map((name) => JSON.stringify(name.slice(0, LISTED.characters)));
  const read = named.length === 0 ? 'nothing' : named.slice(0, LISTED.names).join(', ');
  throw new TableError(`the columns ${missing.join(', ')} are missing; what was read as the header: ${read}`);
}

/** The header of a table whose columns nobody has named yet. */
export interface FoundHeader {
  /** As they stand in the file. */
  readonly titles: readonly string[];
  /** The same as they are compared. */
  readonly names: readonly string[];
}

/** Fewer cells than this are a title, or no table. */
const MIN_CELLS = 3;

/**
 * The header of a text: the first record of which `isKnown` holds, else the first with names only in as many cells as
 * the record below it has; undefined for no table.
 */
export function guessHeader(text: string, isKnown: (names: readonly string[]) => boolean): FoundHeader | undefined {
  const head = text.slice(0, HEADER_WITHIN.characters);
  const declared = DECLARED_SEPARATOR.exec(head.slice(0, 100))?.[1];
  const all = (declared ? [declared] : SEPARATORS).map((delimiter) => firstRecords(head, delimiter));
  const present = (titles: readonly string[]) => ({ titles, names: titles.map(readColumnName) });
  for (const records of all)
    for (const record of records) if (isKnown(record.map(readColumnName))) return present(record);
  const width = (record: readonly string[] = []) => record.findLastIndex((cell) => normaliseText(cell) !== '') + 1;
  const isHeader = (record: readonly string[], below: readonly string[] | undefined) =>
    width(record) >= MIN_CELLS &&
    width(record) <= MAX_COLUMNS &&
    Math.abs(width(record) - width(below)) <= 1 &&
    record.slice(0, width(record)).every((cell) => !/^[-+]?[\d.,]*$/.test(normaliseText(cell)));
  const widest = all.flatMap((records) => {
    const at = records.findIndex((record, i) => isHeader(record, records[i + 1]));
    return at < 0 ? [] : [records[at] as string[]];
  });
  const found = widest.toSorted((one, other) => width(other) - width(one))[0];
  return found && present(found.slice(0, width(found)));
}

/** As many as there are before the first mistake, and one that is cut off. */
function firstRecords(head: string, delimiter: string): string[][] {
  const records: string[][] = [];
  const collect = (record: string[]) => {
    records.push(record);
    return null;
  };
  try {
    parseAtOnce(head, { ...OPTIONS, delimiter, to: HEADER_WITHIN.records, on_record: collect });
  } catch {
    // What comes before it is enough, or whoever reads on is told.
  }
  return records;
}

/** The name of a column in the one way in which names are compared. */
export const readColumnName = (cell: string) =>
  normaliseText(cell)
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

function checkNames(names: readonly string[], known: readonly string[]): readonly string[] {
  if (names.length > MAX_COLUMNS) throw new TableError(`more than ${MAX_COLUMNS} columns`);
  const twice = names.find((name, i) => known.includes(name) && names.indexOf(name) !== i);
  if (twice !== undefined) throw new TableError(`the column ${twice} is there twice`);
  return names;
}

/** Reads the body of a batch: records one a line, or as a JSON array (docs/contract/s2s.md). */
import { ApiError } from '../errors';
import { parseExactJson, readElements, TooManyValues } from '../lib/json';
import { Slice } from '../lib/slices';

export const MAX_RECORDS = 10_000;
export const MAX_BODY = '8mb';
/** For a batch that is tried out. */
export const MAX_TRIED = { records: 1_000, body: '1mb' } as const;
/** A text that is longer is no record: a request of that length is refused as well. */
const MAX_TEXT = 64 * 1024;
/** Names of one record, ignored ones included. */
const MAX_NAMES = 1_000;
/** All values of an array, names not counted. */
const MAX_VALUES = 1_000_000;

/** What was sent by name; undefined for a line or an element that is no record. */
export type SentRecord = ReadonlyMap<string, string> | undefined;

/**
 * The texts of the records of a body in their order, for `readRecord` when they are judged: all at once would hold up
 * everybody else.
 *
 * @throws ApiError 400 `Invalid JSON body.` for an array that is none, 413 for too many records or values.
 */
export const listRecords = (contentType: string, body: string, most = MAX_RECORDS): Promise<string[]> =>
  isArray(contentType, body) ? listElements(body, most) : listLines(body, most);

/** `application/x-ndjson` has lines, `application/json` an array; for other types the first character decides. */
function isArray(contentType: string, body: string): boolean {
  if (/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)\b/i.test(contentType)) return false;
  return /^application\/json\b/i.test(contentType) || /^\s*\[/.test(body);
}

async function listElements(body: string, most: number): Promise<string[]> {
  const texts: string[] = [];
  const take = (element: unknown) => texts.push(isFlat(element) ? JSON.stringify(element) : NO_RECORD);
  await readElements(body, MAX_VALUES, take).catch((error: unknown) => {
    if (error instanceof TooManyValues) throw new ApiError(413, `The body must have at most ${MAX_VALUES} values.`);
    throw new ApiError(400, 'Invalid JSON body.');
  });
  requireCount(texts.length, most);
  return texts;
}

/** What is nested is no record; how deeply must not matter. */
const isFlat = (element: unknown) =>
  typeof element === 'object' &&
  element !== null &&
  Object.values(element).every((value) => typeof value !== 'object' || value === null);
const NO_RECORD = 'null';

/** Lines that are blank count for nothing. */
async function listLines(body: string, most: number): Promise<string[]> {
  const lines: string[] = [];
  const slice = new Slice();
  for (let start = 0, seen = 0; start < body.length; seen++) {
    if (seen % 1_000 === 0) await slice.rest();
    const end = body.indexOf('\n', start);
    const line = body.slice(start, end === -1 ? body.length : end);
    if (line.trim() !== '') lines.push(line);
    requireCount(lines.length, most);
    start = end === -1 ? body.length : end + 1;
  }
  return lines;
}

/** What a record says. */
export async function readRecord(text: string): Promise<SentRecord> {
  if (text.length > MAX_TEXT) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return readNames(hasOddNumber(text, parsed) ? await parseExactJson(text, MAX_NAMES) : parsed);
  } catch {
    return undefined;
  }
}

function requireCount(count: number, most: number): void {
  if (count > most) throw new ApiError(413, `A batch takes at most ${most} records.`);
}

/** Whether a number may not be what its text says, or is written in another way: 1.0, 1e3, -0, IDs of 64 bits. */
function hasOddNumber(text: string, parsed: unknown): boolean {
  if (typeof parsed !== 'object' || parsed === null) return false;
  const numbers = Object.values(parsed).filter((value) => typeof value === 'number');
  if (numbers.length === 0) return false;
  return numbers.some((value) => !Number.isSafeInteger(value)) || ODD_NUMBER.test(text);
}
/** After a name and a colon, so that texts like `rv:109.0` are none. */
const ODD_NUMBER = /"\s*:\s*(?:-0|-?\d+[.eE])/;

/** Texts and numbers by name, null as not sent. A lone surrogate is replaced, as it would be in a query string. */
function readNames(parsed: unknown): SentRecord {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const names = Object.keys(parsed);
  if (names.length > MAX_NAMES) return undefined;
  const sent = new Map<string, string>();
  for (const name of names) {
    const value = (parsed as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') sent.set(name, value.toWellFormed());
    else if (typeof value === 'number') sent.set(name, String(value));
    else if (value !== null) return undefined;
  }
  return sent;
}

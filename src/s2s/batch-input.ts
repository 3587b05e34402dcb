/** Reads the body of a batch: records one a line, or as a JSON array (docs/contract/s2s.md). */
import { ApiError } from '../errors';
import { isExact, parseExactJson, TooManyValues } from '../lib/json';
import { Slice } from '../lib/slices';

export const MAX_RECORDS = 10_000;
export const MAX_BODY = '8mb';
/** For a batch that is tried out. */
export const MAX_TRIED = { records: 1_000, body: '1mb' } as const;
/** A line that is longer is no record: a request of that length is refused as well. */
const MAX_LINE = 64 * 1024;
/** Names of one record, ignored ones included. */
const MAX_NAMES = 1_000;
/** All values of an array, names not counted. */
const MAX_VALUES = 1_000_000;

/** What was sent by name; undefined for a line or an element that is no record. */
export type SentRecord = ReadonlyMap<string, string> | undefined;

/** `application/x-ndjson` has lines, `application/json` an array; for other types the first character decides. */
export function isArray(contentType: string, body: string): boolean {
  if (/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)\b/i.test(contentType)) return false;
  return /^application\/json\b/i.test(contentType) || /^\s*\[/.test(body);
}

/**
 * The elements of a body that is one JSON array, in their order.
 *
 * @throws ApiError 400 `Invalid JSON body.` for anything else, 413 for too many records or values.
 */
export async function readArray(body: string, most = MAX_RECORDS): Promise<SentRecord[]> {
  const parsed = await parseExactJson(body, MAX_VALUES).catch((error: unknown) => {
    if (error instanceof TooManyValues) throw new ApiError(413, `The body must have at most ${MAX_VALUES} values.`);
    throw new ApiError(400, 'Invalid JSON body.');
  });
  if (!Array.isArray(parsed)) throw new ApiError(400, 'Invalid JSON body.');
  requireCount(parsed.length, most);
  return parsed.map(readRecord);
}

/**
 * The lines of a body that are not blank, in their order. They are parsed one by one when they are judged.
 *
 * @throws ApiError 413 for too many records.
 */
export async function listLines(body: string, most = MAX_RECORDS): Promise<string[]> {
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

/** The record of a line. */
export async function readLine(line: string): Promise<SentRecord> {
  if (line.length > MAX_LINE) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return readRecord(hasInexactNumber(parsed) ? await parseExactJson(line, MAX_NAMES) : parsed);
  } catch {
    return undefined;
  }
}

function requireCount(count: number, most: number): void {
  if (count > most) throw new ApiError(413, `A batch takes at most ${most} records.`);
}

const hasInexactNumber = (parsed: unknown) =>
  typeof parsed === 'object' &&
  parsed !== null &&
  Object.values(parsed).some((value) => typeof value === 'number' && !isExact(value));

/** Texts and numbers by name, null as not sent. A lone surrogate is replaced, as it would be in a query string. */
function readRecord(parsed: unknown): SentRecord {
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

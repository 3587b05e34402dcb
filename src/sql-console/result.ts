/** Reads the rows of a statement, as many as an answer may have. */
import type { Readable } from 'node:stream';

export interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
}

/** `stream` has JSONCompactEachRowWithNamesAndTypes: names, types, then a row on each line. */
export async function readResult(stream: Readable, limit: number, maxBytes: number): Promise<Result> {
  const { text, isCut } = await readText(stream, maxBytes);
  const lines = text.split('\n').filter((line) => line !== '');
  // What was cut ends in the middle of a line.
  if (isCut) lines.pop();
  const [names = [], types = [], ...rows] = lines.slice(0, limit + 2).map((line) => JSON.parse(line) as unknown[]);
  const numeric = types.map((type) => NUMERIC.test(type as string));
  return {
    columns: names.map((name, at) => ({ name: name as string, type: types[at] as string })),
    rows: rows.map((row) => row.map((value, at) => (numeric[at] ? readNumber(value) : value))),
    truncated: isCut || lines.length > limit + 2,
  };
}

async function readText(stream: Readable, maxBytes: number): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    // Leaving the loop ends the stream.
    if (bytes > maxBytes) break;
  }
  return { text: Buffer.concat(chunks).toString(), isCut: bytes > maxBytes };
}

const NUMERIC = /^(?:LowCardinality\()?(?:Nullable\()?(?:U?Int(?:64|128|256)|Decimal)/;

/** ClickHouse writes large numbers as text; those that JavaScript holds exactly become numbers again. */
const readNumber = (value: unknown) =>
  typeof value === 'string' && String(Number(value)) === value && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value;

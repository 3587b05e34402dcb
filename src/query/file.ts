/** The rows of a question as a file: a column for each dimension, its name where it has one, and each metric. */
import type { Readable } from 'node:stream';
import { ApiError } from '../errors';
import type { ExportRunner } from '../export/export-runner';
import { FORMATS, type Column, type Format } from '../export/formats';
import type { Query } from './input';
import { bind, rowsStatement, type Parameters } from './queries';

/** The rows that a file may have. */
const MAX_ROWS = 10_000_000;

/** Dimensions whose values are IDs. */
const NAMED = ['campaign', 'ad_set', 'ad', 'keyword'];

/**
 * Opens the file. `limit` and `offset` of the question do not count.
 *
 * @throws ApiError 400 for a question with parts that a file cannot have.
 */
export async function queryFile(
  about: Parameters,
  files: ExportRunner,
  query: Query,
  format: Format,
): Promise<Readable> {
  if (query.compare) throw new ApiError(400, 'compare has no place in a file; ask for both ranges.');
  const all = { ...bind(query, about), limit: MAX_ROWS, offset: 0 };
  const rows = await files.clickhouse.tuples(rowsStatement(query, about).text, all, files.limits);
  const named = query.dimensions.map((dimension) => NAMED.includes(dimension));
  const columns: Column[] = [
    ...query.dimensions.flatMap((name, at): Column[] => [
      { name, type: 'text' },
      ...(named[at] ? [{ name: `${name}_name`, type: 'text' as const }] : []),
    ]),
    ...query.metrics.map(({ name, decimals }): Column => ({ name, type: decimals === 0 ? 'integer' : 'number' })),
  ];
  return FORMATS[format].encode(columns, flat(rows, named));
}

/** One value for each column. */
async function* flat(rows: AsyncIterable<unknown[]>, named: readonly boolean[]): AsyncGenerator<unknown[]> {
  for await (const row of rows) {
    const [dimensions, labels, metrics] = row as [string[], string[], (number | null)[]];
    yield [...dimensions.flatMap((value, at) => (named[at] ? [value, labels[at]] : [value])), ...metrics];
  }
}

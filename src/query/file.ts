/** The rows of a question as a file: a column for each dimension, its name where it has one, and each metric. */
import type { Readable } from 'node:stream';
import { ApiError } from '../errors';
import type { ExportRunner } from '../files/export-runner';
import { FORMATS, type Column, type CsvOptions, type Format } from '../files/formats';
import type { Query } from '../questions/query-input';
import { buildStatement, type Parameters } from '../questions/statements';

/** The rows that a file may have. */
const MAX_ROWS = 10_000_000;

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
  csv: CsvOptions,
): Promise<Readable> {
  if (query.compare) throw new ApiError(400, 'compare has no place in a file; ask for both ranges.');
  const { text, params, columns } = buildStatement(query, about, { limit: MAX_ROWS, offset: 0 });
  const rows = await files.clickhouse.tuples(text, params, files.limits);
  const written: Column[] = [
    ...columns.dimensions.flatMap((name, at): Column[] => [
      { name, type: 'text' },
      ...(columns.labels[at] === undefined ? [] : [{ name: columns.labels[at], type: 'text' as const }]),
    ]),
    ...query.metrics.map(({ name, format: of }): Column => ({ name, type: of === 'count' ? 'integer' : 'number' })),
  ];
  return FORMATS[format].encode(written, rows, csv);
}

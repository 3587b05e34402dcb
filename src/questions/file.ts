/** The rows of a question as a file: a column for each dimension, its name where it has one, and each metric. */
import type { Readable } from 'node:stream';
import { ApiError } from '../errors';
import type { FileReads } from '../files/export-runner';
import { FORMATS, type Column, type CsvOptions, type Format } from '../files/formats';
import type { Statement } from '../figures/compile';
import type { Query } from './query-input';
import { buildStatement, type Parameters } from './statements';

/** The rows that a file may have. */
export const MAX_ROWS = 10_000_000;

/** The rows of a file, of all that the question has; its own `limit` and `offset` do not count. */
export interface RowsOfFile {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Opens the file.
 *
 * @throws ApiError 400 for a question with parts that a file cannot have.
 */
export async function queryFile(
  about: Parameters,
  files: FileReads,
  query: Query,
  format: Format,
  csv: CsvOptions,
  rowsOfFile: RowsOfFile = { limit: MAX_ROWS, offset: 0 },
): Promise<Readable> {
  if (query.compare) throw new ApiError(400, 'compare has no place in a file; ask for both ranges.');
  const { text, params, columns } = buildStatement(query, about, rowsOfFile);
  const rows = await files.clickhouse.tuples(text, params, files.limits);
  return FORMATS[format].encode(listColumns(query, columns), rows, csv);
}

/** The columns of the file of a question. */
export const listColumns = (query: Query, columns: Statement['columns']): Column[] => [
  ...columns.dimensions.flatMap((name, at): Column[] => [
    { name, type: 'text' },
    ...(columns.labels[at] === undefined ? [] : [{ name: columns.labels[at], type: 'text' as const }]),
  ]),
  ...query.metrics.map(({ name, format: of }): Column => ({ name, type: of === 'count' ? 'integer' : 'number' })),
];

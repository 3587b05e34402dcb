/** Reads what the SQL endpoints are sent (docs/contract/sql.md). */
import { ApiError } from '../errors';
import type { Static } from '../lib/schema';
import { ROWS, type savedInputSchema, type statementSchema } from './schema';

export interface StatementInput {
  readonly query: string;
  readonly limit: number;
}
export type SavedInput = Static<typeof savedInputSchema>;

/** @throws ApiError 400 that names the field. A file may have more rows, and has as many as it may unless told. */
export function readStatement({ query, limit }: Static<typeof statementSchema>, isFile: boolean): StatementInput {
  const most = isFile ? ROWS.file : ROWS.maximum;
  if (limit !== undefined && limit > most) throw new ApiError(400, `limit: must be <= ${most}`);
  return { query, limit: limit ?? (isFile ? ROWS.file : ROWS.default) };
}

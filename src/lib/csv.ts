/** Reads the lists that come with the product: CSV with comments, a header and known columns. */
import { parse } from 'csv-parse/sync';

/**
 * The rows of a list; lines that start with `#` are comments, the header may be missing.
 *
 * @throws Error that names `file` for a row with more or fewer columns.
 */
export function parseList<const Column extends string>(
  text: string,
  file: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  try {
    const rows = parse(text, {
      columns: [...columns],
      comment: '#',
      comment_no_infix: true,
      skip_empty_lines: true,
    }) as unknown as Record<Column, string>[];
    return rows.filter((row) => columns.some((column) => row[column] !== column));
  } catch (error) {
    throw new Error(`${file}: wrong or repeated line: ${(error as Error).message}`, { cause: error });
  }
}

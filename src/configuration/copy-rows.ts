/** Writes rows of PostgreSQL to a table of ClickHouse that is a copy. */
import type { ClickHouse } from '../db/clickhouse';
import type { Row } from '../db/postgres';

const BATCH = 10_000;

/** In the order of the rows: where that is ascending revision, a copy that breaks off goes on where it stopped. */
export async function copyRows(
  clickhouse: ClickHouse,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) {
    await clickhouse.insert(
      table,
      columns,
      rows.slice(i, i + BATCH).map((row) => JSON.stringify(columns.map((column) => row[column]))),
    );
  }
}

/** Fills an index with what is new, in statements of bounded size. */
import { joinRanges, type TableChanges } from './change-tracker';

/** About so many rows are taken in by one statement. */
const ROWS_PER_STATEMENT = 1_000_000;

/** What one statement takes in: rows stored from one time until before another, those of one of several hash chunks. */
export interface FillRange extends Readonly<Record<string, unknown>> {
  readonly from: number;
  readonly to: number;
  readonly chunks: number;
  readonly chunk: number;
}

/** By storage time, which finds rows quickly, and in chunks where many rows were stored at one time. */
export async function fillInChunks(changes: TableChanges, fill: (range: FillRange) => Promise<void>): Promise<void> {
  for (const { from, to, rows } of joinRanges(changes.ranges, ROWS_PER_STATEMENT)) {
    const chunks = Math.ceil(rows / ROWS_PER_STATEMENT);
    for (let chunk = 0; chunk < chunks; chunk++) await fill({ from, to, chunks, chunk });
  }
}

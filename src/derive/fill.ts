/** Fills an index with what is new, in stretches of bounded size: killed in one, it continues with that one. */
import { joinRanges, type InsertRange } from './change-tracker';
import type { FactTable } from '../tables/derivations';
import type { RunContext } from './materialization';

/** About this many rows make a stretch. */
const ROWS_PER_STRETCH = 1_000_000;

/** What one statement takes in: rows stored from one time until before another, those of one of several hash chunks. */
export interface FillRange extends Readonly<Record<string, unknown>> {
  readonly from: number;
  readonly to: number;
  readonly chunks: number;
  readonly chunk: number;
}

export interface TableRange extends InsertRange {
  readonly table: FactTable;
}

/** Oldest first, by storage time, which finds rows quickly; in chunks where many rows were stored at one time. */
export async function fillInStretches<Table extends FactTable>(
  context: RunContext,
  tables: readonly Table[],
  fill: (table: Table, range: FillRange) => Promise<void>,
): Promise<void> {
  await inStretches(context, tables, ROWS_PER_STRETCH, async (stretch) => {
    for (const table of tables) {
      const own = stretch.filter((range) => range.table === table);
      for (const range of joinRanges(own, ROWS_PER_STRETCH)) await fillRange(range, (part) => fill(table, part));
    }
  });
}

/**
 * Works on what is new in stretches of about `rows` rows, oldest first, and notes each that is done. What was stored
 * at one time is in one stretch, however much it is.
 */
export async function inStretches(
  { changes, takenUpTo }: RunContext,
  tables: readonly FactTable[],
  rows: number,
  work: (stretch: readonly TableRange[]) => Promise<void>,
): Promise<void> {
  const ranges = tables.flatMap((table) => changes.of(table).ranges.map((range) => ({ ...range, table })));
  const stretches = splitStretches(
    ranges.sort((a, b) => a.from - b.from),
    rows,
  );
  for (const [i, stretch] of stretches.entries()) {
    await work(stretch);
    const next = stretches[i + 1]?.[0];
    if (next) await takenUpTo(next.from - 1, stretch);
  }
}

async function fillRange({ from, to, rows }: InsertRange, fill: (range: FillRange) => Promise<void>): Promise<void> {
  const chunks = Math.ceil(rows / ROWS_PER_STRETCH);
  for (let chunk = 0; chunk < chunks; chunk++) await fill({ from, to, chunks, chunk });
}

/** What was stored at one time is in one stretch. */
function splitStretches(ranges: readonly TableRange[], rowsPerStretch: number): TableRange[][] {
  const stretches: TableRange[][] = [];
  let rows = 0;
  for (const range of ranges) {
    const last = stretches.at(-1);
    if (last && (rows + range.rows <= rowsPerStretch || last.at(-1)?.from === range.from)) last.push(range);
    else {
      stretches.push([range]);
      rows = 0;
    }
    rows += range.rows;
  }
  return stretches;
}

/** A pivot table: a row for each combination of the first dimensions, a column for each value of the last. */
import type { Report, ReportRow } from '../../api/queries';

export interface PivotColumn {
  readonly id: string;
  readonly row: ReportRow;
  readonly total: number | null;
}

export interface PivotRow {
  readonly id: string;
  readonly row: ReportRow;
  readonly total: number | null;
  /** By the ID of the column; nothing where the service has no row. */
  readonly cells: ReadonlyMap<string, number | null>;
}

export interface Pivot {
  readonly columns: readonly PivotColumn[];
  readonly rows: readonly PivotRow[];
  readonly total: number | null | undefined;
  /** Whether not all cells came, or not all columns. */
  readonly isCut: boolean;
}

const encode = (dimensions: readonly string[]) => dimensions.join('\u0000');

/** @param cells those of both; `rows` and `columns` say which there are, in their order, with their totals */
export function buildPivot(cells: Report, rows: Report, columns: Report): Pivot {
  const found = new Map<string, Map<string, number | null>>();
  for (const { dimensions, metrics } of cells.results) {
    const id = encode(dimensions.slice(0, -1));
    const row = found.get(id) ?? new Map<string, number | null>();
    row.set(dimensions.at(-1) ?? '', metrics[0] ?? null);
    found.set(id, row);
  }
  return {
    columns: columns.results.map((row) => ({ id: row.dimensions[0] ?? '', row, total: row.metrics[0] ?? null })),
    rows: rows.results.map((row) => {
      const id = encode(row.dimensions);
      return { id, row, total: row.metrics[0] ?? null, cells: found.get(id) ?? new Map() };
    }),
    total: rows.totals?.[0],
    isCut: [cells, rows, columns].some(({ meta, results }) => meta.rows > results.length),
  };
}

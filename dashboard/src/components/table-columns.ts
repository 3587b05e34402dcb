/** What a column of a DataTable says of itself. */
import type { ReactNode } from 'react';
import { metricText, type Kind } from '../texts';

type Value = string | number | null | undefined;

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** Shown on the heading. */
  readonly about?: string;
  /** What the column is sorted by; shown, formatted by `kind`, where there is no `cell`. */
  readonly value: (row: Row) => Value;
  readonly cell?: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly kind?: Kind | 'text';
  /** False: not shown until somebody chooses it. */
  readonly shown?: boolean;
  /** False: always shown, for example the name. */
  readonly canHide?: boolean;
  readonly canSort?: boolean;
  /** For the row of totals. */
  readonly total?: Value;
}

/** A column of a metric of the queries: `at` is where it stands in the metrics that were asked for. */
export function metricColumn<Row extends { metrics: (number | null)[] }>(
  metric: string,
  at: number,
  totals?: readonly (number | null)[],
  more: Partial<Column<Row>> = {},
): Column<Row> {
  const { label, kind, about } = metricText(metric);
  const total = totals?.[at];
  return { id: metric, header: label, about, kind, value: (row) => row.metrics[at], total, ...more };
}

/** The columns that are shown: those that the URL names, else those that the page shows by default. */
export const shownColumns = <Row>(columns: readonly Column<Row>[], named: readonly string[] | undefined) =>
  columns.filter(({ id, shown = true, canHide = true }) => !canHide || (named ? named.includes(id) : shown));

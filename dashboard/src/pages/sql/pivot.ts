/** A result as a table of two of its columns, with the sums of a third. */
import type { SqlResult } from '../../api/sql';
import { addNumbers } from './decimal';
import { valueText } from './values';

/** More columns than one can look at. */
export const MAX_ACROSS = 50;

export interface Pivot {
  readonly across: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly (string | null)[] }[];
  /** Whether there are more values across than shown. */
  readonly isCut: boolean;
}

export function pivotResult({ columns, rows }: SqlResult, down: string, across: string, measure: string): Pivot {
  const [at, over, sum] = [down, across, measure].map((name) => columns.findIndex((one) => one.name === name));
  const cells = new Map<string, Map<string, unknown[]>>();
  const heads = new Set<string>();
  for (const row of rows) {
    const [label, head] = [valueText(row[at as number]), valueText(row[over as number])];
    heads.add(head);
    const line = cells.get(label) ?? new Map<string, unknown[]>();
    line.set(head, [...(line.get(head) ?? []), row[sum as number]]);
    cells.set(label, line);
  }
  const shown = [...heads].slice(0, MAX_ACROSS);
  return {
    across: shown,
    rows: [...cells].map(([label, line]) => ({
      label,
      values: shown.map((head) => addNumbers(line.get(head) ?? [])),
    })),
    isCut: heads.size > shown.length,
  };
}

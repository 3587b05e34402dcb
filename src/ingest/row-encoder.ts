/** Rows as lines of JSONCompactEachRow, by the names of their columns. */
import type { Row } from './record';

export interface RowEncoder<Column extends string> {
  /** The columns in the order in which a line has them. */
  readonly columns: readonly Column[];
  readonly encode: (row: Row<Column>) => string;
}

/**
 * An encoder for rows of these columns. A line begins with the first of them, the ID of records that the log takes, and
 * the day of receipt comes next where there is one: `log/records.ts` reads both without parsing the line.
 */
export function rowEncoder<const Column extends string>([first, ...others]: readonly [
  Column,
  ...Column[],
]): RowEncoder<Column> {
  const isDay = (column: string) => column === 'bucket';
  const columns = [first, ...others.filter(isDay), ...others.filter((column) => !isDay(column))];
  return {
    columns,
    encode(row) {
      const values = new Array<unknown>(columns.length);
      for (let i = 0; i < columns.length; i++) values[i] = row[columns[i] as Column];
      return JSON.stringify(values);
    },
  };
}

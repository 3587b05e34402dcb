/** A result as text to paste into a spreadsheet. */
import type { SqlResult } from '../../api/sql';
import { isNumeric, valueText } from './values';

/** Tabs and lines part cells; what begins like a formula is no formula of ours. */
const cellText = (value: unknown, type: string) => {
  if (value === null || value === undefined) return '';
  const text = valueText(value).replace(/[\t\r\n]+/g, ' ');
  return !isNumeric(type) && /^[=+\-@]/.test(text) ? `'${text}` : text;
};

export const toTsv = ({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>): string =>
  [
    columns.map(({ name }) => cellText(name, 'String')),
    ...rows.map((row) => row.map((value, at) => cellText(value, columns[at]?.type ?? ''))),
  ]
    .map((cells) => cells.join('\t'))
    .join('\n');

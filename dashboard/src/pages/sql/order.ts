/** The order of the rows of a result by a column: numbers by their size, texts by the alphabet, nothing at the end. */
import { compareNumbers } from './decimal';
import { isNumeric, valueText } from './values';

type Rows = readonly (readonly unknown[])[];

/** The place of each row in ascending order, equal where the values are; undefined for NULL. */
export function rankRows(rows: Rows, at: number, type: string): (number | undefined)[] {
  const compare = isNumeric(type)
    ? compareNumbers
    : (a: unknown, b: unknown) => valueText(a).localeCompare(valueText(b), 'en', { numeric: true });
  const known = rows.map((row, index) => ({ value: row[at], index })).filter(({ value }) => value !== null);
  known.sort((a, b) => compare(a.value, b.value));
  const ranks = new Array<number | undefined>(rows.length).fill(undefined);
  let rank = 0;
  known.forEach(({ value, index }, place) => {
    if (place > 0 && compare(known[place - 1]?.value, value) !== 0) rank = place;
    ranks[index] = rank;
  });
  return ranks;
}

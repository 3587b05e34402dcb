/** Which columns of a result are drawn: by default all numbers over the first column of anything else. */
import type { SqlResult } from '../../api/sql';
import { useView } from '../../search';
import { sqlSearch } from './search';
import { isNumeric } from './values';

export function useDrawnColumns({ columns }: SqlResult) {
  const [{ x, y, across }, setView] = useView(sqlSearch);
  const names = columns.map(({ name }) => name);
  const numbers = columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  const label = x && names.includes(x) ? x : (names.find((name) => !numbers.includes(name)) ?? names[0]);
  const chosen = y?.filter((name) => numbers.includes(name)) ?? [];
  const drawn = chosen.length > 0 ? chosen : numbers.filter((name) => name !== label);
  const others = names.filter((name) => name !== label);
  const over =
    across && others.includes(across) ? across : (others.find((name) => !numbers.includes(name)) ?? others[0]);
  return { names, numbers, label, chosen, drawn, others, over, setView };
}

/** The days of a question, in words. */
import type { Formats } from '../../format';
import { boards as text } from '../../texts/boards';
import type { Asked } from '../chart/answers';

/** Where ranges over all time begin. */
const EVER = '2000-01-01';

export function describeRange({ from, to, compare }: Asked, { day }: Pick<Formats, 'day'>): string {
  if (from === EVER) return text.allTime(day(to));
  const range = text.range(day(from), day(to));
  return compare ? text.versus(range, text.range(day(compare.from), day(compare.to))) : range;
}

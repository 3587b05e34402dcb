/** Where the items of a board stand: on a grid of twelve columns, as the service keeps it. */
export const COLUMNS = 12;
export const ROW_HEIGHT = 76;
export const GAP = 16;
/** As high as an item may be. */
export const MAX_HEIGHT = 20;
export const MAX_ITEMS = 50;

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** What of a tile its head, the legend and the margins take. */
const TAKEN = 118;
const LEAST = 80;

/** How high a chart is in a tile of so many rows. */
export const readHeight = (rows: number): number => Math.max(LEAST, rows * ROW_HEIGHT + (rows - 1) * GAP - TAKEN);

/** Items in the order in which they are read: row by row. */
export const inReadingOrder = <T extends Place>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => a.y - b.y || a.x - b.x);

const overlaps = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w;

const limit = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/**
 * What an arrow key makes of a layout: it moves the item, or with Shift resizes it. What is then below or above it
 * gives way; gaps are closed by whoever draws it. The same layout where there is nothing to do.
 */
export function moveByKey<T extends Place>(
  items: readonly T[],
  at: number,
  key: string,
  resizes: boolean,
): readonly T[] {
  const item = items[at];
  if (!item) return items;
  const change = (changes: Partial<Place>) => items.map((one, place) => (place === at ? { ...one, ...changes } : one));
  const { x, y, w, h } = item;
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
  if (step === undefined) return items;
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  if (resizes)
    return isAcross ? change({ w: limit(w + step, 1, COLUMNS - x) }) : change({ h: limit(h + step, 1, MAX_HEIGHT) });
  if (isAcross) return change({ x: limit(x + step, 0, COLUMNS - w) });
  const others = inReadingOrder(items.filter((one) => one !== item && overlaps(one, item)));
  if (step > 0) {
    const below = others.find((one) => one.y >= y + h);
    return below ? change({ y: below.y + below.h }) : items;
  }
  const above = others.findLast((one) => one.y + one.h <= y);
  if (!above) return items;
  return items.map((one) => (one === item ? { ...one, y: above.y } : one === above ? { ...one, y: above.y + h } : one));
}

/** The items of a board while it is arranged. */
import type { Board, BoardFigures, ItemEntry, Shown } from '../../api/boards';
import { inReadingOrder, type Place } from '../../components/board/places';

/** What stands on a board: a question of the project, or a heading. */
export interface Added {
  /** Null for a heading. */
  readonly questionId: number | null;
  /** Its name, or what it says. */
  readonly title: string;
}

export interface Arranged extends Place, Added {
  /** Stays the same while the item moves. */
  readonly key: string;
}

export const beginArranging = ({ items }: Board): Arranged[] =>
  items.map(({ question_id: questionId, title, heading, x, y, w, h }, at) => ({
    key: String(at),
    questionId,
    title: heading ?? title ?? '',
    ...{ x, y, w, h },
  }));

/** With the figures that are there already. */
export function showItem({ questionId, title, x, y, w, h }: Arranged, figures: BoardFigures | undefined): Shown {
  const place = { x, y, w, h };
  const answered = figures?.items.find((one) => questionId !== null && one.question_id === questionId);
  if (answered) return { ...answered, ...place };
  const named = questionId === null ? { heading: title, title: null } : { heading: null, title };
  return { chart: null, figures: null, complete: null, earlier: null, error: null, ...named, ...place };
}

/** As wide as a chart reads well, a heading over the whole width. */
const SIZES = { question: { w: 6, h: 4 }, heading: { w: 12, h: 1 } };

/** With something more at the bottom. */
export function addItem(items: readonly Arranged[], added: Added): Arranged[] {
  const y = Math.max(0, ...items.map((item) => item.y + item.h));
  const key = String(Math.max(-1, ...items.map((item) => Number(item.key))) + 1);
  return [...items, { ...added, key, x: 0, y, ...(added.questionId === null ? SIZES.heading : SIZES.question) }];
}

/** As the service takes them, in the order in which they are read. */
export const toEntries = (items: readonly Arranged[]): ItemEntry[] =>
  inReadingOrder(items).map(({ questionId, title, x, y, w, h }) => ({
    ...(questionId === null ? { heading: title } : { question_id: questionId }),
    ...{ x, y, w, h },
  }));

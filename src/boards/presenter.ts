/** Questions, boards and links as answers (docs/contract/boards.md). */
import type { AnnotationRow } from '../questions/annotations';
import type { Asked, Board, Item } from '../questions/board';
import type { SavedQuestion } from '../questions/saved';
import type { AboutRow, LinkRow, ListedBoard } from './queries';

interface Made {
  readonly id: number;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}
const presentMade = ({ id, name, created_by, created_at, updated_at }: Made) => ({
  id,
  name,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
const presentPlace = ({ x, y, w, h }: Item) => ({ x, y, w, h });

export const presentQuestion = ({ question, ...made }: SavedQuestion) => ({ ...presentMade(made), question });

export const presentListed = ({ items, links, ...board }: ListedBoard) => ({ ...presentMade(board), items, links });

export const presentBoard = (board: Board) => ({
  ...presentMade(board),
  annotations: board.annotations,
  items: board.items.map((item) => ({
    question_id: item.question_id,
    title: item.name,
    heading: item.heading,
    ...presentPlace(item),
  })),
});

export const presentLink = ({ id, created_by, created_at, expires_at, revoked_at }: LinkRow) => ({
  id,
  created_by,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
});

/** What became of its questions, in the order of the items, and the notes of those days. */
export interface Answered {
  readonly asked: readonly (Asked | null)[];
  readonly notes: readonly AnnotationRow[];
  readonly firstDay: string | null;
}

/** Without what only those of the project need. */
export const presentPublic = (about: AboutRow, { name, items }: Board, answered: Answered, at: number) => ({
  project: about.project,
  board: name,
  currency: about.currency,
  timezone: about.timezone,
  locale: about.locale,
  answered_at: new Date(at).toISOString(),
  first_day: answered.firstDay,
  annotations: answered.notes.map(({ day, text }) => ({ day, text })),
  items: items.map((item, index) => ({
    heading: item.heading,
    title: item.name,
    chart: item.question ? (item.question.chart ?? ('table' as const)) : null,
    ...presentPlace(item),
    figures: answered.asked[index]?.figures ?? null,
    complete: answered.asked[index]?.complete ?? null,
    earlier: answered.asked[index]?.earlier ?? null,
    error: answered.asked[index]?.error ?? null,
  })),
});

export function presentFigures(about: AboutRow, board: Board, answered: Answered, at: number) {
  const { items, ...shown } = presentPublic(about, board, answered, at);
  return {
    ...shown,
    items: items.map((item, index) => ({ question_id: board.items[index]?.question_id ?? null, ...item })),
  };
}

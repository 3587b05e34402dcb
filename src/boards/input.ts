/** Reads what the endpoints of questions, boards and links are sent (docs/contract/boards.md). */
import { ApiError } from '../errors';
import type { Static } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { validator } from '../lib/validate';
import { readQuestion } from '../questions/question';
import type { QuestionEntry } from '../questions/saved';
import { boardEntrySchema, GRID, newBoardSchema, questionEntrySchema } from './schema';
import type { Template } from './templates';

export type BoardEntry = Static<typeof boardEntrySchema>;
export type ItemEntry = BoardEntry['items'][number];
export interface NewBoard extends BoardEntry {
  /** What the items are instead. */
  readonly template: Template | undefined;
}

const validateQuestionEntry = validator(questionEntrySchema);
const validateNewBoard = validator(newBoardSchema);
const validateBoardEntry = validator(boardEntrySchema);

/** @throws ApiError 400 that names what is wrong and lists what is legal. */
export function readQuestionEntry(body: unknown): QuestionEntry {
  const { name, question } = validateQuestionEntry(body);
  return { name: normaliseText(name), question: readQuestion(question) };
}

/** @throws ApiError 400 that names the field and the rule. */
export function readNewBoard(body: unknown): NewBoard {
  const { name, template, items, annotations } = validateNewBoard(body);
  if (template !== undefined && items !== undefined) throw new ApiError(400, 'items: have no place beside template');
  const noted = annotations === undefined ? {} : { annotations };
  return { name: normaliseText(name), template, items: readItems(items ?? []), ...noted };
}

/** @throws ApiError 400 that names the field and the rule. */
export function readBoardEntry(body: unknown): BoardEntry {
  const { name, items, ...more } = validateBoardEntry(body);
  return { ...more, name: normaliseText(name), items: readItems(items) };
}

const readItems = (items: readonly ItemEntry[]): ItemEntry[] =>
  items.map((item, index) => {
    if ((item.question_id === undefined) === (item.heading === undefined))
      throw new ApiError(400, `items[${index}]: must have either question_id or heading`);
    if (item.x + item.w > GRID.columns)
      throw new ApiError(400, `items[${index}]: x and w must fit into ${GRID.columns} columns`);
    return item.heading === undefined ? item : { ...item, heading: normaliseText(item.heading) };
  });

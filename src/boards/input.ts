/** Reads what the endpoints of questions, boards and links are sent (docs/contract/boards.md). */
import { readPage, type Page } from '../lib/page';
import { normaliseText } from '../lib/text';
import { validator } from '../lib/validate';
import { readQuestion } from '../questions/question';
import type { QuestionEntry } from '../questions/saved';
import { PAGE, questionEntrySchema } from './schema';

/** @throws ApiError 422 for a page or limit out of bounds. */
export const readListPage = (query: URLSearchParams): Page =>
  readPage(query.get('page') ?? undefined, query.get('limit') ?? undefined, PAGE.default, PAGE.maximum);

const validateQuestionEntry = validator(questionEntrySchema);

/** @throws ApiError 400 that names what is wrong and lists what is legal. */
export function readQuestionEntry(body: unknown): QuestionEntry {
  const { name, question } = validateQuestionEntry(body);
  return { name: normaliseText(name), question: readQuestion(question) };
}

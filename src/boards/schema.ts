/** What the endpoints of questions, boards and links take and answer, as JSON Schema (docs/contract/boards.md). */
import { closed, instant, list, named, Type } from '../lib/schema';
import { paginationSchema } from '../openapi/operation';
import { questionSchema } from '../questions/question';

/** Items of a page of a list. */
export const PAGE = { default: 100, maximum: 200 } as const;

const id = Type.Integer({ minimum: 1 });
export const nameSchema = Type.String({ minLength: 1, maxLength: 255, format: 'one-line' });
const made = {
  created_by: Type.String({ description: 'Who made it.' }),
  created_at: instant,
};

export const questionEntrySchema = closed({ name: nameSchema, question: questionSchema });
export const savedQuestionSchema = named(
  'SavedQuestion',
  closed({ id, name: Type.String(), question: questionSchema, ...made, updated_at: instant }),
);
export const questionListSchema = closed({ questions: list(savedQuestionSchema), pagination: paginationSchema });

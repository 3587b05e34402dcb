/** The questions that a project keeps (docs/contract/boards.md). */
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { isInUse, refuseTaken } from '../db/violations';
import { ApiError } from '../errors';
import type { Page } from '../lib/page';
import { readQuestion, type Question } from './question';

/** Saved questions of a project. */
export const MAX_QUESTIONS = 1_000;

/** What somebody wants to be kept. */
export interface QuestionEntry {
  readonly name: string;
  readonly question: Question;
}

export interface SavedQuestion extends Row, QuestionEntry {
  readonly id: number;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const list = postgresQuery<SavedQuestion>('questions.list');
const count = postgresQuery<{ total: number }>('questions.count');
const find = postgresQuery<SavedQuestion>('questions.find');
const findAlike = postgresQuery<{ id: number; is_same: boolean }>('questions.find-alike');
const create = postgresQuery<SavedQuestion>('questions.create');
const change = postgresQuery<SavedQuestion>('questions.change');
const remove = postgresQuery('questions.delete');
const readBoards = postgresQuery<{ name: string }>('questions.boards-of');

const missing = () => new ApiError(404, 'Question not found.');
const throwTaken = refuseTaken('question');

/** A page of them, by name, and how many there are. */
export async function listQuestions(db: Queryable, projectId: number, { limit, offset }: Page) {
  const [questions, [counted]] = await Promise.all([list(db, projectId, limit, offset), count(db, projectId)]);
  return { questions, total: counted?.total ?? 0 };
}

/** @throws ApiError 404 where the project has no such question. */
export async function findQuestion(db: Queryable, projectId: number, id: number): Promise<SavedQuestion> {
  const [question] = await find(db, projectId, id);
  if (!question) throw missing();
  return question;
}

/** @throws ApiError 409 for a name that is taken, or when the project has as many as it may. */
export async function createQuestion(
  db: Queryable,
  projectId: number,
  { name, question }: QuestionEntry,
  createdBy: string,
): Promise<SavedQuestion> {
  const [made] = await create(db, projectId, name, JSON.stringify(question), createdBy, MAX_QUESTIONS).catch(
    throwTaken,
  );
  if (!made) throw new ApiError(409, `A project has at most ${MAX_QUESTIONS} saved questions.`);
  return made;
}

/** The ID of a question that is kept under this name or, where another one has it, under one with a number. */
export async function keepQuestion(
  db: Queryable,
  projectId: number,
  entry: QuestionEntry,
  createdBy: string,
): Promise<number> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? entry.name : `${entry.name} (${number})`;
    const [present] = await findAlike(db, projectId, name, JSON.stringify(entry.question));
    if (present?.is_same) return present.id;
    if (!present) return (await createQuestion(db, projectId, { ...entry, name }, createdBy)).id;
  }
}

/** @throws ApiError 404 when the project has none of that ID, 409 for a name that is taken. */
export async function changeQuestion(db: Queryable, projectId: number, id: number, entry: QuestionEntry) {
  const [changed] = await change(db, projectId, id, entry.name, JSON.stringify(entry.question)).catch(throwTaken);
  if (!changed) throw missing();
  return changed;
}

/** @throws ApiError 404 when the project has none of that ID, 409 while something shows or asks it. */
export async function deleteQuestion(db: Queryable, projectId: number, id: number): Promise<void> {
  const boards = await readBoards(db, projectId, id);
  if (boards.length > 0) {
    const names = boards.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new ApiError(409, `Boards show this question: ${names}. Take it off them first.`);
  }
  const deleted = await remove(db, projectId, id).catch((error: unknown) => {
    if (!isInUse(error)) throw error;
    throw new ApiError(409, 'A board, an alert or a schedule uses this question.');
  });
  if (deleted.length === 0) throw missing();
}

/** A question that was kept by an earlier version may name what this one does not know. @throws ApiError 400 */
export const readKept = ({ question }: Pick<SavedQuestion, 'question'>): Question => readQuestion(question);

/** A board as it is read, and the answers to all its questions (docs/contract/boards.md). */
import { Semaphore } from 'async-mutex';
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { ApiError, UnavailableError } from '../errors';
import type { Answer } from './answer';
import { ask, askComplete, askEarlier, type AskParts } from './ask';
import { findFirstDay } from './first-day';
import type { Question } from './question';
import { readKept } from './saved';

/** Where an item stands on the grid of twelve columns. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A question, or a heading. */
export type Item = Place &
  (
    | { readonly question_id: number; readonly heading: null; readonly name: string; readonly question: Question }
    | { readonly question_id: null; readonly heading: string; readonly name: null; readonly question: null }
  );

export interface Board {
  readonly id: number;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Whether its charts show the notes of the project, to strangers too. */
  readonly annotations: boolean;
  /** In the order in which they are read. */
  readonly items: readonly Item[];
  /** Differs whenever the board, or a question on it, has changed. */
  readonly revision: string;
}

const readBoard = postgresQuery<Omit<Board, 'items' | 'revision'> & Row>('boards.find');
const readItems = postgresQuery<Item & { readonly updated_at: Date | null } & Row>('boards.items');

/** @throws ApiError 404 where the project has no such board. */
export async function findBoard(db: Queryable, projectId: number, id: number): Promise<Board> {
  const [[board], rows] = await Promise.all([readBoard(db, projectId, id), readItems(db, projectId, id)]);
  if (!board) throw new ApiError(404, 'Board not found.');
  const changes = [board.updated_at, ...rows.map(({ updated_at }) => updated_at)];
  const revision = changes.map((at) => at?.getTime() ?? '').join();
  return { ...board, items: rows.map(({ updated_at: _, ...item }) => item as Item), revision };
}

/** What became of a question: its answer, or why there is none. */
export type Asked =
  | {
      readonly figures: Answer;
      readonly complete: Answer | null;
      readonly earlier: Answer | null;
      readonly error: null;
    }
  | {
      readonly figures: null;
      readonly complete: null;
      readonly earlier: null;
      readonly error: { readonly msg: string; readonly status: number };
    };

export interface BoardOptions {
  /** The most rows of an answer. */
  readonly rows: number;
  /** Whose limit each question counts against. */
  readonly spend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told of errors that are not for people. */
  readonly onError: (error: unknown) => void;
}

/** Questions of a board that are asked at a time: no more have a place among the reports. */
const LANES = 2;
/** After so long no further question of a board is asked. */
const MAX_SECONDS = 60;

const refused = (status: number, msg: string): Asked => ({
  ...{ figures: null, complete: null, earlier: null },
  error: { msg, status },
});

/** The answers to the questions of a board, in the order of its items; null for a heading. None fails with another. */
export async function answerBoard(
  parts: AskParts,
  projectId: number,
  { items }: Pick<Board, 'items'>,
  options: BoardOptions,
): Promise<(Asked | null)[]> {
  const lanes = new Semaphore(LANES);
  const end = performance.now() + MAX_SECONDS * 1000;
  const answerOne = async (item: Item): Promise<Asked> => {
    if (performance.now() > end) return refused(503, 'The board has taken too long. Please try again later.');
    try {
      const question = bound(readKept(item as { question: Question }), options.rows);
      return await options.spend(async () => ({
        figures: await ask(parts, projectId, question),
        complete: await askComplete(parts, projectId, question),
        earlier: await askEarlier(parts, projectId, question),
        error: null,
      }));
    } catch (error) {
      if (error instanceof ApiError) return refused(error.status, error.message);
      if (error instanceof UnavailableError) return refused(503, 'Service unavailable. Please try again.');
      options.onError(error);
      return refused(500, 'Internal server error');
    }
  };
  return Promise.all(
    items.map((item) => (item.question ? lanes.runExclusive(() => answerOne(item)) : Promise.resolve(null))),
  );
}

/** Nobody reads more of a board, and of its SQL nothing. */
const bound = ({ limit, include, ...question }: Question, rows: number): Question => ({
  ...question,
  limit: Math.min(limit ?? rows, rows),
  ...(include ? { include: include.filter((one) => one !== 'sql') } : {}),
});

/** The first day of which the project has data, where a question of the board compares; null where it is not known. */
export async function readFirstDay(
  parts: AskParts,
  projectId: number,
  { items }: Pick<Board, 'items'>,
  onError: BoardOptions['onError'],
): Promise<string | null> {
  if (!items.some(({ question }) => question?.compare !== undefined)) return null;
  try {
    return await findFirstDay(parts, projectId);
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof UnavailableError)) onError(error);
    return null;
  }
}

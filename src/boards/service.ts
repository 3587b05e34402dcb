/** Makes, arranges and deletes boards (docs/contract/boards.md). */
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres, Queryable } from '../db/postgres';
import { refuseTaken } from '../db/violations';
import { ApiError } from '../errors';
import type { Page } from '../lib/page';
import { findBoard, type Board } from '../questions/board';
import { keepQuestion } from '../questions/saved';
import type { BoardEntry, ItemEntry, NewBoard } from './input';
import * as queries from './queries';
import { MAX_BOARDS } from './schema';
import { TEMPLATE_ITEMS, type Template } from './templates';

const missing = () => new ApiError(404, 'Board not found.');
const throwTaken = refuseTaken('board');

/** A page of them, by name, and how many there are. */
export async function listBoards(db: Queryable, projectId: number, { limit, offset }: Page, now: number) {
  const [boards, [counted]] = await Promise.all([
    queries.listBoards(db, projectId, limit, offset, new Date(now)),
    queries.countBoards(db, projectId),
  ]);
  return { boards, total: counted?.total ?? 0 };
}

/**
 * Makes a board, and the questions of its template with it.
 *
 * @throws ApiError 400 for questions that are not there, 409 for a name that is taken, or for one too many.
 */
export function createBoard(postgres: Postgres, projectId: number, entry: NewBoard, createdBy: string): Promise<Board> {
  return postgres.tx(async (db) => {
    const [made] = await queries
      .createBoard(db, projectId, entry.name, createdBy, MAX_BOARDS, entry.annotations ?? false)
      .catch(throwTaken);
    if (!made) throw new ApiError(409, `A project has at most ${MAX_BOARDS} boards.`);
    const items = entry.template ? await keepItems(db, projectId, entry.template, createdBy) : entry.items;
    await placeItems(db, projectId, made.id, items);
    return findBoard(db, projectId, made.id);
  });
}

/** The items of a template, with questions that are kept now. */
async function keepItems(db: Queryable, projectId: number, template: Template, createdBy: string) {
  const items: ItemEntry[] = [];
  for (const item of TEMPLATE_ITEMS[template]) {
    const { x, y, w, h } = item;
    const shown =
      'heading' in item
        ? { heading: item.heading }
        : { question_id: await keepQuestion(db, projectId, item, createdBy) };
    items.push({ ...shown, x, y, w, h });
  }
  return items;
}

/** @throws ApiError 400 that names an item whose question the project does not have. */
async function placeItems(db: Queryable, projectId: number, id: number, items: readonly ItemEntry[]): Promise<void> {
  const ids = items.flatMap(({ question_id }) => question_id ?? []);
  const [lacking] = await queries.findMissingQuestions(db, projectId, ids);
  if (lacking) {
    const at = items.findIndex(({ question_id }) => question_id === lacking.id);
    throw new ApiError(400, `items[${at}].question_id: the project has no question ${lacking.id}`);
  }
  await queries.addItems(db, projectId, id, JSON.stringify(items));
}

/** Replaces name and items. @throws ApiError 404, 400 and 409 as above. */
export function changeBoard(postgres: Postgres, projectId: number, id: number, entry: BoardEntry): Promise<Board> {
  return postgres.tx(async (db) => {
    const [renamed] = await queries
      .renameBoard(db, projectId, id, entry.name, entry.annotations ?? false)
      .catch(throwTaken);
    if (!renamed) throw missing();
    await queries.deleteItems(db, projectId, id);
    await placeItems(db, projectId, id, entry.items);
    return findBoard(db, projectId, id);
  });
}

/** Deletes a board; its questions stay, its links end. @throws ApiError 404 */
export async function deleteBoard(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<void> {
  const [deleted] = await changeAs(postgres, actor, (db) => queries.deleteBoard(db, projectId, id));
  if (!deleted) throw missing();
}

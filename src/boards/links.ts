/** Public links to boards: made, listed, revoked and followed (docs/contract/boards.md). */
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret, sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { findBoard } from '../questions/board';
import * as queries from './queries';
import { MAX_LINKS } from './schema';

/** How long a link works unless said, and at most. */
export const LINK_DAYS = { default: 90, maximum: 365 } as const;
/** For how long links that do not work any more are shown. */
const SHOWN_DAYS = 90;
const PREFIX = 'board';

/** @throws ApiError 400 that names the field. */
export function readExpiry(given: string | undefined, now: number): Date {
  if (given === undefined) return new Date(now + LINK_DAYS.default * DAY_MS);
  const at = new Date(given);
  if (at.getTime() <= now) throw new ApiError(400, 'expires_at: must be in the future');
  if (at.getTime() > now + LINK_DAYS.maximum * DAY_MS)
    throw new ApiError(400, `expires_at: must be at most ${LINK_DAYS.maximum} days ahead`);
  return at;
}

/** @throws ApiError 404 where the project has no such board. */
export async function listLinks(db: Queryable, projectId: number, boardId: number): Promise<queries.LinkRow[]> {
  await findBoard(db, projectId, boardId);
  return queries.listLinks(db, projectId, boardId);
}

/** Makes a link and shows its token, this once. @throws ApiError 404, and 409 for one too many. */
export function createLink(
  postgres: Postgres,
  actor: Actor,
  { projectId, boardId, expiresAt }: { readonly projectId: number; readonly boardId: number; readonly expiresAt: Date },
  now: number,
): Promise<{ link: queries.LinkRow; token: string }> {
  const token = newSecret(PREFIX);
  return changeAs(postgres, actor, async (db) => {
    const [board] = await queries.lockBoard(db, projectId, boardId);
    if (!board) throw new ApiError(404, 'Board not found.');
    await queries.forgetLinks(db, projectId, boardId, new Date(now - SHOWN_DAYS * DAY_MS));
    const values = [projectId, boardId, board.name, sha256(token), actor.name, expiresAt, MAX_LINKS, new Date(now)];
    const [link] = await queries.createLink(db, ...values);
    if (!link) throw new ApiError(409, `A board has at most ${MAX_LINKS} links that work.`);
    return { link, token };
  });
}

/** Ends a link at once; one that has ended stays as it is. @throws ApiError 404 */
export async function revokeLink(postgres: Postgres, actor: Actor, projectId: number, boardId: number, id: number) {
  const [revoked] = await changeAs(postgres, actor, (db) => queries.revokeLink(db, projectId, boardId, id));
  if (!revoked) throw new ApiError(404, 'Link not found.');
}

/** The board that a token shows; undefined for one that is unknown, revoked or expired. */
export const findLinked = async (db: Queryable, token: string, now: number) =>
  (await queries.findLinked(db, sha256(token), new Date(now)))[0];

/** Links that let a person in once: the first operator, an invitation, a new password. */
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { changeAs, type Actor } from '../configuration/change';
import { newSecret, sha256 } from '../secrets';
import { DAY_MS } from '../time';
import { hashPassword, isPassword } from './passwords';
import type { Role } from './permissions';
import * as queries from './queries';
import { beginSession, type Browser } from './sessions';
import { actorOf, canonicalEmail, checkSecondFactor, wrongPassword } from './signing-in';

const LIVES_MS = { first: DAY_MS, invitation: 7 * DAY_MS, password: DAY_MS } as const;

const noLink = () => new ApiError(404, 'This link has been used, replaced, or has expired.');

/** What a link is for; columns that do not apply are null. */
export interface LinkFor {
  readonly kind: keyof typeof LIVES_MS;
  readonly email?: string | null;
  readonly role?: Role | null;
  readonly accountId?: number | null;
  readonly partnerId?: number | null;
  readonly userId?: number | null;
  readonly invitedBy?: string;
}

export interface MadeLink {
  readonly id: number;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Makes a link; an earlier one for the same does not work any more. */
export async function makeLink(db: Queryable, about: LinkFor, now: number): Promise<MadeLink> {
  const { kind, email = null, role = null, accountId = null, partnerId = null, userId = null } = about;
  const token = newSecret('link');
  const expiresAt = new Date(now + LIVES_MS[kind]);
  await queries.endLinks(db, kind, email, accountId, partnerId, userId, new Date(now));
  const [row] = await queries.createLink(
    db,
    sha256(token),
    kind,
    email,
    role,
    accountId,
    partnerId,
    userId,
    about.invitedBy ?? null,
    new Date(now),
    expiresAt,
  );
  return { id: row?.id as number, token, expiresAt };
}

async function find(db: Queryable, token: string, now: number): Promise<queries.LinkRow> {
  const [link] = await queries.findLink(db, sha256(token), new Date(now));
  if (!link) throw noLink();
  return link;
}

/** What a link is for, so that its page can ask for what is needed. @throws ApiError 404. */
export async function lookAtLink(db: Queryable, token: string, now: number) {
  const { kind, email, role, place, known, expires_at } = await find(db, token, now);
  return { kind, email, role: kind === 'first' ? 'operator' : role, place, known, expires_at };
}

export interface Answer {
  readonly token: string;
  readonly email?: string;
  readonly name?: string;
  readonly password: string;
  readonly code?: string;
}

/**
 * Uses a link up: makes the person or gives a role to one who is there, and begins a session. Returns its cookie.
 *
 * @throws ApiError 404 for a link that does not work, 400 naming a field that is missing, 401 for the wrong password of
 * a person who is known.
 */
export async function followLink(postgres: Postgres, answer: Answer, browser: Browser, now: number): Promise<string> {
  const link = await find(postgres, answer.token, now);
  const email = canonicalEmail(link.email ?? required(answer.email, 'email'));
  const [known] = await queries.findUserByEmail(postgres, email);
  if (link.kind === 'password') return setNewPassword(postgres, link, known, answer, browser, now);
  if (known && !(await isPassword(answer.password, known.password))) throw wrongPassword();
  const name = known?.name ?? required(answer.name, 'name');
  const hashed = known ? null : await hashPassword(answer.password);
  const actor: Actor = known ? actorOf(known, browser) : { kind: 'user', name, address: browser.address };
  return changeAs(postgres, actor, async (db) => {
    await take(db, link.id, now);
    if (known) await checkSecondFactor(db, known, answer.code, now);
    const userId = known?.id ?? (await queries.createUser(db, email, name, hashed));
    await queries.putMembership(db, userId, link.role ?? 'operator', link.account_id, link.partner_id);
    return beginSession(db, userId, browser, now);
  });
}

async function setNewPassword(
  postgres: Postgres,
  link: queries.LinkRow,
  user: queries.UserRow | undefined,
  answer: Answer,
  browser: Browser,
  now: number,
): Promise<string> {
  if (!user) throw noLink();
  const hashed = await hashPassword(answer.password);
  return changeAs(postgres, actorOf(user, browser), async (db) => {
    await take(db, link.id, now);
    await checkSecondFactor(db, user, answer.code, now);
    await queries.setPassword(db, user.id, hashed);
    await queries.endSessions(db, user.id, null);
    return beginSession(db, user.id, browser, now);
  });
}

async function take(db: Queryable, linkId: number, now: number): Promise<void> {
  const [taken] = await queries.takeLink(db, linkId, new Date(now));
  if (!taken) throw noLink();
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw new ApiError(400, `body: "${field}" is required`);
  return value;
}

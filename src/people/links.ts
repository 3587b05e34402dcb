/** Links that let a person in once: the first operator, an invitation, a new password. */
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import type { Actor } from '../configuration/change';
import type { Guarded } from '../http/guesses';
import type { Seal } from '../lib/seal';
import { newSecret, sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { changeBelonging, endWhatWent, isAllowedStill } from './belonging';
import { hashPassword, isPassword } from './passwords';
import type { Role } from '../http/permissions';
import * as queries from './queries';
import { beginSession, type Browser } from './sessions';
import {
  buildActor,
  canonicalEmail,
  checkSecondFactor,
  lockUnchanged,
  proveAddress,
  wrongPassword,
} from './signing-in';

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
  /** Whether it goes to the address by mail, and is shown to nobody: who follows it has proven the address. */
  readonly mailed?: boolean;
}

export interface MadeLink {
  readonly id: number;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Makes a link; an earlier one for the same does not work any more. */
export async function makeLink(db: Queryable, about: LinkFor, now: number): Promise<MadeLink> {
  const { kind, email = null, role = null, accountId = null, partnerId = null, userId = null } = about;
  const { invitedBy = null, mailed = false } = about;
  const token = newSecret('link');
  const expiresAt = new Date(now + LIVES_MS[kind]);
  await queries.endLinks(db, kind, email, accountId, partnerId, userId, new Date(now));
  const place = [accountId, partnerId, userId];
  const times = [new Date(now), expiresAt];
  const [row] = await queries.createLink(db, sha256(token), kind, email, role, ...place, invitedBy, mailed, ...times);
  return { id: row?.id as number, token, expiresAt };
}

/** @throws ApiError 404 for a link that does not work, or whose maker could not make it any more. */
async function find(db: Queryable, token: string, now: number): Promise<queries.LinkRow> {
  const [link] = await queries.findLink(db, sha256(token), new Date(now));
  if (!link || !(await isAllowedStill(db, link))) throw noLink();
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

/** What is asked for where somebody follows a link. */
export interface Following {
  readonly browser: Browser;
  /** Around what tries a code of the person with this address. */
  readonly guardCode: Guarded;
  /** Seals second factors. */
  readonly seal: Seal;
  readonly now: number;
}

/**
 * Uses a link up: makes the person, sets the password or gives a role to one who is there, and begins a session.
 * Returns its cookie.
 *
 * @throws ApiError 404 for a link that does not work, 400 naming a field that is missing, 401 for the wrong password of
 * a person who is known, or a wrong code.
 */
export async function followLink(postgres: Postgres, answer: Answer, following: Following): Promise<string> {
  const link = await find(postgres, answer.token, following.now);
  const email = canonicalEmail(link.email ?? required(answer.email, 'email'));
  const [person] = await queries.findUserByEmail(postgres, email);
  if (!person) return followAsNobody(postgres, link, email, answer, following);
  const follow = () => followAsPerson(postgres, link, person, answer, following);
  return person.totp_secret === null ? follow() : following.guardCode(email, follow);
}

async function followAsNobody(
  postgres: Postgres,
  link: queries.LinkRow,
  email: string,
  answer: Answer,
  { browser, now }: Following,
): Promise<string> {
  const name = required(answer.name, 'name').trim();
  const password = await hashPassword(answer.password);
  const provenAt = link.mailed ? new Date(now) : null;
  const self: Actor = { kind: 'user', name, address: browser.address };
  return changeBelonging(postgres, actorBehind(link, self), async (db) => {
    await take(db, answer.token, now);
    const userId = await queries.createUser(db, { email, name, password, provenAt });
    await giveRole(db, userId, link, now);
    return beginSession(db, userId, browser, now);
  });
}

async function followAsPerson(
  postgres: Postgres,
  link: queries.LinkRow,
  person: queries.UserRow,
  answer: Answer,
  { browser, seal, now }: Following,
): Promise<string> {
  // Mail that arrived proves the address: of what was made in its name before, nothing lets anybody in.
  const proves = link.mailed && person.proven_at === null;
  const setsPassword = proves || link.kind === 'password';
  const name = proves && link.kind === 'invitation' ? required(answer.name, 'name').trim() : person.name;
  if (!setsPassword && !(await isPassword(answer.password, person.password))) throw wrongPassword();
  const hashed = setsPassword ? await hashPassword(answer.password) : null;
  return changeBelonging(postgres, actorBehind(link, buildActor(person, browser)), async (db) => {
    await take(db, answer.token, now);
    const user = await lockUnchanged(db, person);
    if (proves) await proveAddress(db, user.id, hashed, now);
    else await checkSecondFactor(db, user, answer.code, { seal, now });
    if (name !== user.name) await queries.rename(db, user.id, name);
    if (setsPassword && !proves) {
      // By a link that went through other hands anybody may have come: but for the code nobody is proven any more.
      await queries.setPassword(db, user.id, hashed, link.mailed || user.totp_secret !== null);
      await queries.endSessions(db, user.id, null);
    }
    if (link.kind !== 'password') await giveRole(db, user.id, link, now);
    return beginSession(db, user.id, browser, now);
  });
}

/** A link that was handed over says nothing of who follows it: what it does is done by who has made it. */
function actorBehind({ mailed, made_by, maker, kind }: queries.LinkRow, follower: Actor): Actor {
  if (mailed) return follower;
  if (kind === 'first') return { kind: 'admin_token', name: 'admin token', address: follower.address };
  return made_by === null ? follower : { ...follower, userId: made_by, name: maker ?? '' };
}

/** A membership by a link; who is a member there already stays what it is. */
async function giveRole(db: Queryable, userId: number, link: queries.MadeLinkRow, now: number): Promise<void> {
  await queries.putMembership(db, userId, link.role ?? 'operator', link.account_id, link.partner_id);
  await endWhatWent(db, userId, now);
}

/** Uses a link up, judged by what is so now. */
async function take(db: Queryable, token: string, now: number): Promise<void> {
  const link = await find(db, token, now);
  await queries.takeLink(db, link.id, new Date(now));
}

/** Follows the invitations of a person whose address a provider vouches for, as far as they are still allowed. */
export async function acceptInvitations(
  db: Queryable,
  userId: number,
  invitations: readonly queries.MadeLinkRow[],
  now: number,
): Promise<void> {
  for (const invitation of invitations) {
    await queries.takeLink(db, invitation.id, new Date(now));
    await giveRole(db, userId, invitation, now);
  }
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw new ApiError(400, `body: "${field}" is required`);
  return value;
}

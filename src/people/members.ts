/** Who belongs to an account, to a partner or to the installation, and who is invited. */
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import type { Actor } from '../configuration/change';
import { changeBelonging, endWhatWent, mayMake } from './belonging';
import { toPlace } from './input';
import { makeLink, type MadeLink } from './links';
import {
  mayGive,
  NOT_ALLOWED,
  permissionsIn,
  roleIn,
  rolesGivenBy,
  type Permission,
  type Person,
  type Place,
  type Role,
} from '../http/permissions';
import * as queries from './queries';
import { canonicalEmail } from './signing-in';

/** The last of these cannot be taken out or made less. */
const LAST_STAYS: readonly Role[] = ['operator', 'owner'];

const notAllowed = () => new ApiError(403, NOT_ALLOWED);
const notFound = (what: string) => new ApiError(404, `${what} not found.`);

const placeNoun = (place: Place) => (place !== 'installation' && 'partner' in place ? 'Partner' : 'Account');

const placeColumns = (place: Place) => ({
  accountId: place !== 'installation' && 'account' in place ? place.account : null,
  partnerId: place !== 'installation' && 'partner' in place ? place.partner : null,
});

const MEMBERS: Readonly<Record<'account' | 'partner' | 'installation', Permission>> = {
  account: 'members',
  partner: 'partner-members',
  installation: 'installation',
};

/** @throws ApiError 404 for a place that the person has nothing to do with, 403 where the role may not. */
export function mustManageMembers(person: Person, place: Place, what = placeNoun(place)): void {
  const kind = place === 'installation' ? place : 'account' in place ? 'account' : 'partner';
  if (place !== 'installation' && roleIn(person, place) === undefined) throw notFound(what);
  if (!permissionsIn(person, place).includes(MEMBERS[kind])) throw notAllowed();
}

/** @throws ApiError 400 without an account from who does not operate the installation, 404 and 403 as of members. */
export function mustReadAuditLog(person: Person, accountId: number | null): void {
  if (accountId === null) {
    if (!person.operator) throw new ApiError(400, 'account_id: is required');
    return;
  }
  if (roleIn(person, { account: accountId }) === undefined) throw notFound('Account');
  if (!permissionsIn(person, { account: accountId }).includes('audit-log')) throw notAllowed();
}

export async function listMembers(db: Queryable, person: Person, place: Place, now: number) {
  mustManageMembers(person, place);
  const { accountId, partnerId } = placeColumns(place);
  return {
    members: await queries.readMembers(db, accountId, partnerId),
    invitations: await queries.readInvitations(db, accountId, partnerId, new Date(now)),
  };
}

/**
 * Invites somebody to a place whose members the person manages.
 *
 * @throws ApiError 400 for a role that the place does not have, 403 for one that the person cannot give, 404, and 409
 * for who is a member already.
 */
export async function invite(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  place: Place,
  given: { email: string; role: Role; mailed: boolean },
  now: number,
): Promise<MadeLink> {
  if (!rolesGivenBy('operator', place).includes(given.role))
    throw new ApiError(400, `role: must be one of ${rolesGivenBy('operator', place).join(', ')}`);
  if (!mayGive(person, place, given.role)) throw notAllowed();
  const { accountId, partnerId } = placeColumns(place);
  return changeBelonging(postgres, actor, async (db) => {
    const table = accountId === null ? 'partners' : 'accounts';
    const id = accountId ?? partnerId;
    if (id !== null && (await db.rows(`SELECT FROM ${table} WHERE id = $1`, [id])).length === 0)
      throw notFound(placeNoun(place));
    const { role, mailed } = given;
    const email = canonicalEmail(given.email);
    if ((await queries.isMember(db, email, accountId, partnerId)).length > 0)
      throw new ApiError(409, 'This person is a member already: change the role instead.');
    const about = { kind: 'invitation', email, role, accountId, partnerId, mailed } as const;
    return makeLink(db, { ...about, invitedBy: person.name }, now);
  });
}

export const withdrawInvitation = (
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  now: number,
): Promise<void> =>
  changeBelonging(postgres, actor, async (db) => {
    const [invitation] = await queries.findInvitation(db, id);
    if (!invitation) throw notFound('Invitation');
    const place = toPlace(invitation.account_id, invitation.partner_id);
    mustManageMembers(person, place, 'Invitation');
    if (!mayGive(person, place, invitation.role)) throw notAllowed();
    await queries.endLink(db, id, new Date(now));
  });

/** Runs `work` on a membership that the person may manage. */
function onMembership<T>(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  work: (db: Queryable, membership: queries.MembershipRow, place: Place) => Promise<T>,
): Promise<T> {
  return changeBelonging(postgres, actor, async (db) => {
    const [membership] = await queries.findMembership(db, id);
    if (!membership) throw notFound('Member');
    const place = toPlace(membership.account_id, membership.partner_id);
    if (place === 'installation' && !person.operator) throw notFound('Member');
    mustManageMembers(person, place, 'Member');
    if (!mayGive(person, place, membership.role)) throw notAllowed();
    return work(db, membership, place);
  });
}

async function refuseLast(db: Queryable, { role, account_id, partner_id }: queries.MembershipRow): Promise<void> {
  if (!LAST_STAYS.includes(role)) return;
  const [row] = await queries.countRole(db, role, account_id, partner_id);
  if ((row?.count ?? 0) < 2) throw new ApiError(409, `There must be at least one ${role}.`);
}

/** Resolves with whether users of ClickHouse end by it. @throws ApiError 409 for the last owner or operator. */
export const changeRole = (
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  role: Role,
  now: number,
): Promise<boolean> =>
  onMembership(postgres, actor, person, id, async (db, membership, place) => {
    if (!rolesGivenBy('operator', place).includes(role))
      throw new ApiError(400, `role: must be one of ${rolesGivenBy('operator', place).join(', ')}`);
    if (!mayGive(person, place, role)) throw notAllowed();
    if (role === membership.role) return false;
    await refuseLast(db, membership);
    await queries.setRole(db, id, role);
    return endWhatWent(db, membership.user_id, now);
  });

/** Resolves with whether users of ClickHouse end by it. @throws ApiError 409 for the last owner or operator. */
export const removeMember = (
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  now: number,
): Promise<boolean> =>
  onMembership(postgres, actor, person, id, async (db, membership) => {
    await refuseLast(db, membership);
    await queries.deleteMembership(db, id);
    const { email, account_id, partner_id, user_id } = membership;
    await queries.endLinks(db, 'invitation', email, account_id, partner_id, null, new Date(now));
    return endWhatWent(db, user_id, now);
  });

/** A link for a member who has forgotten the password. @throws ApiError 403 for who is a member elsewhere too. */
export const memberPasswordLink = (
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  mailed: boolean,
  now: number,
) =>
  onMembership(postgres, actor, person, id, async (db, membership) => {
    const { user_id, account_id, partner_id, email } = membership;
    if (!(await mayMake(db, person, { kind: 'password', role: null, user_id, account_id, partner_id })))
      throw new ApiError(403, 'This person is a member elsewhere too: only an operator can make this link.');
    const place = { accountId: account_id, partnerId: partner_id };
    const about = { kind: 'password', userId: user_id, ...place, mailed, invitedBy: person.name } as const;
    return { ...(await makeLink(db, about, now)), email };
  });

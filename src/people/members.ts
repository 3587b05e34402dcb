/** Who belongs to an account, to a partner or to the installation, and who is invited. */
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { changeAs, type Actor } from '../configuration/change';
import { placeOf } from './input';
import { makeLink, type MadeLink } from './links';
import {
  NOT_ALLOWED,
  permissionsIn,
  roleIn,
  rolesGivenBy,
  type Permission,
  type Person,
  type Place,
  type Role,
} from './permissions';
import * as queries from './queries';
import { canonicalEmail } from './signing-in';

/** The last of these cannot be taken out or made less. */
const LAST_STAYS: readonly Role[] = ['operator', 'owner'];

const notAllowed = () => new ApiError(403, NOT_ALLOWED);
const notFound = (what: string) => new ApiError(404, `${what} not found.`);

const columnsOf = (place: Place) => ({
  accountId: place !== 'installation' && 'account' in place ? place.account : null,
  partnerId: place !== 'installation' && 'partner' in place ? place.partner : null,
});

const MEMBERS: Readonly<Record<'account' | 'partner' | 'installation', Permission>> = {
  account: 'members',
  partner: 'partner-members',
  installation: 'installation',
};

/** @throws ApiError 404 for a place that the person has nothing to do with, 403 where the role may not. */
export function mustManageMembers(person: Person, place: Place, what = 'Account'): void {
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

const mayGive = (person: Person, place: Place, role: Role) => {
  const own = roleIn(person, place);
  return own !== undefined && rolesGivenBy(own, place).includes(role);
};

export async function listMembers(db: Queryable, person: Person, place: Place, now: number) {
  mustManageMembers(person, place, nameOf(place));
  const { accountId, partnerId } = columnsOf(place);
  return {
    members: await queries.readMembers(db, accountId, partnerId),
    invitations: await queries.readInvitations(db, accountId, partnerId, new Date(now)),
  };
}

const nameOf = (place: Place) => (place !== 'installation' && 'partner' in place ? 'Partner' : 'Account');

/**
 * @throws ApiError 400 for a role that the place does not have, 403 for one that the person cannot give, 404, and 409
 * for who is a member already.
 */
export async function invite(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  place: Place,
  given: { email: string; role: Role },
  now: number,
): Promise<MadeLink> {
  mustManageMembers(person, place, nameOf(place));
  if (!rolesGivenBy('operator', place).includes(given.role))
    throw new ApiError(400, `role: must be one of ${rolesGivenBy('operator', place).join(', ')}`);
  if (!mayGive(person, place, given.role)) throw notAllowed();
  const { accountId, partnerId } = columnsOf(place);
  return changeAs(postgres, actor, async (db) => {
    const table = accountId === null ? 'partners' : 'accounts';
    const id = accountId ?? partnerId;
    if (id !== null && (await db.rows(`SELECT FROM ${table} WHERE id = $1`, [id])).length === 0)
      throw notFound(nameOf(place));
    const { role } = given;
    const email = canonicalEmail(given.email);
    if ((await queries.isMember(db, email, accountId, partnerId)).length > 0)
      throw new ApiError(409, 'This person is a member already: change the role instead.');
    const about = { kind: 'invitation', email, role, accountId, partnerId } as const;
    return makeLink(db, { ...about, invitedBy: person.name }, now);
  });
}

export async function withdrawInvitation(postgres: Postgres, person: Person, id: number, now: number): Promise<void> {
  const [invitation] = await queries.findInvitation(postgres, id);
  if (!invitation) throw notFound('Invitation');
  const place = placeOf(invitation.account_id, invitation.partner_id);
  mustManageMembers(person, place, 'Invitation');
  if (!mayGive(person, place, invitation.role)) throw notAllowed();
  await queries.takeLink(postgres, id, new Date(now));
}

/** Runs `work` on a membership that the person may manage. */
function onMembership<T>(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  id: number,
  work: (db: Queryable, membership: queries.MembershipRow, place: Place) => Promise<T>,
): Promise<T> {
  return changeAs(postgres, actor, async (db) => {
    const [membership] = await queries.findMembership(db, id);
    if (!membership) throw notFound('Member');
    const place = placeOf(membership.account_id, membership.partner_id);
    if (place === 'installation' && !person.operator) throw notFound('Member');
    mustManageMembers(person, place, 'Member');
    if (!mayGive(person, place, membership.role)) throw notAllowed();
    return work(db, membership, place);
  });
}

/** Two at once could each take one of the last two: changes of the members of a place wait for each other. */
async function refuseLast(db: Queryable, { role, account_id, partner_id }: queries.MembershipRow): Promise<void> {
  if (!LAST_STAYS.includes(role)) return;
  await db.rows("SELECT pg_advisory_xact_lock(hashtext('adtrail members'), coalesce($1::integer, 0))", [account_id]);
  const [row] = await queries.countRole(db, role, account_id, partner_id);
  if ((row?.count ?? 0) < 2) throw new ApiError(409, `There must be at least one ${role}.`);
}

/** @throws ApiError 409 for the last owner or operator. */
export const changeRole = (postgres: Postgres, actor: Actor, person: Person, id: number, role: Role): Promise<void> =>
  onMembership(postgres, actor, person, id, async (db, membership, place) => {
    if (!rolesGivenBy('operator', place).includes(role))
      throw new ApiError(400, `role: must be one of ${rolesGivenBy('operator', place).join(', ')}`);
    if (!mayGive(person, place, role)) throw notAllowed();
    if (role === membership.role) return;
    await refuseLast(db, membership);
    await queries.setRole(db, id, role);
  });

/** @throws ApiError 409 for the last owner or operator. */
export const removeMember = (postgres: Postgres, actor: Actor, person: Person, id: number): Promise<void> =>
  onMembership(postgres, actor, person, id, async (db, membership) => {
    await refuseLast(db, membership);
    await queries.deleteMembership(db, id);
  });

/**
 * A link for a member who has forgotten the password. Only an operator makes one for who is a member elsewhere too:
 * an owner must not come into other accounts by it.
 */
export const memberPasswordLink = (postgres: Postgres, actor: Actor, person: Person, id: number, now: number) =>
  onMembership(postgres, actor, person, id, async (db, membership) => {
    const [others] = await db.rows<{ count: number }>(
      'SELECT count(*)::integer AS count FROM memberships WHERE user_id = $1 AND id <> $2',
      [membership.user_id, id],
    );
    if (!person.operator && (others?.count ?? 0) > 0)
      throw new ApiError(403, 'This person is a member elsewhere too: only an operator can make this link.');
    const link = await makeLink(db, { kind: 'password', userId: membership.user_id, invitedBy: person.name }, now);
    return { ...link, email: membership.email };
  });

/**
 * Who belongs where, and what goes with it: links and users of ClickHouse that a person has made last as long as the
 * person may make them (docs/contract/people.md).
 */
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres, Queryable } from '../db/postgres';
import { toPlace } from './input';
import { collectRoles, mayGive, rolesWith, type Roles } from '../http/permissions';
import * as queries from './queries';

/**
 * Changes memberships, links, or what they rest on. Such changes wait for each other: each is judged by what is so when
 * it happens, and two uses of a link, or two that take out the last owner, come one after the other.
 */
export const changeBelonging = <T>(postgres: Postgres, actor: Actor, work: (db: Queryable) => Promise<T>): Promise<T> =>
  changeAs(postgres, actor, async (db) => {
    await db.rows("SELECT pg_advisory_xact_lock(hashtext('adtrail members'), 0)");
    return work(db);
  });

type About = Pick<queries.MadeLinkRow, 'kind' | 'role' | 'account_id' | 'partner_id' | 'user_id'>;

/**
 * Whether a person may make a link, or, where it is there, still could: an invitation by who may give its role, a link
 * for a new password by who may give the role that its person has in the place that it is made for. Only an operator
 * makes one for who is a member elsewhere too: an owner must not come into other accounts by it.
 */
export async function mayMake(db: Queryable, maker: Roles, link: About): Promise<boolean> {
  const place = toPlace(link.account_id, link.partner_id);
  if (link.kind === 'invitation') return link.role !== null && mayGive(maker, place, link.role);
  const memberships = await queries.readMembershipsByUser(db, link.user_id);
  const here = memberships.find((one) => one.account_id === link.account_id && one.partner_id === link.partner_id);
  return here !== undefined && mayGive(maker, place, here.role) && (maker.operator || memberships.length === 1);
}

const readRoles = async (db: Queryable, userId: number) =>
  collectRoles(await queries.readMembershipsByUser(db, userId));

/** Whether who has made a link could still make it; of the service and of who holds the admin token all stay. */
export const isAllowedStill = async (db: Queryable, link: queries.MadeLinkRow): Promise<boolean> =>
  link.made_by === null || mayMake(db, await readRoles(db, link.made_by), link);

/**
 * After a membership of a person was made, changed or ended: ends the open links for a new password, which were judged
 * by what the person was, and what the person has made and could not make any more. Resolves with whether users of
 * ClickHouse are among that.
 */
export async function endWhatWent(db: Queryable, userId: number, now: number): Promise<boolean> {
  const at = new Date(now);
  await queries.endLinks(db, 'password', null, null, null, userId, at);
  for (const link of await queries.readLinksMadeBy(db, userId, at))
    if (!(await isAllowedStill(db, link))) await queries.endLink(db, link.id, at);
  return (await queries.endReaders(db, userId, rolesWith('connections'), at)).length > 0;
}

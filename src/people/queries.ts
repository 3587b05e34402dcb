/** The queries behind people, one function per file of sql/queries. */
import type { Queryable, Row } from '../db/postgres';
import { queriesOf } from '../db/sql';
import { ApiError } from '../errors';
import type { Membership, Role } from './permissions';

const query = queriesOf('people');

/** Where a membership or a link belongs; both null for the installation. */
export interface PlaceColumns extends Row {
  account_id: number | null;
  partner_id: number | null;
}
interface PersonRow extends Row {
  id: number;
  session_id: number;
  since: Date;
  last_seen_at: Date;
  email: string;
  name: string;
  memberships: Membership[];
}
export interface UserRow extends Row {
  id: number;
  email: string;
  name: string;
  password: string | null;
  totp_secret: string | null;
  totp_last_step: number;
  recovery_codes: string[];
  /** Null: nobody has shown that who signs in is who has the address. */
  proven_at: Date | null;
}
/** A link by what decides whether it may be made, and still be used. */
export interface MadeLinkRow extends PlaceColumns {
  id: number;
  kind: 'first' | 'invitation' | 'password';
  role: Role | null;
  user_id: number | null;
  /** Null: the admin token, or the service itself. */
  made_by: number | null;
}
export interface LinkRow extends MadeLinkRow {
  email: string | null;
  /** The name of who has made it. */
  maker: string | null;
  mailed: boolean;
  place: string | null;
  known: boolean;
  expires_at: Date;
}
export interface MembershipRow extends PlaceColumns {
  id: number;
  user_id: number;
  role: Role;
  email: string;
  name: string;
}
export interface PlaceRow extends Row {
  kind: 'account' | 'partner' | 'project';
  id: number;
  name: string;
  account_id: number;
  currency: string;
  timezone: string;
}
type InvitationRow = PlaceColumns & { id: number; email: string; role: Role };
type MembershipOfRow = PlaceColumns & { id: number; role: Role };

export const findPerson = query<PersonRow>('person');
export const touchSession = query('touch-session');
export const createSession = query('create-session');
export const forgetOldSessions = query('forget-old-sessions');
export const readSessions = query<{ id: number }>('sessions');
export const endSession = query('end-session');
export const endSessions = query('end-sessions');
export const findUserByEmail = query<UserRow>('user-by-email');
export const findUser = query<UserRow>('user');
export const lockUser = query<UserRow>('lock-user');
export const proveUser = query('prove-user');
const insertUser = query<{ id: number }>('create-user');
/** The ID of a new person. @throws ApiError 409 where another request has just made one with this address. */
export async function createUser(
  db: Queryable,
  person: { email: string; name: string; password: string | null; provenAt: Date | null },
): Promise<number> {
  const [row] = await insertUser(db, person.email, person.name, person.password, person.provenAt);
  if (!row) throw new ApiError(409, 'This e-mail address has an account since a moment ago. Please try again.');
  return row.id;
}
export const rename = query('rename');
export const setPassword = query('set-password');
export const takeCode = query('use-code');
export const takeRecoveryCode = query('use-recovery-code');
export const setSecondFactor = query('set-second-factor');
export const createLink = query<{ id: number }>('create-link');
export const endLinks = query('end-links');
export const endLink = query('end-link');
export const showLink = query('show-link');
export const readLinksMadeBy = query<MadeLinkRow>('links-made-by');
export const mailedSince = query('mailed-since');
export const findLink = query<LinkRow>('link');
export const takeLink = query('use-link');
export const readInvitations = query('invitations');
export const findInvitation = query<InvitationRow>('invitation');
export const findInvitationsOf = query<MadeLinkRow>('invitations-of');
export const putMembership = query('put-membership');
export const isMember = query('is-member');
export const readMembers = query('members');
export const readMembershipsOf = query<MembershipOfRow>('memberships-of');
export const findMembership = query<MembershipRow>('membership');
export const countRole = query<{ count: number }>('count-role');
export const setRole = query('set-role');
export const deleteMembership = query('delete-membership');
export const endReaders = query('end-readers');
export const readPlaces = query<PlaceRow>('places');
export const readAuditLog = query<{ id: number }>('audit-log');
export const readUncopied = query<{ id: number }>('uncopied-audit-log');
export const noteCopied = query('note-copied-audit-log');
export const hasOperator = query<{ yes: boolean }>('has-operator');

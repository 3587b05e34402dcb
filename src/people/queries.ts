/** The queries behind people, one function per statement of sql/queries. */
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { ApiError } from '../errors';
import type { Membership, Role } from '../http/permissions';

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
  target_roas: number;
  locale: string;
}
type InvitationRow = PlaceColumns & { id: number; email: string; role: Role };
type MembershipOfRow = PlaceColumns & Membership & { id: number };

export const findPerson = postgresQuery<PersonRow>('people.person');
export const touchSession = postgresQuery('people.touch-session');
export const createSession = postgresQuery('people.create-session');
export const forgetOldSessions = postgresQuery('people.forget-old-sessions');
export const readSessions = postgresQuery<{ id: number }>('people.sessions');
export const endSession = postgresQuery('people.end-session');
export const endSessions = postgresQuery('people.end-sessions');
export const findUserByEmail = postgresQuery<UserRow>('people.user-by-email');
export const findUser = postgresQuery<UserRow>('people.user');
export const lockUser = postgresQuery<UserRow>('people.lock-user');
export const proveUser = postgresQuery('people.prove-user');
const insertUser = postgresQuery<{ id: number }>('people.create-user');
/** The ID of a new person. @throws ApiError 409 where another request has just made one with this address. */
export async function createUser(
  db: Queryable,
  person: { email: string; name: string; password: string | null; provenAt: Date | null },
): Promise<number> {
  const [row] = await insertUser(db, person.email, person.name, person.password, person.provenAt);
  if (!row) throw new ApiError(409, 'This e-mail address has an account since a moment ago. Please try again.');
  return row.id;
}
export const rename = postgresQuery('people.rename');
export const setPassword = postgresQuery('people.set-password');
export const takeCode = postgresQuery('people.use-code');
export const takeRecoveryCode = postgresQuery('people.use-recovery-code');
export const setSecondFactor = postgresQuery('people.set-second-factor');
export const createLink = postgresQuery<{ id: number }>('people.create-link');
export const endLinks = postgresQuery('people.end-links');
export const endLink = postgresQuery('people.end-link');
export const showLink = postgresQuery('people.show-link');
export const readLinksMadeBy = postgresQuery<MadeLinkRow>('people.links-made-by');
export const mailedSince = postgresQuery('people.mailed-since');
export const findLink = postgresQuery<LinkRow>('people.link');
export const takeLink = postgresQuery('people.use-link');
export const readInvitations = postgresQuery('people.invitations');
export const findInvitation = postgresQuery<InvitationRow>('people.invitation');
export const findInvitationsTo = postgresQuery<MadeLinkRow>('people.invitations-of');
export const putMembership = postgresQuery('people.put-membership');
export const isMember = postgresQuery('people.is-member');
export const readMembers = postgresQuery('people.members');
export const readMembershipsByUser = postgresQuery<MembershipOfRow>('people.memberships-of');
export const findMembership = postgresQuery<MembershipRow>('people.membership');
export const countRole = postgresQuery<{ count: number }>('people.count-role');
export const setRole = postgresQuery('people.set-role');
export const deleteMembership = postgresQuery('people.delete-membership');
export const endReaders = postgresQuery('people.end-readers');
export const readPlaces = postgresQuery<PlaceRow>('people.places');
export interface AuditRow extends Record<string, unknown> {
  readonly id: number;
  readonly project_id: number | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}
export const readAuditLog = postgresQuery<AuditRow>('people.audit-log');
export const readNamesOfFields = postgresQuery<{ field: string; id: number; name: string | null }>(
  'people.names-of-fields',
);
export const readUncopied = postgresQuery<{ id: number }>('people.uncopied-audit-log');
export const noteCopied = postgresQuery('people.note-copied-audit-log');
export const hasOperator = postgresQuery<{ yes: boolean }>('people.has-operator');

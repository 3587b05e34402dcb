/** Who may do what: the one table that routes and pages go by (docs/contract/people.md). */

export const ACCOUNT_ROLES = ['owner', 'admin', 'analyst', 'viewer', 'engineer'] as const;
export const PARTNER_ROLES = ['partner_admin', 'partner_viewer'] as const;
export const ROLES = ['operator', ...ACCOUNT_ROLES, ...PARTNER_ROLES] as const;
export type Role = (typeof ROLES)[number];

/** In an account. */
const ACCOUNT = [
  'reports',
  'boards',
  'links',
  'spend',
  'installs',
  'settings',
  'keys',
  'members',
  'erasure',
  'audit-log',
  'account',
  'sql',
  'connections',
  'status',
] as const;
/** For a partner. */
const PARTNER = ['partner', 'partner-tokens', 'partner-postbacks', 'partner-members'] as const;
/** For the installation. */
const INSTALLATION = ['installation'] as const;

export type AccountPermission = (typeof ACCOUNT)[number];
export type PartnerPermission = (typeof PARTNER)[number];
export type Permission = AccountPermission | PartnerPermission | (typeof INSTALLATION)[number];

/** An operator may do everything, in every account and for every partner. */
export const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  operator: [...ACCOUNT, ...PARTNER, ...INSTALLATION],
  owner: ACCOUNT,
  admin: ACCOUNT.filter((one) => one !== 'audit-log' && one !== 'account'),
  analyst: ['reports', 'boards', 'links', 'spend', 'installs'],
  viewer: ['reports'],
  engineer: ['reports', 'installs', 'sql', 'connections', 'status'],
  partner_admin: PARTNER,
  partner_viewer: ['partner'],
};

/** What somebody is in each place. */
export interface Roles {
  readonly operator: boolean;
  readonly accounts: ReadonlyMap<number, Role>;
  readonly partners: ReadonlyMap<number, Role>;
  /** Those of the accounts that let their analysts use SQL. */
  readonly analystSql: ReadonlySet<number>;
}

/** A person as requests see them: who it is, and the role in each place. */
export interface Person extends Roles {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly sessionId: number;
  /** When the session began. */
  readonly since: Date;
}

/** A role in an account or for a partner; of an operator neither is given. */
export interface Membership {
  readonly role: Role;
  readonly account_id: number | null;
  readonly partner_id: number | null;
  /** Whether the account lets its analysts use SQL; null where it is no account. */
  readonly analyst_sql: boolean | null;
}

export function collectRoles(memberships: readonly Membership[]): Roles {
  const places = (column: 'account_id' | 'partner_id') =>
    new Map(memberships.flatMap((one) => (one[column] === null ? [] : [[one[column], one.role] as const])));
  return {
    operator: memberships.some(({ role }) => role === 'operator'),
    accounts: places('account_id'),
    partners: places('partner_id'),
    analystSql: new Set(
      memberships.flatMap(({ account_id, analyst_sql }) => (account_id !== null && analyst_sql ? [account_id] : [])),
    ),
  };
}

/** An account, a partner, or the installation. */
export type Place = { readonly account: number } | { readonly partner: number } | 'installation';

/** The role that counts in a place; undefined where the person has nothing to do with it. */
export function roleIn(person: Roles, place: Place): Role | undefined {
  if (person.operator) return 'operator';
  if (place === 'installation') return undefined;
  return 'account' in place ? person.accounts.get(place.account) : person.partners.get(place.partner);
}

/** What a person may do in a place. */
export function permissionsIn(person: Roles, place: Place): readonly Permission[] {
  const role = roleIn(person, place);
  if (!role) return [];
  const all: readonly Permission[] = place === 'installation' ? INSTALLATION : 'account' in place ? ACCOUNT : PARTNER;
  const isGiven = (one: Permission) => one === 'sql' && role === 'analyst' && hasAnalystSql(person, place);
  return all.filter((permission) => PERMISSIONS[role].includes(permission) || isGiven(permission));
}

const hasAnalystSql = ({ analystSql }: Roles, place: Place) =>
  place !== 'installation' && 'account' in place && analystSql.has(place.account);

/** The roles that somebody with this role may give, change and take away. */
export function rolesGivenBy(role: Role, place: Place): readonly Role[] {
  if (place === 'installation') return role === 'operator' ? ['operator'] : [];
  if ('partner' in place) return role === 'operator' || role === 'partner_admin' ? PARTNER_ROLES : [];
  if (role === 'operator' || role === 'owner') return ACCOUNT_ROLES;
  return role === 'admin' ? ACCOUNT_ROLES.filter((one) => one !== 'owner') : [];
}

/** Whether a person may give a role in a place, and take it away. */
export function mayGive(person: Roles, place: Place, role: Role): boolean {
  const own = roleIn(person, place);
  return own !== undefined && rolesGivenBy(own, place).includes(role);
}

/** The roles that have a permission. */
export const rolesWith = (permission: Permission): readonly Role[] =>
  ROLES.filter((role) => PERMISSIONS[role].includes(permission));

/** What a role that may not is told. */
export const NOT_ALLOWED = 'Your role does not allow this.';

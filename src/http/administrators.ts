/** Who administers: the holder of the admin token, or a person whose role allows it (docs/contract/people.md). */
import type { Context, Middleware } from 'koa';
import type { Actor } from '../configuration/change';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { ApiError } from '../errors';
import {
  NOT_ALLOWED,
  permissionsIn,
  roleIn,
  type AccountPermission,
  type PartnerPermission,
  type Person,
  type Place,
} from './permissions';
import { sameSecret } from '../lib/secrets';
import { readId } from './ids';
import { limitKey } from './client-ip';
import type { GuessLimit } from './guesses';
import type { BrowserSessions } from './session';

/** Guards of routes. Each may be used alone; what is found out about a request is found out once. */
export interface Administrators {
  /** Anybody who is known. */
  readonly known: Middleware;
  /** The admin token alone. */
  readonly adminToken: Middleware;
  /** Operators. */
  readonly installation: Middleware;
  /** Whether an operator asks; nobody is refused, and an engine that does not answer counts as no. */
  readonly isByOperator: (ctx: Context) => Promise<boolean>;
  /** In any account: for what is of the whole installation and of nobody in it. */
  readonly anywhere: (permission: AccountPermission) => Middleware;
  /** For the project that `:id` in the path names. */
  readonly project: (permission: AccountPermission) => Middleware;
  /** For the account that `:id` in the path names. */
  readonly account: (permission: AccountPermission) => Middleware;
  /** For the partner that `:id` in the path names. */
  readonly partner: (permission: PartnerPermission) => Middleware;
}

interface Administrator {
  /** Undefined for the admin token, which may do everything. */
  readonly person: Person | undefined;
  readonly actor: Actor;
}

const readAdministrator = (ctx: { state: Record<string, unknown> }) => ctx.state.administrator as Administrator;

/** The person who asks; undefined for the admin token. */
export const personIn = (ctx: { state: Record<string, unknown> }) => readAdministrator(ctx).person;

/** Whether who asks may do everything in the installation. */
export const isOperator = (ctx: { state: Record<string, unknown> }): boolean => personIn(ctx)?.operator !== false;

/** What limits count who asks by. */
export const administratorLimitKey = (ctx: { state: Record<string, unknown> }) => {
  const { person } = readAdministrator(ctx);
  return person ? `person ${person.id}` : 'admin token';
};

/** Who asks; for the audit log. */
export const readActor = (ctx: { state: Record<string, unknown> }): Actor => readAdministrator(ctx).actor;

/** The accounts in which who asks has a permission; undefined for operators, who may see the whole installation. */
export const accountsWith = (ctx: { state: Record<string, unknown> }, permission: AccountPermission) => {
  const { person } = readAdministrator(ctx);
  return person && !person.operator
    ? [...person.accounts.keys()].filter((account) => permissionsIn(person, { account }).includes(permission))
    : undefined;
};

/** What an answer about many places may hold: all for the admin token and operators, else what is the person's own. */
export const readPlaces = (ctx: { state: Record<string, unknown> }) => {
  const { person } = readAdministrator(ctx);
  const isIn = (place: Place) => person === undefined || roleIn(person, place) !== undefined;
  return {
    account: (id: unknown) => isIn({ account: id as number }),
    /** Who has an account may see which partners there are, to switch one on; who is of a partner sees that one. */
    partner: (id: unknown) => isIn({ partner: id as number }) || (person !== undefined && person.accounts.size > 0),
  };
};

export interface AdministratorsOptions {
  readonly adminToken: string;
  readonly guesses: GuessLimit;
  readonly sessions: BrowserSessions;
  readonly snapshot: Pick<ConfigSnapshot, 'project'>;
}

export function administrators({ adminToken, guesses, sessions, snapshot }: AdministratorsOptions): Administrators {
  /** @throws ApiError 401 for who is not known, 429 for who has guessed the token wrong too often. */
  async function identify(ctx: Context): Promise<Administrator> {
    const known = ctx.state.administrator as Administrator | undefined;
    if (known) return known;
    const given = /^Bearer (.+)$/i.exec(ctx.get('Authorization'))?.[1];
    const person = given ? undefined : await sessions.person(ctx);
    const giveBack = given && (await guesses.take(limitKey(sessions.browser(ctx).address)));
    const isAdmin = given !== undefined && sameSecret(given.trim(), adminToken);
    if (giveBack && isAdmin) await giveBack();
    if (!isAdmin && !person) throw new ApiError(401, 'Unauthorized access.', { 'WWW-Authenticate': 'Bearer' });
    const found: Administrator = person
      ? { person, actor: sessions.actor(ctx, person) }
      : { person, actor: { kind: 'admin_token', name: 'admin token', address: sessions.browser(ctx).address } };
    ctx.state.administrator = found;
    return found;
  }

  /** `findPlace` finds the place that a request is about; none: there is no such thing. */
  const guard =
    (
      permission: AccountPermission | PartnerPermission | 'installation',
      what: string,
      findPlace: FindPlace,
    ): Middleware =>
    async (ctx, next) => {
      const { person } = await identify(ctx);
      if (person) {
        const place = findPlace(ctx);
        const isThere = place !== undefined && (place === 'installation' || roleIn(person, place) !== undefined);
        if (!isThere) throw new ApiError(404, `${what} not found.`);
        if (!permissionsIn(person, place).includes(permission)) throw new ApiError(403, NOT_ALLOWED);
      }
      await next();
    };

  return {
    known: async (ctx, next) => {
      await identify(ctx);
      await next();
    },
    adminToken: async (ctx, next) => {
      if ((await identify(ctx)).person) throw new ApiError(403, NOT_ALLOWED);
      await next();
    },
    installation: guard('installation', 'Path', () => 'installation'),
    isByOperator: (ctx) =>
      identify(ctx).then(
        () => isOperator(ctx),
        () => false,
      ),
    anywhere: (permission) => async (ctx, next) => {
      await identify(ctx);
      if (accountsWith(ctx, permission)?.length === 0) throw new ApiError(403, NOT_ALLOWED);
      await next();
    },
    project: (permission) =>
      guard(permission, 'Project', (ctx) => {
        const project = snapshot.project(readId(readIdParam(ctx), 'Project'));
        return project && { account: project.accountId };
      }),
    account: (permission) => guard(permission, 'Account', (ctx) => ({ account: readId(readIdParam(ctx), 'Account') })),
    partner: (permission) => guard(permission, 'Partner', (ctx) => ({ partner: readId(readIdParam(ctx), 'Partner') })),
  };
}

type FindPlace = (ctx: Context) => Place | undefined;
const readIdParam = (ctx: Context) => (ctx as { params?: Record<string, string | undefined> }).params?.id;

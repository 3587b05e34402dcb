/** The ways in to endpoints: what each checks, and what it tells those who may not. */
import type { Context } from 'koa';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { errorReply, suspended, type Operation } from '../openapi/operation';
import type { Administrators } from './administrators';
import { caller, collectorKey, requireActiveBilling, type Access, type KeyTexts } from './auth';
import type { Auth } from './endpoint';
import type { CollectorLimits } from './limits';
import type { AccountPermission, PartnerPermission, Person } from './permissions';
import type { BrowserSessions } from './session';

const UNPAID: Operation['responses'] = { 402: suspended };

export const anybody: Auth<unknown> = { security: [], guards: () => [], responses: {} };

interface ServiceKeyOptions {
  /** What is said of a missing and an invalid key, where it is not what most endpoints say. */
  readonly texts?: KeyTexts;
  /** Whether the billing account has to be in force. */
  readonly paid?: true;
}

/** A project by its server key, or a person whose role has the permission; the handler asks `readCaller`. */
export const serviceKey = (
  permission: AccountPermission,
  { texts, paid }: ServiceKeyOptions = {},
): Auth<{ readonly access: Access }> => ({
  security: ['serviceKey'],
  guards: ({ access }) => [caller(access, permission, texts), ...(paid ? [requireActiveBilling] : [])],
  responses: {
    401: errorReply(401, 'The key is missing or invalid.', texts?.missing ?? 'Unauthorized access.'),
    ...(paid ? UNPAID : {}),
  },
});

/** Who may look at boards, and at what is made of their questions, and who may change them. */
export const boardAccess = {
  reads: serviceKey('reports', { paid: true }),
  changes: serviceKey('boards', { paid: true }),
};

const administrators = (
  guard: (admins: Administrators) => Administrators['known'],
): Auth<{ readonly admins: Administrators }> => ({
  security: ['adminToken'],
  guards: ({ admins }) => [guard(admins)],
  responses: { 401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.') },
});

/** The admin token, or persons as `Administrators` says; the handler asks `readActor` and its like. */
export const admin = {
  known: administrators(({ known }) => known),
  token: administrators(({ adminToken }) => adminToken),
  installation: administrators(({ installation }) => installation),
  anywhere: (permission: AccountPermission) => administrators((admins) => admins.anywhere(permission)),
  project: (permission: AccountPermission) => administrators((admins) => admins.project(permission)),
  account: (permission: AccountPermission) => administrators((admins) => admins.account(permission)),
  partner: (permission: PartnerPermission) => administrators((admins) => admins.partner(permission)),
};

/** Anybody who is signed in; the handler asks `signedInPerson`. */
export const session: Auth<{ readonly sessions: BrowserSessions }> = {
  security: ['session'],
  guards: ({ sessions }) => [
    async (ctx, next) => {
      ctx.state.signedIn = await sessions.mustBeSignedIn(ctx);
      await next();
    },
  ],
  responses: { 401: errorReply(401, 'Nobody is signed in.', 'Unauthorized access.') },
};

/** Who `session` has found. */
export const signedInPerson = (ctx: Pick<Context, 'state'>) => ctx.state.signedIn as Person;

const collectors = (
  kind: 'app_key' | 'web_key',
  security: Operation['security'],
): Auth<{ readonly snapshot: ConfigSnapshot; readonly limits: CollectorLimits }> => ({
  security: [...security, 'serviceKey'],
  guards: ({ snapshot, limits }) => [collectorKey(snapshot, kind, limits)],
  responses: { 401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.') },
});

/** An app or a website by its key, or the project's own server by its own; the handler asks `readCollecting`. */
export const collector = {
  app: collectors('app_key', ['appKey']),
  web: collectors('web_key', ['webKey', 'webKeyParameter']),
};

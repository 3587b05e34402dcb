/** Who calls the main API: a project by its server key, or a person by the cookie (docs/contract/main-api.md). */
import type { Context, Middleware } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError, UnavailableError } from '../errors';
import type { Actor } from '../configuration/change';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import type { KeyKind } from '../configuration/queries';
import { NOT_ALLOWED, permissionsIn, roleIn, type AccountPermission, type Person } from './permissions';
import { sha256 } from '../lib/secrets';
import { readId } from './ids';
import { withRateLimit, type CollectorLimits } from './limits';
import type { BrowserSessions } from './session';
import { readQueryString } from './target';

/** The messages for a missing and an invalid key; they differ between endpoints. */
export interface KeyTexts {
  readonly missing: string;
  readonly invalid: string;
}

/** What most endpoints say. */
const UNAUTHORIZED: KeyTexts = { missing: 'Unauthorized access.', invalid: 'Unauthorized access.' };

export interface Caller {
  readonly project: Project;
  /** What its limits are counted by: the SHA-256 of the key, or the person. */
  readonly key: string;
  readonly actor: Actor;
  /** Whether a key, or the role of the person, permits it. */
  readonly may: (permission: AccountPermission) => boolean;
}

/** What tells who calls. */
export interface Access {
  readonly snapshot: ConfigSnapshot;
  readonly sessions: BrowserSessions;
}

/**
 * Finds the project for `readCaller`: by the header `service-key`, or, for who is signed in, by `project-id`.
 *
 * @throws ApiError, by the middleware: 401 for who is not known; of persons also 400 without a project, 404 for a
 * project of others and 403 for a role without the permission.
 */
export function caller(access: Access, permission: AccountPermission, texts = UNAUTHORIZED): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('service-key').trim();
    const person = key === '' ? await access.sessions.person(ctx) : undefined;
    ctx.state.caller = person
      ? callerWhoIsSignedIn(access, permission, ctx, person)
      : callerWithKey(access, key, ctx, texts);
    await next();
  };
}

function callerWithKey({ snapshot, sessions }: Access, key: string, ctx: Context, texts: KeyTexts): Caller {
  if (key === '') throw new ApiError(401, texts.missing);
  const hash = sha256(key);
  const project = snapshot.projectOfKey('server_key', hash);
  if (!project) throw new ApiError(401, texts.invalid);
  const { address } = sessions.browser(ctx);
  return { project, key: hash, actor: { kind: 'server_key', name: 'server key', address }, may: () => true };
}

function callerWhoIsSignedIn(
  { snapshot, sessions }: Access,
  permission: AccountPermission,
  ctx: Context,
  person: Person,
): Caller {
  const given = ctx.get('project-id');
  if (given === '') throw new ApiError(400, 'project-id: this header must name a project');
  const project = snapshot.project(readId(given, 'Project'));
  const place = project && { account: project.accountId };
  if (!place || roleIn(person, place) === undefined) throw new ApiError(404, 'Project not found.');
  const permissions = permissionsIn(person, place);
  const may = (one: AccountPermission) => permissions.includes(one);
  if (!may(permission)) throw new ApiError(403, NOT_ALLOWED);
  return { project, key: `person ${person.id}`, actor: sessions.actor(ctx, person), may };
}

/** The caller that `caller` has found. */
export const readCaller = (ctx: { state: Record<string, unknown> }) => ctx.state.caller as Caller;

/** Does work for the caller that costs one point of their limit, as `withRateLimit` says. */
export function limitCaller<T>(
  ctx: Parameters<typeof readCaller>[0],
  limiter: RateLimiterAbstract | undefined,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const found = readCaller(ctx);
  return withRateLimit(limiter, found.key, () => work(found));
}

/**
 * Refuses a caller whose billing account is suspended. Comes after `caller` and before everything else.
 *
 * @throws ApiError 402 with `payment_link` (docs/contract/main-api.md).
 */
export const requireActiveBilling: Middleware = (ctx, next) => {
  const { suspended, paymentLink } = readCaller(ctx).project.billing;
  if (suspended) throw new ApiError(402, 'The billing account is suspended.', {}, { payment_link: paymentLink });
  return next();
};

/**
 * Refuses a caller whose project has not turned a feature on. Comes after `requireActiveBilling`.
 *
 * @throws ApiError 403 with this message.
 */
export const requireFeature =
  (isOn: (project: Project) => boolean, message: string): Middleware =>
  (ctx, next) => {
    if (!isOn(readCaller(ctx).project)) throw new ApiError(403, message);
    return next();
  };

export interface Collecting {
  readonly project: Project;
  /** Whether the project's own server sends, with its server key, and not an app or a browser. */
  readonly trusted: boolean;
}

/**
 * Finds the project of a collector's request: by the header `service-key`, else by the header of `kind` (`app-key` or
 * `web-key`), of which the latter may also be a query parameter. Answers 401 if there is none. All requests but those
 * with a good server key count against the limit of their source address, and then of their key.
 */
export function collectorKey(
  snapshot: ConfigSnapshot,
  kind: 'app_key' | 'web_key',
  limits: CollectorLimits,
): Middleware {
  const name = kind.replace('_', '-');
  const find = (of: KeyKind, key: string | null) => {
    const hash = key ? sha256(key) : '';
    return { hash, project: key ? snapshot.projectOfKey(of, hash) : undefined };
  };
  return async (ctx, next) => {
    const server = ctx.get('service-key').trim();
    const { hash, project } = server
      ? find('server_key', server)
      : find(kind, ctx.get(name).trim() || (kind === 'web_key' ? readQueryString(ctx).get(name) : ''));
    const trusted = server !== '' && project !== undefined;
    if (!trusted) await limits.bySource(ctx);
    // With an outdated configuration an unknown key may be a good one.
    if (snapshot.stale) throw new UnavailableError();
    if (!project) throw new ApiError(401, 'Unauthorized access.');
    if (!trusted) await limits.byKey(hash);
    ctx.state.collecting = { project, trusted } satisfies Collecting;
    await next();
  };
}

/** What `collectorKey` has found. */
export const readCollecting = (ctx: { state: Record<string, unknown> }) => ctx.state.collecting as Collecting;

/** Who calls the main API: the project of the server key (docs/contract.md, Main API). */
import type { Middleware } from 'koa';
import { ApiError, UnavailableError } from '../errors';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import type { KeyKind } from '../configuration/queries';
import { sha256 } from '../secrets';
import type { CollectorLimits } from './limits';
import { queryOf } from './target';

/** The messages for a missing and an invalid key; they differ between endpoints. */
export interface KeyTexts {
  readonly missing: string;
  readonly invalid: string;
}

export interface Caller {
  readonly project: Project;
  /** The SHA-256 of the key, by which its limits are counted. */
  readonly key: string;
}

/** Finds the project of the `service-key` header for `callerOf`, or answers 401. */
export function serverKey(snapshot: ConfigSnapshot, texts: KeyTexts): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('service-key').trim();
    if (key === '') throw new ApiError(401, texts.missing);
    const hash = sha256(key);
    const project = snapshot.projectOfKey('server_key', hash);
    if (!project) throw new ApiError(401, texts.invalid);
    ctx.state.caller = { project, key: hash } satisfies Caller;
    await next();
  };
}

/** The caller that `serverKey` has found. */
export const callerOf = (ctx: { state: Record<string, unknown> }) => ctx.state.caller as Caller;

/**
 * Refuses a caller whose billing account is suspended. Comes after `serverKey` and before everything else.
 *
 * @throws ApiError 402 with `payment_link` (docs/contract.md, Main API).
 */
export const requireActiveBilling: Middleware = (ctx, next) => {
  const { suspended, paymentLink } = callerOf(ctx).project.billing;
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
    if (!isOn(callerOf(ctx).project)) throw new ApiError(403, message);
    return next();
  };

export interface Collecting {
  readonly project: Project;
  /** Whether the project's own server sends, with its server key, and not an app or a browser. */
  readonly trusted: boolean;
}

/**
 * Finds the project of a collector's request: by the header `service-key`, else by the header of `kind` (`app-key` or
 * `web-key`), which with `fromQuery` may also be a query parameter. Answers 401 if there is none. All requests but
 * those with a good server key count against the limit of their source address, and then of their key.
 */
export function collectorKey(
  snapshot: ConfigSnapshot,
  kind: 'app_key' | 'web_key',
  limits: CollectorLimits,
  { fromQuery = false } = {},
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
      : find(kind, ctx.get(name).trim() || (fromQuery ? queryOf(ctx).get(name) : ''));
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
export const collectingOf = (ctx: { state: Record<string, unknown> }) => ctx.state.collecting as Collecting;

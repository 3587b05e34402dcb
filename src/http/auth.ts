/** Who calls the main API: the project of the server key (docs/contract.md, Main API). */
import type { Middleware } from 'koa';
import { ApiError, UnavailableError } from '../errors';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import { sha256 } from '../secrets';

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
 * `web-key`), which with `fromQuery` may also be a query parameter. Answers 401 if there is none.
 */
export function collectorKey(
  snapshot: ConfigSnapshot,
  kind: 'app_key' | 'web_key',
  { fromQuery = false } = {},
): Middleware {
  const name = kind.replace('_', '-');
  return async (ctx, next) => {
    const server = ctx.get('service-key').trim();
    const client = ctx.get(name).trim() || (fromQuery ? ctx.URL.searchParams.get(name) : '');
    const project = server
      ? snapshot.projectOfKey('server_key', sha256(server))
      : client
        ? snapshot.projectOfKey(kind, sha256(client))
        : undefined;
    // With an outdated configuration an unknown key may be a good one.
    if (snapshot.stale) throw new UnavailableError();
    if (!project) throw new ApiError(401, 'Unauthorized access.');
    ctx.state.collecting = { project, trusted: server !== '' } satisfies Collecting;
    await next();
  };
}

/** What `collectorKey` has found. */
export const collectingOf = (ctx: { state: Record<string, unknown> }) => ctx.state.collecting as Collecting;

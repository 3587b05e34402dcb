/** Who calls the main API: the project of the server key (docs/contract.md, Main API). */
import type { Middleware } from 'koa';
import { ApiError, UnavailableError } from '../errors';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import { sha256 } from '../secrets';

/** What a missing and an invalid key are told; the texts differ from endpoint to endpoint. */
export interface KeyTexts {
  readonly missing: string;
  readonly invalid: string;
}

export interface Caller {
  readonly project: Project;
  /** The SHA-256 of the key, by which its limits are counted. */
  readonly key: string;
}

/** Finds the caller of the `service-key` header for `callerOf`, or answers 401. */
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

/** Whom `serverKey` let pass. */
export const callerOf = (ctx: { state: Record<string, unknown> }) => ctx.state.caller as Caller;

/**
 * Stops a caller whose billing account is suspended; stands after `serverKey` and before everything else.
 *
 * @throws ApiError 402 with `payment_link` (docs/contract.md, Main API).
 */
export const notSuspended: Middleware = (ctx, next) => {
  const { suspended, paymentLink } = callerOf(ctx).project.billing;
  if (suspended) throw new ApiError(402, 'The billing account is suspended.', {}, { payment_link: paymentLink });
  return next();
};

/**
 * Stops a caller whose project does not have something turned on; stands after `notSuspended`.
 *
 * @throws ApiError 403 with this message.
 */
export const turnedOn =
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
 * Finds the project that a collector's request is for, by its `service-key` header, else by the key of `kind` in the header
 * that is named like it (`app-key`, `web-key`), which `fromQuery` lets pass as a query parameter too; or answers 401.
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
    // Without a recent configuration a key that is unknown here may be a good one.
    if (snapshot.stale) throw new UnavailableError();
    if (!project) throw new ApiError(401, 'Unauthorized access.');
    ctx.state.collecting = { project, trusted: server !== '' } satisfies Collecting;
    await next();
  };
}

/** Whom `collectorKey` let pass. */
export const collectingOf = (ctx: { state: Record<string, unknown> }) => ctx.state.collecting as Collecting;

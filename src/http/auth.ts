/** Who calls the main API: the project of the server key (spec.md, Authentication). */
import type { Middleware } from 'koa';
import { ApiError } from '../errors';
import type { Directory, Project } from '../projects/directory';
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
export function serverKey(directory: Directory, texts: KeyTexts): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('service-key').trim();
    if (key === '') throw new ApiError(401, texts.missing);
    const hash = sha256(key);
    const project = directory.projectOfKey('server_key', hash);
    if (!project) throw new ApiError(401, texts.invalid);
    ctx.state.caller = { project, key: hash } satisfies Caller;
    await next();
  };
}

/** Whom `serverKey` let pass. */
export const callerOf = (ctx: { state: Record<string, unknown> }) => ctx.state.caller as Caller;

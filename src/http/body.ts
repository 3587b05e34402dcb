/** Reads JSON bodies, whatever content type they claim. */
import { koaBody } from 'koa-body';
import type { Middleware } from 'koa';
import { ApiError } from '../errors';

/**
 * Parses the body of POST, PUT and PATCH as a JSON object into `ctx.request.body`.
 *
 * @throws ApiError 400 `Invalid JSON body.`, 400 naming a field whose text no engine stores, or 413 beyond `limit` (for example `100kb`), by the middleware.
 */
export function jsonBody(limit: string): Middleware {
  const parse = koaBody({
    jsonLimit: limit,
    // Lenient in what it parses, so that an empty body does not pass for an empty object; what is no object is refused below.
    jsonStrict: false,
    urlencoded: false,
    text: false,
    multipart: false,
    onError: (error) => {
      if ((error as { status?: number }).status === 413) throw new ApiError(413, `The body must be at most ${limit}.`);
      throw new ApiError(400, 'Invalid JSON body.');
    },
  });
  return async (ctx, next) => {
    if (!['POST', 'PUT', 'PATCH'].includes(ctx.method)) {
      await next();
      return;
    }
    // Tools such as curl -d call every body a form; here every body is JSON.
    ctx.req.headers['content-type'] = 'application/json';
    await parse(ctx, async () => {
      const body: unknown = ctx.request.body;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, 'Invalid JSON body.');
      refuseBrokenText(body, '', 0);
      await next();
    });
  };
}

/** Deeper than any document of ours; without a bound a small body could exhaust the stack. */
const MAX_DEPTH = 32;

/** No engine stores a NUL character or half of a surrogate pair as text: refused before anything is. */
function refuseBrokenText(value: unknown, field: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new ApiError(400, 'Invalid JSON body.');
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) throw new ApiError(400, `${field}: must be text without NUL characters and lone surrogates`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) refuseBrokenText(inner, Array.isArray(value) ? `${field}[${name}]` : field ? `${field}.${name}` : name, depth + 1);
}

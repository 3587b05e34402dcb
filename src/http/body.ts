/** Reads bodies: JSON, whose content type is ignored, and text. */
import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../errors';
import { findUnstorableText } from '../text';

/** How long a body that is refused may go on arriving. */
const LINGER_MS = 10_000;

/**
 * Parses the body of POST, PUT and PATCH, gzip or not, as a JSON object into `ctx.request.body`. With `anyText` the
 * caller itself checks for text that no engine can store, part by part.
 *
 * @throws ApiError 400 `Invalid JSON body.`, 400 naming a field whose text no engine stores, or 413 beyond `limit` (for
 * example `100kb`), by the middleware.
 */
export function jsonBody(limit: string, { anyText = false } = {}): Middleware {
  const parse = koaBody({
    jsonLimit: limit,
    // Not strict, or an empty body would count as an empty object. Anything but an object is refused below.
    jsonStrict: false,
    urlencoded: false,
    text: false,
    multipart: false,
    onError: refuse(limit, 'Invalid JSON body.'),
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
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new ApiError(400, 'Invalid JSON body.');
      if (!anyText) refuseUnstorableText(body);
      await next();
    });
  };
}

/**
 * Reads the whole body, gzip or not, as UTF-8 text into `ctx.request.body`.
 *
 * @throws ApiError 400 `Invalid body.` or 413 beyond `limit`, by the middleware.
 */
export function textBody(limit: string): Middleware {
  const parse = koaBody({
    textLimit: limit,
    json: false,
    urlencoded: false,
    multipart: false,
    onError: refuse(limit, 'Invalid body.'),
  });
  return async (ctx, next) => {
    ctx.req.headers['content-type'] = 'text/plain';
    await parse(ctx, async () => {
      if (typeof ctx.request.body !== 'string') ctx.request.body = '';
      await next();
    });
  };
}

const refuse = (limit: string, message: string) => (error: Error, ctx: Context) => {
  if ((error as { status?: number }).status === 413) {
    discardRest(ctx.req);
    throw new ApiError(413, `The body must be at most ${limit}.`);
  }
  throw new ApiError(400, message);
};

/**
 * A client that is still sending reads the answer only after the rest has been received: if the connection were closed
 * earlier, the answer would be lost. A client that goes on for too long is cut off.
 */
function discardRest(req: IncomingMessage): void {
  req.resume();
  setTimeout(() => req.complete || req.socket.destroy(), LINGER_MS).unref();
}

function refuseUnstorableText(body: object): void {
  const broken = findUnstorableText(body);
  if (broken === undefined) return;
  throw new ApiError(
    400,
    broken === null ? 'Invalid JSON body.' : `${broken}: must be text without NUL characters and lone surrogates`,
  );
}

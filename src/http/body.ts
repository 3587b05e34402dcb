/** Reads bodies: JSON, whose content type is ignored, and text. What a body may cost is bounded before it is parsed. */
import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../errors';
import { parseJson, TooManyValues } from '../json';
import { findUnstorableText } from '../text';

/** How long a body that is refused may go on arriving. */
const LINGER_MS = 10_000;

/** How many values a body may have, names not counted, unless its route says otherwise. */
const MAX_VALUES = 10_000;

const hasBody = ({ method }: Context) => ['POST', 'PUT', 'PATCH'].includes(method);

/**
 * Parses the body of POST, PUT and PATCH, gzip or not, as a JSON object into `ctx.request.body`. With `anyText` the
 * caller itself checks for text that no engine can store, part by part.
 *
 * @throws ApiError 400 `Invalid JSON body.`, 400 naming a field whose text no engine stores, or 413 beyond `limit` (for
 * example `100kb`) or `maxValues`, by the middleware.
 */
export function jsonBody(limit: string, { anyText = false, maxValues = MAX_VALUES } = {}): Middleware {
  const read = readText(limit, 'Invalid JSON body.');
  return async (ctx, next) => {
    if (!hasBody(ctx)) {
      await next();
      return;
    }
    await read(ctx, async () => {
      const body = await parseObject(ctx.request.body as string, maxValues);
      if (!anyText) refuseUnstorableText(body);
      ctx.request.body = body as typeof ctx.request.body;
      await next();
    });
  };
}

/**
 * Reads the whole body, gzip or not, as UTF-8 text into `ctx.request.body`.
 *
 * @throws ApiError 400 `Invalid body.` or 413 beyond `limit`, by the middleware.
 */
export const textBody = (limit: string): Middleware => readText(limit, 'Invalid body.');

/** Koa-body takes bodies apart by their content type; here the route says what a body is. */
function readText(limit: string, message: string): Middleware {
  const read = koaBody({
    textLimit: limit,
    json: false,
    urlencoded: false,
    multipart: false,
    onError: refuse(limit, message),
  });
  return async (ctx, next) => {
    ctx.req.headers['content-type'] = 'text/plain';
    await read(ctx, async () => {
      if (typeof ctx.request.body !== 'string') ctx.request.body = '';
      await next();
    });
  };
}

async function parseObject(text: string, maxValues: number): Promise<object> {
  const body = await parseJson(text, maxValues).catch((error: unknown) => {
    if (error instanceof TooManyValues) throw new ApiError(413, `The body must have at most ${maxValues} values.`);
    throw new ApiError(400, 'Invalid JSON body.');
  });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, 'Invalid JSON body.');
  return body;
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

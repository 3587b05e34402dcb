/**
 * Reads bodies: JSON, whatever their content type, and text; both in the charset that they name. What a body may cost
 * is bounded before it is parsed.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Context, Middleware } from 'koa';
import readBytes from 'raw-body';
import { decodeText, DEFAULT_CHARSET, UnknownCharset, WrongBytes } from '../lib/charset';
import { ApiError } from '../errors';
import { parseJson, TooManyValues } from '../lib/json';
import { findUnstorableText } from '../lib/text';

declare module 'koa' {
  interface Request {
    /** What `jsonBody` and `textBody` have read. */
    body?: unknown;
  }
}

/** How long a body that is refused may keep arriving. */
const LINGER_MS = 10_000;

/** How many values a body may have, names not counted, unless its route says otherwise. */
const MAX_VALUES = 10_000;

const hasBody = ({ method }: Context) => ['POST', 'PUT', 'PATCH'].includes(method);

/** Since Node 22.15. A window of 8 MB is what RFC 9659 allows; a larger one would be memory for whoever asks for it. */
const { createZstdDecompress, constants } = zlib as unknown as {
  readonly createZstdDecompress?: (options: { params: Record<number, number> }) => Transform;
  readonly constants: { readonly ZSTD_d_windowLogMax: number };
};
const MAX_WINDOW_LOG = 23;

/** How bodies may be compressed. */
const DECOMPRESS: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createUnzip,
  'x-gzip': zlib.createUnzip,
  deflate: zlib.createUnzip,
  br: zlib.createBrotliDecompress,
  ...(createZstdDecompress && {
    zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } }),
  }),
};
const COMPRESSIONS = Object.keys(DECOMPRESS).filter((name) => !name.startsWith('x-'));

/**
 * Parses the body of POST, PUT and PATCH, compressed or not, as a JSON object into `ctx.request.body`. With `anyText`
 * the caller itself checks for text that no engine can store, part by part.
 *
 * @throws ApiError by the middleware: 400 `Invalid JSON body.`, 400 naming a field whose text no engine stores, those
 * of `textBody`, and 413 beyond `maxValues`.
 */
export function jsonBody(limit: string, { anyText = false, maxValues = MAX_VALUES } = {}): Middleware {
  return async (ctx, next) => {
    if (hasBody(ctx)) {
      const body = await parseObject(await readText(ctx, limit, 'Invalid JSON body.'), maxValues);
      if (!anyText) refuseUnstorableText(body);
      ctx.request.body = body;
    }
    await next();
  };
}

/**
 * Reads the whole body, compressed or not, as text into `ctx.request.body`.
 *
 * @throws ApiError by the middleware: 400 `Invalid body.` or for bytes that are none of its charset, 413 beyond `limit`
 * (for example `100kb`), 415 for a charset or a compression that is not known.
 */
export const textBody =
  (limit: string): Middleware =>
  async (ctx, next) => {
    ctx.request.body = await readText(ctx, limit, 'Invalid body.');
    await next();
  };

/**
 * The whole body, compressed or not, as text.
 *
 * @throws ApiError 400 `message`, or for bytes that are none of its charset, 413 beyond `limit`, 415 for a charset or a
 * compression that is not known.
 */
export async function readText(ctx: Context, limit: string, message: string): Promise<string> {
  const { req } = ctx;
  const stream = decompressed(req);
  const length = stream === req ? req.headers['content-length'] : undefined;
  const bytes = await readBytes(stream, { limit, length }).catch((error: { status?: number }) => {
    if (error.status !== 413) throw new ApiError(400, message);
    discardRest(req);
    throw new ApiError(413, `The body must be at most ${limit}.`);
  });
  return decodeBody(bytes, /;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(ctx.get('Content-Type'))?.[1]);
}

/** Names of compressions come in any case, and beside `identity`, which is none. */
function decompressed(req: IncomingMessage): Readable {
  const sent = req.headers['content-encoding'] ?? '';
  const names = sent
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const [name] = names;
  if (name === undefined) return req;
  const create = names.length === 1 && Object.hasOwn(DECOMPRESS, name) ? DECOMPRESS[name] : undefined;
  // What is refused midway may still fail, when nobody listens any more.
  if (create) return req.pipe(create()).on('error', () => undefined);
  discardRest(req);
  throw new ApiError(
    415,
    `Content-Encoding ${JSON.stringify(sent.slice(0, 100))} is none of ${COMPRESSIONS.join(', ')}.`,
  );
}

async function decodeBody(bytes: Buffer, declared: string | undefined): Promise<string> {
  try {
    return await decodeText(bytes, declared ?? DEFAULT_CHARSET);
  } catch (error) {
    if (error instanceof UnknownCharset)
      throw new ApiError(
        415,
        `The charset ${JSON.stringify(error.message.slice(0, 100))} of Content-Type is not known.`,
      );
    if (!(error instanceof WrongBytes)) throw error;
    const hint = declared ? '' : ' Name another charset in Content-Type, or send UTF-8.';
    throw new ApiError(400, `The body is no text in ${error.message}.${hint}`);
  }
}

async function parseObject(text: string, maxValues: number): Promise<object> {
  const body = await parseJson(text, maxValues).catch((error: unknown) => {
    if (error instanceof TooManyValues) throw new ApiError(413, `The body must have at most ${maxValues} values.`);
    throw new ApiError(400, 'Invalid JSON body.');
  });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, 'Invalid JSON body.');
  return body;
}

/**
 * A client that is still sending reads the answer only after the rest has been received: if the connection were closed
 * earlier, the answer would be lost. A client that keeps sending for too long is cut off.
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

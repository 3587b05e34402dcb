/**
 * `Idempotency-Key`: a POST that is sent again within a day gets its first answer, and does nothing
 * (docs/contract/main-api.md).
 */
import type { Context, Middleware } from 'koa';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { ApiError } from '../errors';
import { createSeal } from '../lib/seal';
import { sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';

const texts = {
  begin: readQuery('sql', 'http.begin-request'),
  begun: readQuery('sql', 'http.begun-request'),
  answer: readQuery('sql', 'http.answer-request'),
  forget: readQuery('sql', 'http.forget-request'),
  forgetOld: readQuery('sql', 'http.forget-old-requests'),
};

const MAX_KEY_LENGTH = 255;
/** The headers that say who asks, and for which project. */
const CREDENTIALS = ['service-key', 'Authorization', 'Cookie', 'project-id'];

interface BegunRow extends Record<string, unknown> {
  request: string;
  status: number | null;
  answer: string | null;
}

/**
 * Middleware for routes that create something, after the caller is known and the body is read.
 *
 * The key is taken up before the work and its answer is kept after it. A process that dies in between, or a failure of
 * ours, leaves a key without an answer: whether the work was done is not known, and the repeat is 409, so that nothing
 * is done twice. What is refused changes nothing, and may be sent again with the same key.
 */
export function idempotent(postgres: Postgres, now: () => number): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('Idempotency-Key');
    if (key === '') {
      await next();
      return;
    }
    if (key.length > MAX_KEY_LENGTH)
      throw new ApiError(400, `Idempotency-Key: must have at most ${MAX_KEY_LENGTH} characters`);
    const secret = JSON.stringify([key, ...CREDENTIALS.map((name) => ctx.get(name))]);
    const id = sha256(secret);
    const request = sha256(JSON.stringify([ctx.method, ctx.path, ctx.request.body ?? null]));
    await postgres.rows(texts.forgetOld, [new Date(now() - DAY_MS)]);
    const [begun] = await postgres.rows(texts.begin, [id, request, new Date(now())]);
    if (!begun) return replay(ctx, await readBegun(postgres, id), request, secret);
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) await postgres.rows(texts.forget, [id]);
      throw error;
    }
    await postgres.rows(texts.answer, [
      id,
      ctx.status,
      createAnswerSeal(secret).seal(JSON.stringify(ctx.body ?? null)),
    ]);
  };
}

const readBegun = async (postgres: Postgres, id: string) => (await postgres.rows<BegunRow>(texts.begun, [id]))[0];

function replay(ctx: Context, begun: BegunRow | undefined, request: string, secret: string): void {
  if (begun && begun.request !== request)
    throw new ApiError(422, 'Idempotency-Key: was sent with another request before');
  if (!begun?.answer || begun.status === null)
    throw new ApiError(409, 'Idempotency-Key: the first request with it has no answer yet');
  ctx.set('Idempotent-Replayed', 'true');
  ctx.body = JSON.parse(createAnswerSeal(secret).open(begun.answer)) as unknown;
  ctx.status = begun.status;
}

/** An answer may hold a secret; only the caller's own headers open it. */
const createAnswerSeal = (secret: string) => createSeal(secret, 'idempotency');

/** Rate limits as middleware: by source address over the whole API, and by key for each endpoint's scope. */
import type { Context, Middleware } from 'koa';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';
import type { Person } from './permissions';
import { clientIp, limitKey } from './client-ip';

/** How long reports tell a caller to wait, even if the minute is over sooner (docs/contract/main-api.md). */
const REPORTING_RETRY_AFTER_S = 60;

/**
 * Takes one point. A limiter that fails lets the request pass (docs/contract/running.md).
 *
 * @throws ApiError 429 with Retry-After in whole seconds: `retryAfter`, or else until the window ends.
 */
async function take(limiter: RateLimiterAbstract, key: string | number, retryAfter?: number): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) return;
    throw limited(refusal, retryAfter);
  }
}

/** The answer to who is over a limit. */
export function limited({ msBeforeNext }: RateLimiterRes, retryAfter?: number): ApiError {
  const seconds = retryAfter ?? Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError(429, 'Rate limit exceeded. Please try again later.', { 'Retry-After': String(seconds) });
}

/** Limits all requests from one source address together. `limiter` is undefined where the limit is off. */
export function limitBySource(limiter: RateLimiterAbstract | undefined, trustProxy: number): Middleware {
  return async (ctx, next) => {
    if (limiter) await take(limiter, limitKey(clientIp(ctx.req, trustProxy)));
    await next();
  };
}

/** Takes a point of the source address of a request, or of the key in it, where such a limit is on. */
export interface CollectorLimits {
  readonly bySource: (ctx: Context) => Promise<void>;
  readonly byKey: (key: string) => Promise<void>;
}

export function collectorLimits(
  { source, key }: Readonly<Record<'source' | 'key', RateLimiterAbstract | undefined>>,
  trustProxy: number,
): CollectorLimits {
  return {
    async bySource(ctx) {
      if (source) await take(source, limitKey(clientIp(ctx.req, trustProxy)));
    },
    async byKey(hash) {
      if (key) await take(key, hash);
    },
  };
}

/**
 * Limits the requests of each person who is signed in, together. Comes after what finds out who asks; keys and the
 * admin token are not limited by it.
 */
export function limitByPerson(
  limiter: RateLimiterAbstract | undefined,
  readPerson: (ctx: Context) => Promise<Person | undefined> | Person | undefined,
): Middleware {
  return async (ctx, next) => {
    const person = limiter && (await readPerson(ctx));
    if (person) await take(limiter, `person ${person.id}`);
    await next();
  };
}

/**
 * Does work that costs one point of a limit. The point is given back if the work fails and the caller is not to blame.
 *
 * @throws ApiError 429 with Retry-After in whole seconds: `retryAfter`, or else until the window ends.
 */
export async function withRateLimit<T>(
  limiter: RateLimiterAbstract | undefined,
  key: string | number,
  work: () => Promise<T>,
  retryAfter?: number,
): Promise<T> {
  if (!limiter) return work();
  await take(limiter, key, retryAfter);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) await limiter.reward(key).catch(() => undefined);
    throw error;
  }
}

/** The same for a report. Each report has its own limiter, and so its own minute (docs/contract/main-api.md). */
export const withReportLimit = <T>(
  limiter: RateLimiterAbstract | undefined,
  key: string,
  work: () => Promise<T>,
): Promise<T> => withRateLimit(limiter, key, work, REPORTING_RETRY_AFTER_S);

/** Rate limits as middleware: by source address over the whole API, and by key for each endpoint's scope. */
import type { Middleware } from 'koa';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';

/** How long the reports tell a caller to wait, however soon the minute is over (docs/contract.md, Main API). */
const REPORTING_RETRY_AFTER_S = 60;

/**
 * Takes one point before the rest runs. A limiter that fails costs no request (docs/contract.md, Running).
 *
 * @throws ApiError 429 with Retry-After in whole seconds: `retryAfter`, or else until the window ends.
 */
async function take(limiter: RateLimiterAbstract, key: string | number, retryAfter?: number): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) return;
    const seconds = retryAfter ?? Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new ApiError(429, 'Rate limit exceeded. Please try again later.', { 'Retry-After': String(seconds) });
  }
}

/** A limit over everything that `keyOf` gives the same key; `undefined` for a limit that is off. */
export function limited(
  limiter: RateLimiterAbstract | undefined,
  keyOf: (ctx: Parameters<Middleware>[0]) => string | number,
): Middleware {
  return async (ctx, next) => {
    if (limiter) await take(limiter, keyOf(ctx));
    await next();
  };
}

/**
 * Takes a point for work that is about to be done, and gives it back when the work fails through no error of the caller.
 *
 * @throws ApiError 429 with Retry-After in whole seconds: `retryAfter`, or else until the window ends.
 */
export async function charged<T>(
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

/** `charged` for a report, whose limiter counts that report alone: each has its own minute (docs/contract.md, Main API). */
export const chargedReport = <T>(
  limiter: RateLimiterAbstract | undefined,
  key: string,
  work: () => Promise<T>,
): Promise<T> => charged(limiter, key, work, REPORTING_RETRY_AFTER_S);

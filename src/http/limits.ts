/** Rate limits as middleware: by source address over the whole API, and by key for each endpoint's scope. */
import type { Middleware } from 'koa';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';

/** How long reports tell a caller to wait, even if the minute is over sooner (docs/contract.md, Main API). */
const REPORTING_RETRY_AFTER_S = 60;

/**
 * Takes one point. A limiter that fails lets the request pass (docs/contract.md, Running).
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

/** Limits all requests with the same key together. `limiter` is undefined where the limit is off. */
export function rateLimit(
  limiter: RateLimiterAbstract | undefined,
  keyOf: (ctx: Parameters<Middleware>[0]) => string | number,
): Middleware {
  return async (ctx, next) => {
    if (limiter) await take(limiter, keyOf(ctx));
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

/** The same for a report. Each report has a limiter, and so a minute, of its own (docs/contract.md, Main API). */
export const withReportLimit = <T>(
  limiter: RateLimiterAbstract | undefined,
  key: string,
  work: () => Promise<T>,
): Promise<T> => withRateLimit(limiter, key, work, REPORTING_RETRY_AFTER_S);

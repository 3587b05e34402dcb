/** Repeats work until it succeeds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from 'exponential-backoff';

export interface RetryOptions {
  /** The wait between the first two attempts. Each later wait is `factor` times as long, up to `maxWaitMs`. */
  readonly waitMs: number;
  readonly factor?: number;
  readonly maxWaitMs?: number;
  readonly attempts?: number;
  /** A failure later than this after the first attempt is final. */
  readonly giveUpAfterMs?: number;
  /** Whether a failure may pass with time; without it every one may. */
  readonly isTemporary?: (failure: unknown) => boolean;
  /** How long a failure asks us to wait, where that is longer. */
  readonly requestedWaitMs?: (failure: unknown) => number;
}

/** Resolves with the result of `work`, or rejects with its last failure. */
export function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { waitMs, factor = 1, maxWaitMs = Infinity, attempts = Infinity, giveUpAfterMs = Infinity } = options;
  const giveUp = Date.now() + giveUpAfterMs;
  return backOff(work, {
    startingDelay: waitMs,
    timeMultiple: factor,
    maxDelay: maxWaitMs,
    numOfAttempts: attempts,
    retry: async (failure) => {
      if (Date.now() > giveUp || options.isTemporary?.(failure) === false) return false;
      await sleep(Math.max(0, (options.requestedWaitMs?.(failure) ?? 0) - waitMs));
      return true;
    },
  });
}

class TemporaryFailure extends Error {
  constructor(readonly response: Response) {
    super(`HTTP ${response.status}`);
  }
}

/**
 * Sends a request until the service takes or refuses it, for `giveUpAfterMs` at most: it may be away, or ask for time.
 * Resolves with the last answer, whatever it is.
 *
 * @throws Error when the last attempt found no service.
 */
export async function fetchWithRetry(url: string, init: RequestInit, giveUpAfterMs: number): Promise<Response> {
  const send = async () => {
    const response = await fetch(url, init);
    if (response.status === 429 || response.status >= 500) throw new TemporaryFailure(response);
    return response;
  };
  try {
    return await retry(send, { waitMs: 1_000, giveUpAfterMs, requestedWaitMs: retryAfterMs });
  } catch (failure) {
    if (failure instanceof TemporaryFailure) return failure.response;
    throw failure;
  }
}

const retryAfterMs = (failure: unknown) =>
  failure instanceof TemporaryFailure ? 1_000 * (Number(failure.response.headers.get('Retry-After')) || 1) : 0;

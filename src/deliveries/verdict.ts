/** What becomes of a message after an attempt (docs/contract/postbacks.md). */
import { addSeconds } from 'date-fns/addSeconds';
import type { Answer } from './sender';

/** What became of an attempt; `dropped` was never sent. */
export type Verdict =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry'; readonly at: number; readonly error: string }
  | { readonly outcome: 'dead'; readonly error: string; readonly isGone: boolean };

/** Spread over so much of a wait, so that what failed together does not come back together. */
const JITTER = 0.1;
const LONGEST_WAIT_SECONDS = 86_400;

/** Whether an answer says something of the receiver rather than of the message. */
export const isReceiverDown = ({ status }: Pick<Answer, 'status'>) =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/**
 * `attempt` counts from 1; after attempt N the wait is the Nth of `retries` (seconds), or longer where the receiver
 * asks for it. `random` is from 0 up to 1, `now` in milliseconds.
 */
export function judge(
  answer: Answer,
  attempt: number,
  retries: readonly number[],
  now: number,
  random: number,
): Verdict {
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  const error = answer.error || `answered ${status}`;
  if (!isReceiverDown(answer)) return { outcome: 'dead', error, isGone: status === 410 };
  const wait = retries[attempt - 1];
  if (wait === undefined) return { outcome: 'dead', error: `${error}; given up`, isGone: false };
  const asked = Math.min(readRetryAfter(answer.retryAfter, now), LONGEST_WAIT_SECONDS);
  const seconds = Math.max(asked, wait * (1 + JITTER * random));
  return { outcome: 'retry', at: addSeconds(now, seconds).getTime(), error };
}

/** The seconds that a header Retry-After asks for, as a number or by a date; 0 for anything else. */
function readRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now) / 1000);
}

/** Waiting for what a test expects, with a limit that only ends what would never end. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses between questions grow from the first to the second, in milliseconds: asking costs what answers need. */
const PAUSES = { first: 20, longest: 500 };

/** A slow machine, or one that is busy with others, takes so much longer than one that is not. */
const PATIENCE = 5;

/** Asks until the answer is not undefined; fails with `what` after `ms`: for what has to happen in that time. */
export async function within<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  ms: number,
): Promise<T> {
  const giveUp = Date.now() + ms;
  for (let pause = PAUSES.first; ; pause = Math.min(pause * 1.5, PAUSES.longest)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUp) throw new Error(`Not within ${ms} ms: ${what}`);
    await sleep(pause);
  }
}

/** The same for what takes about `ms` at most, and longer on a slow machine. */
export const eventually = <T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  ms = 15_000,
): Promise<T> => within(what, ask, ms * PATIENCE);

/** Longer than a statement of a derivation may take, for which all reports wait. */
const ANSWER_MS = 80_000;

/** The answer to a request; one that a machine that is busy refuses with 503 is sent again, as clients do. */
export const answered = <T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> =>
  eventually(
    'an answer that is not 503',
    async () => {
      const answer = await ask();
      return answer.status === 503 ? undefined : answer;
    },
    ANSWER_MS,
  );

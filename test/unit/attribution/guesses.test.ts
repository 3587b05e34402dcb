/** Guesses are counted before they are judged (docs/contract/people.md). */
import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../../../src/errors';
import { CODE_MISSING, countGuesses, guessLimit } from '../../../src/http/guesses';
import type { BrowserSessions } from '../../../src/http/session';

let scope = 0;

/** Guesses of which each may be wrong three times, and of an address ten; `known` is who was signed in before. */
function start(known = '') {
  scope += 1;
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: 600, keyPrefix: `${scope} ${points}` });
  const sessions = {
    browser: (ctx: Context) => ({ address: (ctx as unknown as { address: string }).address, userAgent: '' }),
    isKnown: (_ctx: Context, email: string) => email === known,
  } as unknown as BrowserSessions;
  return countGuesses({ one: guessLimit(limiter(3)), all: guessLimit(limiter(10)), sessions });
}
const at = (address: string) => ({ address }) as unknown as Context;

async function judge(status: number, message = 'wrong'): Promise<void> {
  await turn();
  if (status !== 200) throw new ApiError(status, message);
}
const readStatus = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error as ApiError).status,
  );

test.each([
  ['wrong ones', 401, 'wrong', [401, 401, 401, 429, 429, 429, 429]],
  ['right ones', 200, '', [200, 200, 200, 429, 429, 429, 429]],
])('at once no more %s are judged than one after the other', async (_what, status, message, expected) => {
  const guesses = start();
  const all = Array.from({ length: 7 }, () =>
    readStatus(guesses.guardPassword(at('192.0.2.1'))('ann@x.example', () => judge(status, message))),
  );
  expect(await Promise.all(all)).toEqual(expected);
});

test.each<[string, number, string, boolean]>([
  ['a right one', 200, '', false],
  ['a wrong one', 401, 'wrong', true],
  ['a wrong one of who is signed in', 403, 'wrong', true],
  ['a link that is not there', 404, 'wrong', true],
  ['a field that is missing', 400, 'wrong', false],
  ['a failure of ours', 500, 'wrong', false],
  ['a code that is to be said yet', 401, CODE_MISSING, false],
])('%s: %i %s counts: %p', async (_what, status, message, counts) => {
  const guesses = start();
  const guess = () => readStatus(guesses.guardPassword(at('192.0.2.1'))('ann@x.example', () => judge(status, message)));
  for (let n = 0; n < 3; n += 1) expect(await guess()).toBe(status);
  expect(await guess()).toBe(counts ? 429 : status);
});

test('an IPv6 client guesses no more by changing its address in its /64', async () => {
  const guesses = start();
  const guess = (n: number) =>
    readStatus(guesses.guardPassword(at(`2001:db8:1:2::${n}`))('ann@x.example', () => judge(401)));
  for (let n = 1; n <= 3; n += 1) expect(await guess(n)).toBe(401);
  expect(await guess(4)).toBe(429);
});

test('what is refused for its address takes nothing from the account, and the other way round', async () => {
  const guesses = start();
  const guess = (email: string, address: string) =>
    readStatus(guesses.guardPassword(at(address))(email, () => judge(401)));
  for (let n = 0; n < 10; n += 1) expect(await guess(`n${n}@x.example`, '192.0.2.1')).toBe(401);
  for (let n = 0; n < 5; n += 1) expect(await guess('ann@x.example', '192.0.2.1')).toBe(429);
  expect(await guess('ann@x.example', '192.0.2.2')).toBe(401);
  for (let n = 0; n < 3; n += 1) await guess('bob@x.example', '192.0.2.3');
  for (let n = 0; n < 20; n += 1) expect(await guess('bob@x.example', '192.0.2.3')).toBe(429);
  expect(await guess('cid@x.example', '192.0.2.3')).toBe(401);
});

test('a known browser has guesses of its own, then those of its address', async () => {
  const guesses = start('ann@x.example');
  const guess = () => readStatus(guesses.guardPassword(at('192.0.2.1'))('ann@x.example', () => judge(401)));
  const statuses = [];
  for (let n = 0; n < 8; n += 1) statuses.push(await guess());
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
});

/**
 * Guesses at passwords, codes, links and the admin token: each is counted before it is judged, so that many at once are
 * no more than one after the other, and given back where nothing was guessed wrong.
 */
import type { Context } from 'koa';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';
import { limitKey } from './client-ip';
import { limited } from './limits';
import type { BrowserSessions } from './session';

/** What a sign-in says that lacks its second factor: nobody has guessed anything then. */
export const CODE_MISSING = 'Enter the code of your authenticator app.';

type GiveBack = () => Promise<unknown>;

export interface GuessLimit {
  /** Takes a point, and resolves with what gives it back. @throws ApiError 429 where there is none. */
  readonly take: (key: string) => Promise<GiveBack>;
}

/** A limiter that fails lets the guess pass (docs/contract/running.md). */
export function guessLimit(limiter: RateLimiterAbstract | undefined): GuessLimit {
  return {
    async take(key) {
      const giveBack = async () => limiter?.reward(key).catch(() => undefined);
      try {
        await limiter?.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) return giveBack;
        // What is refused is not judged, and so no guess.
        await giveBack();
        throw limited(refusal);
      }
      return giveBack;
    },
  };
}

/** Does work that may be a guess at something of the person with an address. */
export type Guarded = <T>(email: string, work: () => Promise<T>) => Promise<T>;

/** Who could be guessing. Each throws ApiError 429 where there were too many wrong guesses. */
export interface Guesses {
  /**
   * At a password: by account and address together, so that nobody locks anybody else out, and by address over all
   * accounts ten times as many. A browser in which the person was signed in before has its own guesses first.
   */
  readonly guardPassword: (ctx: Context) => Guarded;
  /** At a code, for who knows the password: by account alone, likewise. */
  readonly guardCode: (ctx: Context) => Guarded;
  /** At what confirms that somebody who is signed in is the person: by session, wherever it is. */
  readonly guardSession: <T>(sessionId: number, work: () => Promise<T>) => Promise<T>;
  /** At links. */
  readonly guardLink: <T>(ctx: Context, link: string, work: () => Promise<T>) => Promise<T>;
  /** Asking for a mail, which counts whatever comes of it. */
  readonly countMail: (ctx: Context, email: string) => Promise<void>;
}

export interface GuessesOptions {
  /** How often one account, link or session may be guessed at. */
  readonly one: GuessLimit;
  /** How often one address may guess, at whatever. */
  readonly all: GuessLimit;
  readonly sessions: BrowserSessions;
}

/** How many more wrong guesses an address has over all accounts than at one. */
export const OVER_ALL = 10;

export function countGuesses({ one, all, sessions }: GuessesOptions): Guesses {
  const readAddress = (ctx: Context) => limitKey(sessions.browser(ctx).address);

  async function takeBoth(ctx: Context, what: string): Promise<GiveBack> {
    const address = readAddress(ctx);
    const giveOne = await one.take(`${what} from ${address}`);
    const giveAll = await all.take(address).catch(async (refusal: unknown) => {
      await giveOne();
      throw refusal;
    });
    return () => Promise.all([giveOne(), giveAll()]);
  }
  /** The guesses that all browsers share in which the person was signed in; once they are used up, those of others. */
  async function takeKnownFirst(ctx: Context, email: string, what: string, others: () => Promise<GiveBack>) {
    if (!sessions.isKnown(ctx, email)) return others();
    return one.take(`${what} in a known browser`).catch(others);
  }
  async function guard<T>(taking: Promise<GiveBack>, work: () => Promise<T>): Promise<T> {
    const giveBack = await taking;
    try {
      const result = await work();
      await giveBack();
      return result;
    } catch (error) {
      if (!isWrongGuess(error)) await giveBack();
      throw error;
    }
  }
  return {
    guardPassword: (ctx) => (email, work) => {
      const what = `password ${email}`;
      return guard(
        takeKnownFirst(ctx, email, what, () => takeBoth(ctx, what)),
        work,
      );
    },
    guardCode: (ctx) => (email, work) => {
      const what = `code ${email}`;
      return guard(
        takeKnownFirst(ctx, email, what, () => one.take(what)),
        work,
      );
    },
    guardSession: (sessionId, work) => guard(one.take(`session ${sessionId}`), work),
    guardLink: (ctx, link, work) => guard(takeBoth(ctx, `link ${link}`), work),
    async countMail(ctx, email) {
      await takeBoth(ctx, `mail ${email}`);
    },
  };
}

/** Who knows the password and has yet to say the code has guessed nothing. */
const isWrongGuess = (error: unknown) =>
  error instanceof ApiError && [401, 403, 404].includes(error.status) && error.message !== CODE_MISSING;

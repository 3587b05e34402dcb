/** `/auth/v1/oidc`: the way to a provider of identities and back (docs/contract/people.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { jsonBody } from '../http/body';
import { CODE_MISSING, type Guesses } from '../http/guesses';
import { createRouter } from '../http/router';
import type { BrowserSessions } from '../http/session';
import { readQueryString } from '../http/target';
import { validator } from '../http/validate';
import { readSafePath } from '../lib/safe-path';
import type { Seal } from '../lib/seal';
import { describeMe } from './me';
import { signInAs, type Oidc, type Pending, type Vouched } from './oidc';
import type { Person } from '../http/permissions';
import { codeSchema } from './schema';
import { findPerson } from './sessions';

const COOKIE = 'adtrail_oidc';
const PATH = '/auth/v1/oidc';
const LASTS_MS = 10 * 60_000;

const parseCode = validator(codeSchema);

export interface OidcRoutesOptions {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly guesses: Guesses;
  readonly oidc: Oidc;
  /** Seals what the browser keeps meanwhile. */
  readonly seal: Seal;
  /** Seals second factors. */
  readonly factorSeal: Seal;
  readonly now: () => number;
}

/** What a browser keeps on its way: what the provider's answer has to fit, then for whom a code is to be said. */
type Kept = { readonly pending: Pending } | { readonly vouched: Vouched };

export function oidcRoutes({ postgres, sessions, guesses, oidc, seal, factorSeal, now }: OidcRoutesOptions): Router {
  const router = createRouter(PATH);
  const keep = (ctx: Context, what: Kept) => {
    const kept = seal.seal(JSON.stringify({ ...what, until: now() + LASTS_MS }));
    sessions.setCookie(ctx, COOKIE, encodeURIComponent(kept), LASTS_MS);
  };
  const leadTo = (ctx: Context, url: string) => {
    ctx.status = 302;
    ctx.set('Location', url);
    ctx.body = '';
  };
  const signIn = async (ctx: Context, who: Vouched, code?: string) => {
    const browser = sessions.browser(ctx);
    const checking = { seal: factorSeal, now: now() };
    const cookie = await signInAs(postgres, who, code, browser, guesses.guardCode(ctx), checking);
    sessions.set(ctx, cookie, who.email);
    return cookie;
  };

  router.get('/start', async (ctx) => {
    const redirectUri = `${sessions.origin(ctx)}${PATH}/callback`;
    const { url, pending } = await oidc.begin(redirectUri, readSafePath(readQueryString(ctx).get('to')));
    keep(ctx, { pending });
    leadTo(ctx, url);
  });
  router.get('/callback', async (ctx) => leadTo(ctx, await arrive(ctx)));
  router.post('/code', jsonBody('10kb'), async (ctx) => {
    sessions.refuseOtherSites(ctx);
    const { code } = parseCode(ctx.request.body);
    const cookie = await signIn(ctx, read(ctx, 'vouched').vouched, code);
    sessions.setCookie(ctx, COOKIE, null, 0);
    ctx.body = await describeMe(postgres, (await findPerson(postgres, cookie, now())) as Person);
  });

  /** Begins the session; the page to go to: of who may not come in, or not yet, the sign-in page, which says so. */
  async function arrive(ctx: Context): Promise<string> {
    try {
      const { pending } = read(ctx, 'pending');
      sessions.setCookie(ctx, COOKIE, null, 0);
      const who = await oidc.finish(new URL(`${sessions.origin(ctx)}${ctx.url}`), pending);
      return await signIn(ctx, who).then(
        () => pending.to,
        (error: unknown) => {
          if (!(error instanceof ApiError) || error.message !== CODE_MISSING) throw error;
          keep(ctx, { vouched: who });
          return `/sign-in?step=code&to=${encodeURIComponent(pending.to)}`;
        },
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return `/sign-in?error=${error.status === 403 ? 'uninvited' : 'provider'}`;
    }
  }

  /** @throws ApiError 401 for what was not made here, is of another step, or is too old. */
  function read<Step extends 'pending' | 'vouched'>(ctx: Context, step: Step): Extract<Kept, Record<Step, unknown>> {
    try {
      const text = seal.open(decodeURIComponent(sessions.cookie(ctx, COOKIE) ?? ''));
      const kept = JSON.parse(text) as Kept & { until: number };
      if (kept.until > now() && step in kept) return kept as unknown as Extract<Kept, Record<Step, unknown>>;
    } catch {
      // Answered below.
    }
    throw new ApiError(401, 'Signing in took too long. Please try again.');
  }
  return router;
}

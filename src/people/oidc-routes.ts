/** `/auth/v1/oidc`: the way to a provider of identities and back (docs/contract.md, People). */
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { BrowserSessions } from '../http/session';
import { queryOf } from '../http/target';
import type { Seal } from '../seal';
import { signInAs, type Oidc, type Pending } from './oidc';

const COOKIE = 'adtrail_oidc';
const PATH = '/auth/v1/oidc';
const LASTS_MS = 10 * 60_000;

export interface OidcRoutesOptions {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly oidc: Oidc;
  /** Of what the browser keeps meanwhile. */
  readonly seal: Seal;
  readonly now: () => number;
}

/** A page of this service: anything else would let a link lead elsewhere. */
const pageOf = (to: string | null) => (to && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(to) ? to : '/');

export function oidcRoutes({ postgres, sessions, oidc, seal, now }: OidcRoutesOptions): Router {
  const router = new Router({ prefix: PATH });
  const cookie = { httpOnly: true, sameSite: 'lax', path: PATH, overwrite: true } as const;
  router.get('/start', async (ctx) => {
    const redirectUri = `${sessions.origin(ctx)}${PATH}/callback`;
    const { url, pending } = await oidc.begin(redirectUri, pageOf(queryOf(ctx).get('to')));
    const kept = seal.seal(JSON.stringify({ ...pending, until: now() + LASTS_MS }));
    ctx.cookies.set(COOKIE, encodeURIComponent(kept), { ...cookie, maxAge: LASTS_MS });
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 302;
    ctx.set('Location', url);
    ctx.body = '';
  });
  router.get('/callback', async (ctx) => {
    ctx.set('Location', await arrive(ctx));
    ctx.status = 302;
    ctx.body = '';
  });

  /** Begins the session; the page to go to: of who may not come in the sign-in page, which says so. */
  async function arrive(ctx: Context): Promise<string> {
    try {
      const pending = read(ctx.cookies.get(COOKIE));
      ctx.cookies.set(COOKIE, null, cookie);
      const who = await oidc.finish(new URL(`${sessions.origin(ctx)}${ctx.url}`), pending);
      sessions.set(ctx, await signInAs(postgres, who, sessions.browser(ctx), now()));
      return pending.to;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return `/sign-in?error=${error.status === 403 ? 'uninvited' : 'provider'}`;
    }
  }

  function read(kept: string | undefined): Pending {
    try {
      const pending = JSON.parse(seal.open(decodeURIComponent(kept ?? ''))) as Pending & { until: number };
      if (pending.until > now()) return pending;
    } catch {
      // Answered below: it was not made here, or belongs to another start of the way.
    }
    throw new ApiError(401, 'Signing in took too long. Please try again.');
  }
  return router;
}

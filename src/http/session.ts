/** Who is signed in, by the cookie of the request (docs/contract.md, People). */
import type { Context } from 'koa';
import type { Actor } from '../configuration/change';
import { ApiError } from '../errors';
import type { Person } from '../people/permissions';
import { clientIp } from './client-ip';

const COOKIE = 'adtrail_session';
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface SessionOptions {
  readonly personOf: (cookie: string) => Promise<Person | undefined>;
  /** The address of the service as people know it, where it is configured. */
  readonly publicUrl: string | undefined;
  readonly trustProxy: number;
  readonly cookieDays: number;
}

export interface BrowserSessions {
  /** The person who is signed in; undefined for nobody. @throws ApiError 403 for a change asked for by another site. */
  readonly person: (ctx: Context) => Promise<Person | undefined>;
  /** @throws ApiError 401 for nobody. */
  readonly mustBeSignedIn: (ctx: Context) => Promise<Person>;
  readonly set: (ctx: Context, cookie: string) => void;
  readonly clear: (ctx: Context) => void;
  /** The address of the service as this request has reached it, without a path. */
  readonly origin: (ctx: Context) => string;
  readonly refuseOtherSites: (ctx: Context) => void;
  readonly browser: (ctx: Context) => { address: string; userAgent: string };
  readonly actor: (ctx: Context, person: Person) => Actor;
}

export function browserSessions({ personOf, publicUrl, trustProxy, cookieDays }: SessionOptions): BrowserSessions {
  const isSecure = (ctx: Context) =>
    publicUrl?.startsWith('https://') === true ||
    (trustProxy > 0 && /(^|,)\s*https$/i.test(ctx.get('X-Forwarded-Proto')));
  const origin = (ctx: Context) => publicUrl ?? `${isSecure(ctx) ? 'https' : 'http'}://${ctx.host}`;
  const refuseOtherSites = (ctx: Context) => {
    const given = ctx.get('Origin');
    const isOurs = URL.canParse(given) && (new URL(given).host === ctx.host || new URL(given).origin === publicUrl);
    if (!isOurs) throw new ApiError(403, 'Origin: must be the address of this service.');
  };
  const put = (ctx: Context, value: string | null) => {
    const secure = isSecure(ctx);
    // Whether the connection is safe is known better here than by Koa, which sees the proxy's.
    ctx.cookies.secure = secure;
    const maxAge = cookieDays * 86_400_000;
    ctx.cookies.set(COOKIE, value, { httpOnly: true, sameSite: 'lax', secure, overwrite: true, path: '/', maxAge });
    ctx.set('Cache-Control', 'no-store');
  };
  const person = async (ctx: Context) => {
    const cookie = ctx.cookies.get(COOKIE);
    if (!cookie) return undefined;
    if (!('person' in ctx.state)) ctx.state.person = await personOf(cookie);
    const found = ctx.state.person as Person | undefined;
    if (found && !SAFE.has(ctx.method)) refuseOtherSites(ctx);
    return found;
  };
  const address = (ctx: Context) => clientIp(ctx.req, trustProxy);
  return {
    person,
    async mustBeSignedIn(ctx) {
      const found = await person(ctx);
      if (!found) throw new ApiError(401, 'Unauthorized access.');
      return found;
    },
    set: put,
    clear: (ctx) => put(ctx, null),
    origin,
    refuseOtherSites,
    browser: (ctx) => ({ address: address(ctx), userAgent: ctx.get('User-Agent') }),
    actor: (ctx, { id, name }) => ({ kind: 'user', userId: id, name, address: address(ctx) }),
  };
}

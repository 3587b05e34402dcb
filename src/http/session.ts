/** Who is signed in, by the cookie of the request (docs/contract/people.md). */
import type { Context } from 'koa';
import type { Actor } from '../configuration/change';
import { ApiError } from '../errors';
import type { Person } from './permissions';
import { derivedSecret, sameSecret } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { clientIp } from './client-ip';
import { readHost } from './host';
import { parseUrl } from '../lib/parse-url';

const SESSION = 'adtrail_session';
/** Says that a person was signed in in this browser before: guesses of others do not count against it. */
const KNOWN = 'adtrail_known';
const KNOWN_MS = 365 * DAY_MS;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface SessionOptions {
  readonly findPerson: (cookie: string) => Promise<Person | undefined>;
  /** The address of the service as people know it, where it is configured. */
  readonly publicUrl: string | undefined;
  readonly trustProxy: number;
  /** After which a session has ended for certain. */
  readonly cookieDays: number;
  /** What the marks of known browsers follow from. */
  readonly secret: string;
}

export interface BrowserSessions {
  /** The person who is signed in; undefined for nobody. @throws ApiError 403 for a change asked for by another site. */
  readonly person: (ctx: Context) => Promise<Person | undefined>;
  /** @throws ApiError 401 for nobody. */
  readonly mustBeSignedIn: (ctx: Context) => Promise<Person>;
  /** Hands the browser the cookie of a session of the person with this address. */
  readonly set: (ctx: Context, cookie: string, email: string) => void;
  readonly clear: (ctx: Context) => void;
  /** Whether the person with this address was signed in in this browser before. */
  readonly isKnown: (ctx: Context, email: string) => boolean;
  /** A cookie of this host alone; behind TLS no other host, and nothing on the way, can set it. */
  readonly cookie: (ctx: Context, name: string) => string | undefined;
  readonly setCookie: (ctx: Context, name: string, value: string | null, ms: number) => void;
  /** The address of the service: as it is configured, or as this request has reached it; without a path. */
  readonly origin: (ctx: Context) => string;
  readonly refuseOtherSites: (ctx: Context) => void;
  readonly browser: (ctx: Context) => { address: string; userAgent: string };
  readonly actor: (ctx: Context, person: Person) => Actor;
}

export function browserSessions(options: SessionOptions): BrowserSessions {
  const { findPerson, publicUrl, trustProxy, cookieDays, secret } = options;
  const isSecure = (ctx: Context) =>
    publicUrl?.startsWith('https://') === true ||
    (trustProxy > 0 && /(^|,)\s*https$/i.test(ctx.get('X-Forwarded-Proto')));
  const origin = (ctx: Context) =>
    publicUrl ?? `${isSecure(ctx) ? 'https' : 'http'}://${readHost(ctx.req.headers.host)?.withPort ?? ''}`;
  const refuseOtherSites = (ctx: Context) => {
    const [given, own] = [ctx.get('Origin'), origin(ctx)];
    // Scheme and port too: beside this service another one may listen on the same host.
    const here = parseUrl(own)?.origin;
    if (here === undefined || parseUrl(given)?.origin !== here)
      throw new ApiError(403, 'Origin: must be the address of this service.');
  };
  const nameIn = (ctx: Context, name: string) => (isSecure(ctx) ? `__Host-${name}` : name);
  const readCookie = (ctx: Context, name: string) => ctx.cookies.get(nameIn(ctx, name));
  const setCookie = (ctx: Context, name: string, value: string | null, maxAge: number) => {
    const secure = isSecure(ctx);
    // Whether the connection is safe is known better here than by Koa, which sees the proxy's.
    ctx.cookies.secure = secure;
    const attributes = { httpOnly: true, sameSite: 'lax', secure, overwrite: true, path: '/', maxAge } as const;
    ctx.cookies.set(nameIn(ctx, name), value, attributes);
    ctx.set('Cache-Control', 'no-store');
  };
  const markBrowser = (email: string) => derivedSecret(secret, `browser of ${email}`);
  const person = async (ctx: Context) => {
    const cookie = readCookie(ctx, SESSION);
    if (!cookie) return undefined;
    if (!('person' in ctx.state)) ctx.state.person = await findPerson(cookie);
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
    set(ctx, cookie, email) {
      setCookie(ctx, SESSION, cookie, cookieDays * DAY_MS);
      setCookie(ctx, KNOWN, markBrowser(email), KNOWN_MS);
    },
    clear: (ctx) => setCookie(ctx, SESSION, null, 0),
    isKnown: (ctx, email) => sameSecret(readCookie(ctx, KNOWN) ?? '', markBrowser(email)),
    cookie: readCookie,
    setCookie,
    origin,
    refuseOtherSites,
    browser: (ctx) => ({ address: address(ctx), userAgent: ctx.get('User-Agent') }),
    actor: (ctx, { id, name }) => ({ kind: 'user', userId: id, name, address: address(ctx) }),
  };
}

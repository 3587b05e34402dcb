/** Signing in through a provider of identities (OpenID Connect, authorization code with PKCE). */
import type { Configuration } from 'openid-client' with { 'resolution-mode': 'import' };
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Guarded } from '../http/guesses';
import { isEmailAddress, isOneLine } from '../lib/text';
import { changeBelonging, isAllowedStill } from './belonging';
import { acceptInvitations } from './links';
import * as queries from './queries';
import { beginSession, type Browser } from './sessions';
import { buildActor, canonicalEmail, checkSecondFactor, proveAddress, type Checking } from './signing-in';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a browser brings back from the provider, and has to have been sent with. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to go to afterwards. */
  readonly to: string;
}

export interface Oidc {
  /** Where the browser is sent, and what it has to keep meanwhile. */
  begin(redirectUri: string, to: string): Promise<{ url: string; pending: Pending }>;
  /** The address that the provider vouches for. @throws ApiError 401 for an answer that does not fit. */
  finish(url: URL, pending: Pending): Promise<Vouched>;
}

/** Whom a provider vouches for. */
export interface Vouched {
  readonly email: string;
  readonly name: string;
}

/** Characters of a person's name. */
const MAX_NAME = 100;

const refused = (why: string) => new ApiError(401, `The provider's answer was not accepted: ${why}.`);

export function createOidc(settings: OidcSettings): Oidc {
  let discovered: Promise<Configuration> | undefined;
  // An ES module. A provider that is away is asked again by the next person.
  const configuration = async () => {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = settings;
    const options = issuer.startsWith('http://') ? { execute: [client.allowInsecureRequests] } : {};
    discovered ??= client.discovery(new URL(issuer), clientId, clientSecret, undefined, options).catch((error) => {
      discovered = undefined;
      throw new ApiError(503, 'The provider of identities does not answer.', { 'Retry-After': '5' }, { cause: error });
    });
    return { client, at: await discovered };
  };
  return {
    async begin(redirectUri, to) {
      const { client, at } = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier, to };
      const url = client.buildAuthorizationUrl(at, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { url: url.href, pending };
    },
    async finish(url, { state, nonce, verifier }) {
      const { client, at } = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await client.authorizationCodeGrant(at, url, checks).catch(() => {
        throw refused('it is old, or not an answer to this browser');
      });
      const claims = tokens.claims();
      const askProvider = () =>
        client.fetchUserInfo(at, tokens.access_token, claims?.sub ?? '').catch(() => {
          throw refused('it does not say whom it vouches for');
        });
      const { email, email_verified, name }: Record<string, unknown> = claims?.email ? claims : await askProvider();
      // Beyond ASCII two addresses may be one in lower case.
      if (typeof email !== 'string' || email_verified !== true || !isEmailAddress(email))
        throw refused('it vouches for no e-mail address');
      return { email: canonicalEmail(email), name: typeof name === 'string' && isOneLine(name) ? name.trim() : email };
    },
  };
}

/**
 * Begins a session for the person with an address that a provider vouches for. Who is not there yet comes in where an
 * invitation for the address is open; invitations count as followed. Where nobody has proven the address before, what
 * was made in its name goes first; else a second factor of the person's own is asked for here too.
 *
 * @throws ApiError 403 for an address that nobody has invited, 401 with `second_factor` for a code that is missing or
 * wrong.
 */
export async function signInAs(
  postgres: Postgres,
  who: Vouched,
  code: string | undefined,
  browser: Browser,
  guardCode: Guarded,
  checking: Checking,
): Promise<string> {
  const { now } = checking;
  const [known] = await queries.findUserByEmail(postgres, who.email);
  const actor = known
    ? buildActor(known, browser)
    : ({ kind: 'user', name: who.name, address: browser.address } as const);
  const enter = () =>
    changeBelonging(postgres, actor, async (db) => {
      const [user] = known ? await queries.lockUser(db, known.id) : [];
      const invitations = [];
      for (const one of await queries.findInvitationsTo(db, who.email, new Date(now)))
        if (await isAllowedStill(db, one)) invitations.push(one);
      if (!user && invitations.length === 0) throw new ApiError(403, `Nobody has invited ${who.email}.`);
      if (user?.proven_at) await checkSecondFactor(db, user, code, checking);
      else if (user) await proveAddress(db, user.id, null, now);
      const [email, name] = [who.email, [...who.name].slice(0, MAX_NAME).join('')];
      const person = { email, name, password: null, provenAt: new Date(now) };
      const userId = user?.id ?? (await queries.createUser(db, person));
      await acceptInvitations(db, userId, invitations, now);
      return beginSession(db, userId, browser, now);
    });
  return known?.totp_secret ? guardCode(who.email, enter) : enter();
}

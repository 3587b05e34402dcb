/** Signing in through a provider of identities (OpenID Connect, authorization code with PKCE). */
import type { Configuration } from 'openid-client' with { 'resolution-mode': 'import' };
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { changeAs } from '../configuration/change';
import * as queries from './queries';
import { beginSession, type Browser } from './sessions';
import { actorOf, canonicalEmail } from './signing-in';

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
  finish(url: URL, pending: Pending): Promise<{ email: string; name: string }>;
}

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
      const { email, email_verified, name } = (
        claims?.email ? claims : await client.fetchUserInfo(at, tokens.access_token, claims?.sub ?? '')
      ) as Record<string, unknown>;
      if (typeof email !== 'string' || email_verified !== true) throw refused('it vouches for no e-mail address');
      return { email: canonicalEmail(email), name: typeof name === 'string' && name.trim() ? name.trim() : email };
    },
  };
}

/**
 * Begins a session for the person with an address that a provider vouches for. Who is not there yet comes in where an
 * invitation for the address is open; invitations count as followed.
 *
 * @throws ApiError 403 for an address that nobody has invited.
 */
export async function signInAs(
  postgres: Postgres,
  who: { email: string; name: string },
  browser: Browser,
  now: number,
): Promise<string> {
  const [user] = await queries.findUserByEmail(postgres, who.email);
  const actor = user ? actorOf(user, browser) : ({ kind: 'user', name: who.name, address: browser.address } as const);
  return changeAs(postgres, actor, async (db) => {
    const invitations = await queries.findInvitationsOf(db, who.email, new Date(now));
    if (!user && invitations.length === 0) throw new ApiError(403, `Nobody has invited ${who.email}.`);
    const userId = user?.id ?? (await queries.createUser(db, who.email, who.name.slice(0, 100), null));
    await accept(db, userId, invitations, now);
    return beginSession(db, userId, browser, now);
  });
}

async function accept(
  db: Queryable,
  userId: number,
  invitations: Awaited<ReturnType<typeof queries.findInvitationsOf>>,
  now: number,
): Promise<void> {
  for (const { id, role, account_id, partner_id } of invitations) {
    const [taken] = await queries.takeLink(db, id, new Date(now));
    if (taken) await queries.putMembership(db, userId, role, account_id, partner_id);
  }
}

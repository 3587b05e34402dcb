/** A provider of identities for tests: `node oidc-provider.mjs ISSUER CLIENT_ID SECRET REDIRECT_URI`. */
import process from 'node:process';
import { URL } from 'node:url';
import { Provider } from 'oidc-provider';

const [issuer, client_id, client_secret, redirect_uri] = process.argv.slice(2);

/**
 * The login that a person types is the address. `unverified` at its beginning says that nobody has checked it, and who
 * is `unknown` nothing is told of.
 */
const provider = new Provider(issuer, {
  clients: [{ client_id, client_secret, redirect_uris: [redirect_uri], response_types: ['code'] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['keys of a test'] },
  pkce: { required: () => true },
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: (use) => {
      if (use === 'userinfo' && sub.startsWith('unknown')) throw new Error('nothing is known');
      return { sub, email: sub, email_verified: !sub.startsWith('unverified'), name: 'Pat of the provider' };
    },
  }),
});
provider.listen(Number(new URL(issuer).port), '127.0.0.1', () => process.stdout.write('ready\n'));

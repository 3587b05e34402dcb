/**
 * A process on the same engines that is configured otherwise than the others: it has some of the roles, secrets of its
 * own, an address behind TLS and a bound of connections.
 */
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { openLink } from '../../support/links/links';
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, PASSWORD } from '../../support/people/person';
import { eventually, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';

const own = ownNames('otherwise');
const shared = sharedService();
const PUBLIC_URL = 'https://adtrail.acme.example';
const OLGA = 'olga@otherwise.example';
const KEY = { 'service-key': own('key'), 'Content-Type': 'application/json' };
const DOMAIN = own('go.acme.example');
let service: RunningService;
/** Whether columns had comments, as readers saw it while the process began. */
const comments = new Set<string>();
/** Says where it is, as providers of identities do, and nothing else. */
const provider = http.createServer((_, res) => {
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }));
});

const ask = (method: string, at: string, headers: Record<string, string>, body?: object) =>
  service.request(at, { method, headers, ...(body && { body: JSON.stringify(body) }) });

beforeAll(async () => {
  await shared.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          website: 'https://acme.example/',
          server_keys: ['key'],
          domains: [{ name: 'go.acme.example' }],
          campaigns: [{ display_id: 'website', name: 'Website' }],
        },
      ],
    }),
  );
  await readOperator(shared, OLGA);
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  let isStarting = true;
  const starting = startBeside(shared, {
    ROLES: 'api,s2s',
    S2S_ENABLED: 'false',
    ADMIN_TOKEN: 'another-admin-token-of-the-tests',
    CLICKHOUSE_READER_PASSWORD: 'of-no-use-here',
    MAX_CONNECTIONS: '20',
    PUBLIC_URL,
    OIDC_ISSUER: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    OIDC_CLIENT_ID: 'adtrail',
    OIDC_CLIENT_SECRET: 'a secret',
  }).finally(() => (isStarting = false));
  const password = fs.readFileSync(path.join(shared.dataDir, 'clickhouse-reader-password'), 'utf8').trim();
  while (isStarting) {
    const answer = await fetch(shared.clickhouseUrl, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': password },
      body: "SELECT groupUniqArray(comment != '') FROM system.columns WHERE database = 'analytics'",
    });
    comments.add((await answer.text()).trim());
  }
  service = await starting;
});
afterAll(async () => {
  await service?.dispose();
  provider.closeAllConnections();
  provider.close();
});

test('readers see the views with their comments while it starts and makes them anew', () => {
  expect([...comments]).toEqual(['[1]']);
});

test('where the reader of ClickHouse cannot be made the log says so, without the password', () => {
  expect(service.output()).toContain("ClickHouse's user reader could not be made");
  expect(service.output()).not.toContain('of-no-use-here');
});

test('statements of the SQL console run by its own secret, and then by that of others again', async () => {
  const statement = { query: 'SELECT 1' };
  for (const one of [service, shared, service]) {
    const init = { method: 'POST', headers: KEY, body: JSON.stringify(statement) };
    expect((await one.request('/api/v1/sql', init)).status).toBe(200);
  }
});

test('without the role there are no links', async () => {
  const at = ['/?c=website', '/website', '/qr?c=website', '/.well-known/assetlinks.json'];
  for (const path of at) expect((await openLink(service, path, { host: DOMAIN })).status).toBe(404);
  for (const path of at) expect((await openLink(shared, path, { host: DOMAIN })).status).toBeLessThan(400);
});

test('S2S_ENABLED=false: 404 s2s_disabled, without a token too', async () => {
  for (const at of ['/v1/click', '/v1/impression', '/v1/ctv/impression'])
    for (const headers of [{}, { 'X-Service-Token': 'any' }] as Record<string, string>[]) {
      const response = await ask('GET', `${at}?app_id=com.acme&c=website&tid=1`, headers);
      expect([response.status, await response.json()]).toEqual([404, { status: 'rejected', reason: 's2s_disabled' }]);
    }
});

test('behind TLS cookies are Secure, no neighbouring host can set them, and no other origin signs in', async () => {
  const start = await ask('GET', '/auth/v1/oidc/start', {});
  expect(start.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-adtrail_oidc=[^;]+; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/),
  ]);
  const signIn = (Origin: string) =>
    ask(
      'POST',
      '/auth/v1/sign-in',
      { Origin, 'Content-Type': 'application/json' },
      { email: OLGA, password: PASSWORD },
    );
  // The address is the configured one, whatever host the request names.
  for (const other of [service.url, 'http://adtrail.acme.example', 'https://adtrail.acme.example:8443'])
    expect([other, (await signIn(other)).status]).toEqual([other, 403]);
  expect((await signIn(PUBLIC_URL)).status).toBe(200);
});

// How they are counted: test/unit/operations/readiness.test.ts.
test('an address has MAX_CONNECTIONS connections', async () => {
  const open: net.Socket[] = [];
  const connect = () =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
      open.push(socket);
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      socket.on('error', () => undefined).write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    });
  while (await connect()) expect(open.length).toBeLessThanOrEqual(20);
  for (const socket of open) socket.destroy();
  await eventually('there is room again', async () => ((await connect()) ? true : undefined));
  open.at(-1)?.destroy();
});

/**
 * Limits of collectors, links and wrong admin tokens, what may be administered, and a readiness that is true
 * (docs/contract.md, Running, Workspace, Tracking links, Collectors).
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, type Json } from '../support/collect-client';
import { openLink } from '../support/links';
import { ownNames } from '../support/own-names';
import { idByName } from '../support/s2s-client';
import { ADMIN_TOKEN, eventually, type RunningService, type Service } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

const own = ownNames('hardening-limits');
const DOMAIN = own('go.acme.example');
const LIMITED = { msg: 'Rate limit exceeded. Please try again later.', status: 429 };
const LONG = '3600s';
const project = (more: object = {}) => ({ name: 'Shop', account: 'Acme', timezone: 'UTC', ...more });
const workspace = own.document({
  accounts: [{ name: 'Acme' }],
  projects: [
    project({
      website: 'https://acme.example/home',
      server_keys: ['server'],
      app_keys: ['app', 'app-2'],
      web_keys: ['web', 'web-2'],
      apps: [{ platform: 'ANDROID', app_id: 'com.hardening.limits' }],
      domains: [{ name: 'go.acme.example' }, { name: 'alt.acme.example' }],
      campaigns: [
        { display_id: 'web', name: 'Web' },
        { display_id: 'alt', name: 'Alt', domain: 'alt.acme.example' },
      ],
    }),
  ],
});

const shared = sharedService();
const services: RunningService[] = [];
async function start(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const service = await startBeside(shared, env);
  services.push(service);
  await service.apply(workspace);
  return service;
}
afterEach(() => Promise.all(services.splice(0).map((service) => service.dispose())));

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
async function tally(answers: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
const collect = (service: Service, kind: string, key: string, address = '198.51.100.1') =>
  service.request(`/collect/v1/${kind === 'web-key' ? 'web' : 'app'}`, {
    method: 'POST',
    headers: { [kind]: own(key), 'X-Forwarded-For': address },
    body: JSON.stringify({
      events: kind === 'web-key' ? [] : [appEvent('open', { app_id: 'com.hardening.limits' })],
    }),
  });
const refusals = async (service: Service, area: string, reason: string) => {
  const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  const line = `adtrail_requests_refused_total{area="${area}",reason="${reason}"} `;
  const found = (await response.text()).split('\n').find((one) => one.startsWith(line));
  return found === undefined ? 0 : Number(found.slice(line.length));
};

describe('collectors', () => {
  test('a public key has a limit, over all addresses, and a server key has none', async () => {
    const service = await start({ LIMIT_COLLECT: `6/${LONG},1000/${LONG}`, TRUST_PROXY: '1' });
    for (const kind of ['app', 'web']) {
      const send = (i: number) => collect(service, `${kind}-key`, kind, `198.51.100.${i}`);
      expect(await tally(times(10, send))).toEqual({ 202: 6, 429: 4 });
      const refused = await send(77);
      expect([refused.status, await refused.json()]).toEqual([429, LIMITED]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
      expect((await collect(service, `${kind}-key`, `${kind}-2`)).status).toBe(202);
    }
    expect(await tally(times(20, () => collect(service, 'service-key', 'server')))).toEqual({ 202: 20 });
    expect(await refusals(service, 'collect', 'rate_limited')).toBe(10);
  });

  test('a source address has a limit, over all keys and without a good one, and a server key has none', async () => {
    const service = await start({ LIMIT_COLLECT: `1000/${LONG},5/${LONG}`, TRUST_PROXY: '1' });
    expect(
      await tally(times(9, (i) => collect(service, 'app-key', ['app', 'app-2', 'wrong'][i % 3] as string))),
    ).toMatchObject({ 429: 4 });
    expect((await collect(service, 'web-key', 'web')).status).toBe(429);
    expect((await collect(service, 'service-key', 'wrong')).status).toBe(429);
    expect((await collect(service, 'web-key', 'web', '198.51.100.2')).status).toBe(202);
    expect(await tally(times(20, () => collect(service, 'service-key', 'server')))).toEqual({ 202: 20 });
  });

  test('one value is for both, and off for none', async () => {
    const both = await start({ LIMIT_COLLECT: `3/${LONG}` });
    expect(await tally(times(5, () => collect(both, 'app-key', 'app')))).toEqual({ 202: 3, 429: 2 });
    const off = await start({ LIMIT_COLLECT: 'off' });
    expect(await tally(times(250, () => collect(off, 'web-key', 'web')))).toEqual({ 202: 250 });
  });
});

test('links, the files beside them and the browser script share the limit of their source address', async () => {
  const service = await start({ LIMIT_LINKS: `6/${LONG}`, TRUST_PROXY: '1' });
  const open = (path: string, address: string, method = 'GET') =>
    openLink(service, path, { host: DOMAIN, method, headers: { 'X-Forwarded-For': address } });
  for (const path of ['/web', '/qr?c=web', '/.well-known/assetlinks.json'])
    expect((await open(path, '198.51.100.1')).status).toBeLessThan(400);
  expect((await open('/web', '198.51.100.1', 'HEAD')).status).toBe(302);
  const script = (address: string) => service.request('/adtrail.js', { headers: { 'X-Forwarded-For': address } });
  for (let i = 0; i < 2; i++) expect((await script('198.51.100.1')).status).toBe(200);
  const refused = await open('/web', '198.51.100.1');
  expect([refused.status, JSON.parse(refused.text)]).toEqual([429, LIMITED]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
  expect((await script('198.51.100.1')).status).toBe(429);
  expect((await open('/web', '198.51.100.2')).status).toBe(302);
  expect(await refusals(service, 'other', 'rate_limited')).toBe(2);
});

test('who guesses the admin token is refused, whatever comes next; others are not', async () => {
  const service = await start({ LIMIT_ADMIN: `5/${LONG}`, TRUST_PROXY: '1' });
  const ask = (token: string | undefined, address: string) =>
    service.request('/admin/v1/projects', {
      headers: { 'X-Forwarded-For': address, ...(token && { Authorization: `Bearer ${token}` }) },
    });
  for (let i = 0; i < 3; i++) expect((await ask(undefined, '198.51.100.1')).status).toBe(401);
  for (let i = 0; i < 5; i++) expect((await ask(`guess-${i}`, '198.51.100.1')).status).toBe(401);
  const refused = await ask('guess-5', '198.51.100.1');
  expect([refused.status, await refused.json()]).toEqual([429, LIMITED]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect((await ask(ADMIN_TOKEN, '198.51.100.1')).status).toBe(429);
  expect((await ask(ADMIN_TOKEN, '198.51.100.2')).status).toBe(200);
  expect(await refusals(service, 'admin', 'unauthorized')).toBe(8);
});

describe('administration', () => {
  const put = (document: object) => shared.admin('PUT', '/workspace', document);
  beforeAll(() => shared.apply(workspace));

  test.each(['127.0.0.1', '10.0.0.1', '1', '0x7f.1', '2130706433', 'localhost', 'LOCALHOST', 'shop.localhost'])(
    '%s is no domain',
    async (name) => {
      const { status, body } = await put({
        projects: [{ ...own.document({ projects: [project()] }).projects[0], domains: [{ name }] }],
      });
      expect([status, body.msg]).toEqual([400, expect.stringContaining('projects[0].domains[0].name') as string]);
    },
  );

  test('the host at which the service is reached is no domain', async () => {
    const { url } = shared;
    const host = own('adtrail.example');
    const document = JSON.stringify({
      projects: [{ ...own.document({ projects: [project()] }).projects[0], domains: [{ name: host }] }],
    });
    for (const sent of [host, `${host.toUpperCase()}.:8080`]) {
      const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { Host: sent, Authorization: `Bearer ${ADMIN_TOKEN}` };
        const asked = request(`${url}/admin/v1/workspace`, { method: 'PUT', headers }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        asked.on('error', reject).end(document);
      });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        { status: 400, msg: `projects[0].domains[0].name: this service itself is reached at ${host}` },
      ]);
    }
  });

  test.each([1e-10, 1e9 + 1, 1e300, -1, 0])('%d is no exchange rate', async (usd) => {
    const { status, body } = await put({ exchange_rates: [{ date: '2026-01-01', currency: 'EUR', usd }] });
    expect([status, body.msg]).toEqual([400, expect.stringContaining('exchange_rates[0].usd') as string]);
  });

  test('a rate that is no number at all is refused by its name', async () => {
    const response = await shared.request('/admin/v1/workspace', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
      body: '{"exchange_rates":[{"date":"2026-01-01","currency":"EUR","usd":1e999}]}',
    });
    expect([response.status, ((await response.json()) as Json).msg]).toEqual([
      400,
      expect.stringContaining('exchange_rates[0].usd') as string,
    ]);
  });

  test('a domain can be deleted: its links end, its campaigns use the primary one', async () => {
    const id = await idByName(shared, 'projects', own('Shop'));
    const domains = async () =>
      ((await shared.admin('GET', `/projects/${id}/domains`)).body.domains as { id: number; name: string }[]).map(
        (domain) => [domain.name, domain.id] as const,
      );
    const byName = new Map(await domains());
    const alt = own('alt.acme.example');
    expect((await openLink(shared, '/alt', { host: alt })).status).toBe(302);
    expect(await shared.admin('DELETE', `/projects/${id}/domains/${byName.get(DOMAIN)}`)).toEqual({
      status: 409,
      body: { msg: 'Make another domain the primary one first.', status: 409 },
    });
    expect((await shared.admin('DELETE', `/projects/${id}/domains/${byName.get(alt)}`)).status).toBe(204);
    expect((await domains()).map(([name]) => name)).toEqual([DOMAIN]);
    expect((await openLink(shared, '/alt', { host: alt })).status).toBe(404);
    const listed = await shared.request('/api/v1/campaigns', { headers: { 'service-key': own('server') } });
    const { campaigns } = ((await listed.json()) as { data: { campaigns: Json[] } }).data;
    expect(campaigns.find((one) => one.display_id === 'alt')).toMatchObject({ domain: DOMAIN });
    for (const wrong of [byName.get(alt), 999_999_999, 'x'])
      expect(await shared.admin('DELETE', `/projects/${id}/domains/${wrong}`)).toEqual({
        status: 404,
        body: { msg: 'Domain not found.', status: 404 },
      });
    // The last one goes too, and another can come.
    expect((await shared.admin('DELETE', `/projects/${id}/domains/${byName.get(DOMAIN)}`)).status).toBe(204);
    expect(await domains()).toEqual([]);
    await shared.apply(workspace);
    expect((await openLink(shared, '/alt', { host: alt })).status).toBe(302);
  });
});

describe('readiness', () => {
  test('it is asked thousands of times without a click lost', async () => {
    const service = await start({});
    let asked = true;
    const clicks = (async () => {
      const statuses = [];
      while (asked) {
        statuses.push((await collect(service, 'service-key', 'server')).status);
        await sleep(50);
      }
      return statuses;
    })();
    const answers = await tally(times(2_500, () => service.request('/readyz')));
    asked = false;
    expect(answers).toEqual({ 200: 2_500 });
    const statuses = await clicks;
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([202]));
  });

  test('a process needs what its roles need', async () => {
    const service = await start({ ROLES: 'api,s2s' });
    const readyz = async () => (await (await service.request('/readyz')).json()) as { checks: Record<string, Json> };
    expect((await readyz()).checks).toMatchObject({
      postgres: { required: true, ok: true },
      clickhouse: { required: true, ok: true },
      configuration: { required: true, ok: true, age_seconds: expect.any(Number) as number },
      writes: { required: true, ok: true },
      disk: { required: true, ok: true },
    });
    const links = await startBeside(shared, { ROLES: 'links' });
    services.push(links);
    const { checks } = (await (await links.request('/readyz')).json()) as { checks: Record<string, Json> };
    expect(checks).toMatchObject({
      postgres: { required: false, ok: true },
      clickhouse: { required: false, ok: true },
      configuration: { required: true, ok: true },
    });
    await eventually('the age is counted', async () => {
      const age = (await readyz()).checks.configuration?.age_seconds as number;
      return age >= 1 ? true : undefined;
    });
  });
});

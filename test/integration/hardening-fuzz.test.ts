/**
 * Requests mutated from good ones, over every documented route, links and collectors: whatever is sent, nothing is an
 * internal error, a good event beside it is stored, and the event loop is not held (docs/contract.md, Running).
 */
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { appEvent, type Json } from '../support/collect-client';
import { heldFor } from '../support/event-loop';
import { ownNames } from '../support/own-names';
import { ADMIN_TOKEN, type RunningService } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

const own = ownNames('fuzz');
const DOMAIN = own('go.acme.example');
const workspace = own.document({
  accounts: [{ name: 'Acme' }],
  partners: [{ name: 'Mobi', tokens: ['token'] }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      website: 'https://acme.example/home',
      web_campaigns: true,
      server_keys: ['server'],
      app_keys: ['app'],
      web_keys: ['web'],
      apps: [{ platform: 'ANDROID', app_id: 'com.fuzz' }],
      domains: [{ name: 'go.acme.example' }],
      partner_switches: [{ partner: 'Mobi', s2s_clicks: true }],
      campaigns: [{ display_id: 'web', name: 'Web', partner: 'Mobi' }],
    },
  ],
});
const KEYS = {
  'service-key': own('server'),
  'app-key': own('app'),
  'web-key': own('web'),
  'x-service-token': own('token'),
  authorization: `Bearer ${ADMIN_TOKEN}`,
};

/** As the mutations of one request are numbered, a failure is repeated by its seed. */
const SEED = 20_260_301;
const RUNS = 120;
const MS = 20_000;
/** Far above what the machine adds by itself, and far below what any attack took. */
const HELD_MS = 1_000;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}
interface Sent extends Route {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const shared = sharedService();
let service: RunningService;
let routes: Route[];
beforeAll(async () => {
  const off = { LIMIT_IP: 'off', LIMIT_DATA: 'off', LIMIT_MANAGEMENT: 'off', LIMIT_REPORTING: 'off' };
  service = await startBeside(shared, off);
  await service.apply(workspace);
  routes = await documentedRoutes();
});
afterAll(() => service?.dispose());

/** Every operation of the reference with the example of its body, but those that would take the keys away. */
async function documentedRoutes(): Promise<Route[]> {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]*\}/g, 'web'),
      body: requestBody?.content['application/json']?.example,
    })),
  );
  return [...documented, { method: 'GET', path: '/web', body: undefined }];
}

/** The answer's status; undefined where the connection ended without one. */
function send({ method, path, headers, payload }: Sent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const request = http.request({ hostname, port, method, path, headers, agent: false }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode));
    });
    request.on('error', () => resolve(undefined));
    request.end(payload.length > 0 ? payload : undefined);
  });
}

const nested = fc.integer({ min: 1, max: 20_000 }).map((levels) => '['.repeat(levels) + ']'.repeat(levels));
const wide = fc.integer({ min: 1, max: 400_000 }).map((n) => `[${'{},'.repeat(n)}{}]`);
const odd = fc.constantFrom('null', '0', '-1', '1e999', 'true', '""', '"\\u0000"', '"\\ud800"', '[]', '{}', '[[]]');
const long = fc.integer({ min: 1, max: 300_000 }).map((n) => JSON.stringify('x'.repeat(n)));
const value = fc.oneof(odd, fc.json(), nested, wide, long);

/** A JSON text in which one value of the body, chosen by a number, is another. */
function replaceOne(body: unknown, at: number, by: string): string {
  const mark = '@@here@@';
  let left = at;
  const put = (one: unknown): unknown => {
    if (left-- === 0) return mark;
    if (Array.isArray(one)) return one.map(put);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, put(part)]));
  };
  return JSON.stringify(put(body)).replace(`"${mark}"`, () => by);
}

const parameter = fc.oneof(
  fc.constantFrom(
    'c=web',
    'tid=1',
    'page=0',
    'limit=1e9',
    'from=2026-13-01',
    'utm_source=%ff',
    '%',
    '&&',
    '__proto__=1',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }).map(encodeURIComponent),
  fc.tuple(fc.constantFrom('utm_a', 'c', '%ff%', 'x'), fc.integer({ min: 1, max: 20_000 })).map(([name, n]) =>
    Array.from({ length: n }, (_, i) => `${name}${i}=1`)
      .join('&')
      .slice(0, 120_000),
  ),
);
const header = fc.constantFrom<Record<string, string>>(
  {},
  { 'Content-Encoding': 'br' },
  { 'Content-Encoding': 'nonsense' },
  { 'Content-Type': 'text/csv' },
  { 'Content-Type': 'multipart/form-data; boundary=x' },
  { 'X-Forwarded-For': `${'1.1.1.1,'.repeat(5_000)}[` },
  { 'User-Agent': '('.repeat(50_000) },
  { 'Accept-Encoding': ','.repeat(20_000) },
  { 'If-None-Match': '"'.repeat(20_000) },
  { Cookie: ';'.repeat(20_000) },
  { Expect: 'nothing' },
);
const host = fc.oneof(
  { weight: 5, arbitrary: fc.constant('localhost') },
  { weight: 4, arbitrary: fc.constantFrom('', '[', '[::1', DOMAIN, `${DOMAIN}.`, `${DOMAIN}:x`, 'x'.repeat(10_000)) },
);
const keys = fc.constantFrom<Record<string, string>>(
  KEYS,
  KEYS,
  KEYS,
  {},
  { 'service-key': 'wrong', authorization: 'Bearer x' },
);

const request = fc
  .record({
    route: fc.nat().map((n) => routes[n % routes.length] as Route),
    at: fc.nat({ max: 40 }),
    by: value,
    parameters: fc.oneof(fc.constant([]), fc.array(parameter, { maxLength: 3 })),
    header,
    host,
    keys,
    gzip: fc.boolean(),
    cut: fc.nat({ max: 9 }).map((n) => n === 0),
  })
  .map(({ route, at, by, parameters, header: more, host: name, keys: given, gzip, cut }): Sent => {
    const text = route.body === undefined ? '' : replaceOne(route.body, at, by);
    const plain = Buffer.from(cut ? text.slice(0, -1) : text);
    const payload = gzip && plain.length > 0 ? gzipSync(plain) : plain;
    const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
    const headers = {
      Host: name,
      ...given,
      ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
      ...more,
      ...(payload.length > 0 ? { 'Content-Length': String(payload.length) } : {}),
    };
    return { ...route, path: route.path + query, headers, payload };
  });

test(
  'whatever is sent: no internal error, no good event lost, the event loop is not held, the service is healthy',
  async () => {
    const good: string[] = [];
    const giveUp = Date.now() + MS;
    const collect = async () => {
      const event: Json = appEvent('open', { app_id: 'com.fuzz' });
      const response = await service.request('/collect/v1/app', {
        method: 'POST',
        headers: { 'app-key': KEYS['app-key'] },
        body: JSON.stringify({ events: [event] }),
      });
      expect(response.status).toBe(202);
      good.push(event.event_id as string);
    };
    const statuses = new Set<number | undefined>();
    const held = await heldFor(service, () =>
      fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 16 }), async (requests) => {
          // What was begun in time is enough.
          if (Date.now() > giveUp) return;
          const [answers] = await Promise.all([Promise.all(requests.map(send)), collect()]);
          for (const status of answers) {
            statuses.add(status);
            if (status === 500) throw new Error('An internal error');
          }
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      ),
    );
    expect((await service.request('/healthz')).status).toBe(200);
    // The mutations reach all kinds of answers.
    for (const status of [200, 202, 302, 400, 401, 404, 413, 431]) expect(statuses).toContain(status);
    expect(held).toBeLessThan(HELD_MS);
    const stored = await service.rows<{ event_id: string }>(
      `SELECT DISTINCT event_id FROM adtrail.app_events WHERE event_id IN (${good.map((id) => `'${id}'`).join()})`,
    );
    expect(stored.map((row) => row.event_id).sort()).toEqual(good.sort());
    expect(service.output()).not.toMatch(/A request failed/);
  },
  MS + 30_000,
);

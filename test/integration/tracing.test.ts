/** Spans, as a collector of OpenTelemetry gets them (docs/configuration.md, Traces). */
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent } from '../support/collect-client';
import { ownNames } from '../support/own-names';
import { ADMIN_TOKEN, eventually, type RunningService } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number };
}
interface Sent {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: { readonly spans: Span[] }[];
  }[];
}

/** A collector that keeps what it is sent; with `answers` false it takes connections and says nothing. */
async function startCollector(answers = true) {
  const bodies: { path: string; type: string | undefined; body: Buffer }[] = [];
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      bodies.push({ path: req.url ?? '', type: req.headers['content-type'], body: Buffer.concat(chunks) });
      if (answers) res.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sent = () => bodies.map(({ body }) => JSON.parse(body.toString()) as Sent);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    sent,
    spans: () => sent().flatMap(({ resourceSpans }) => resourceSpans.flatMap((one) => one.scopeSpans[0]?.spans ?? [])),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const own = ownNames('tracing');
const DOMAIN = own('go.acme.example');
const SERVER_KEY = own('server-key');
const workspace = own.document({
  accounts: [{ name: 'Acme' }],
  partners: [{ name: 'Ads', tokens: ['partner-token'] }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      website: 'https://acme.example/',
      server_keys: ['server-key'],
      app_keys: ['app-key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.tracing.shop' }],
      domains: [{ name: 'go.acme.example' }],
      partner_switches: [{ partner: 'Ads', s2s_clicks: true }],
      campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Ads' }],
    },
  ],
});
const FAST = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
const GAID = '2c1f3f50-9e0a-4d7e-8a3b-6f0a1b2c3d4e';

const shared = sharedService();
let collector: Awaited<ReturnType<typeof startCollector>>;
let service: RunningService;
beforeAll(async () => {
  collector = await startCollector();
  service = await startBeside(shared, { ...FAST, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await service.apply(workspace);
});
afterAll(async () => {
  await service?.dispose();
  await collector?.close();
});

const valueOf = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value && Object.values(value)[0];
};
const ofRequest = (id: string) => collector.spans().find((span) => valueOf(span, 'adtrail.request_id') === id);
const spanOf = (id: string) => eventually(`the span of ${id}`, () => Promise.resolve(ofRequest(id)));
const below = ({ spanId }: Span) => collector.spans().filter((span) => span.parentSpanId === spanId);

/** One request with its ID and further headers, whatever it answers. */
function ask(at: string, id: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(service.url + at, { method, headers: { ...headers, 'X-Request-Id': id } }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode as number));
    });
    request.on('error', reject).end(body);
  });
}
const CLICK = `/v1/click/com.tracing.shop?c=spring&tid=secret-tid&gaid=${GAID}`;

test.each([
  ['a route with a parameter', 'GET /admin/v1/projects/:id/readers', 404, '/admin/v1/projects/424242/readers', {}],
  ['a click', 'GET /v1/click/:app_id', 200, CLICK, { 'X-Service-Token': own('partner-token') }],
  ['a link', 'GET /:link', 302, '/spring?s2=secret-place', { Host: DOMAIN }],
  ['a path that nothing answers', 'GET', 404, '/no/secret-path', {}],
])('%s is named by its route', async (what, name, status, at, headers) => {
  const id = `name-${what.replaceAll(' ', '-')}`;
  const authorization = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const got = await ask(at, id, { ...authorization, ...headers });
  const span = await spanOf(id);
  const told = Number(valueOf(span, 'http.response.status_code'));
  expect([got, span.name, told, span.kind]).toEqual([status, name, status, 2]);
  expect(valueOf(span, 'http.route')).toBe(name === 'GET' ? undefined : name.slice(4));
});

test('what a request asks of the engines is below it, by the names of files', async () => {
  const body = JSON.stringify({ metrics: ['installs'], from: '2026-03-01', to: '2026-03-02', source: 'app' });
  const headers = { 'service-key': SERVER_KEY, 'Content-Type': 'application/json' };
  // Just after the start an answer may be 503.
  const attempts = [1, 2, 3, 4, 5, 6, 7, 8].map((one) => `query-${one}`);
  let id = '';
  for (const attempt of attempts) {
    id = attempt;
    if ((await ask('/api/v1/reporting/query', id, headers, 'POST', body)) !== 503) break;
    await sleep(1_000);
  }
  const request = await spanOf(id);
  expect(Number(valueOf(request, 'http.response.status_code'))).toBe(200);
  expect(request.name).toBe('POST /api/v1/reporting/query');
  const report = await eventually('the report', () =>
    Promise.resolve(below(request).find(({ name }) => name === 'report query')),
  );
  expect(below(request).map(({ name }) => name)).toContain('postgresql query.project');
  expect(below(report).map(({ name }) => name)).toEqual([expect.stringMatching(/^clickhouse query\./)]);
  expect(new Set([report, ...below(report)].map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
});

test('a trace that a caller has begun goes on', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await ask('/healthz', 'sampled', { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  expect(await spanOf('sampled')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  // Its caller has decided that it is not recorded.
  await ask('/healthz', 'dropped', { traceparent: '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
  await ask('/healthz', 'wrong', { traceparent: 'no trace' });
  expect((await spanOf('wrong')).parentSpanId ?? '').toBe('');
  expect(ofRequest('dropped')).toBeUndefined();
});

test('workers have spans of their own: decisions, drains and the rest', async () => {
  const event = appEvent('install', { app_id: 'com.tracing.shop', device: { gaid: GAID } });
  const headers = { 'service-key': SERVER_KEY, 'Content-Type': 'application/json' };
  expect(await ask('/collect/v1/app', 'install-1', headers, 'POST', JSON.stringify({ events: [event] }))).toBe(202);
  const named = (name: string) =>
    eventually(name, () => Promise.resolve(collector.spans().find((span) => span.name === name)), 20_000);
  for (const name of ['drain app_events', 'housekeeping']) expect((await named(name)).parentSpanId ?? '').toBe('');
  const run = await eventually('a run', () =>
    Promise.resolve(collector.spans().find((span) => span.name.startsWith('materialize ') && below(span).length > 0)),
  );
  expect(below(run).every(({ traceId }) => traceId === run.traceId)).toBe(true);
});

test('the resource has the name of the service', () => {
  const [sent] = collector.sent();
  const names = sent?.resourceSpans[0]?.resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
  expect(names).toEqual(expect.arrayContaining([['service.name', 'adtrail']]));
});

test('no span has a token, a key, a parameter, an address or the ID of a device', () => {
  const everything = JSON.stringify(collector.sent());
  expect(collector.spans().length).toBeGreaterThan(20);
  const secrets = [ADMIN_TOKEN, SERVER_KEY, own('partner-token'), own('app-key'), GAID, 'secret-', '127.0.0.1', DOMAIN];
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  const keys = new Set(collector.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].filter((key) => !/^(http\.|db\.|adtrail\.|error\.type$|server\.address$)/.test(key))).toEqual([]);
});

describe('other services', () => {
  const begin = (env: NodeJS.ProcessEnv) => startBeside(shared, { ...FAST, ROLES: 's2s', ...env });
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  test('lines of the log name the trace of their request', async () => {
    const other = await begin({ ROLES: 'api', LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const traceId = '2af7651916cd43dd8448eb211c80319c';
    const init = {
      method: 'POST',
      headers: {
        'service-key': SERVER_KEY,
        'Content-Type': 'application/json',
        'X-Request-Id': 'log-1',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ metrics: ['installs'], from: '2026-03-01', to: '2026-03-02', source: 'app' }),
    };
    await eventually('an answer', async () =>
      (await other.request('/api/v1/reporting/query', init)).status === 503 ? undefined : true,
    );
    const line = await eventually('the line', () =>
      Promise.resolve(
        other
          .output()
          .split('\n')
          .find((one) => one.includes('The report query took')),
      ),
    );
    expect(JSON.parse(line)).toMatchObject({ requestId: 'log-1', traceId });
    await other.dispose();
  });

  test('protobuf is what is sent by default, under the name of OTEL_SERVICE_NAME, by several workers too', async () => {
    const own = await startCollector();
    const other = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_SERVICE_NAME: 'trail-of-acme',
      WORKERS: '2',
    });
    await fetch(`${other.url}/healthz`, { headers: { 'X-Request-Id': 'protobuf-1' } });
    await eventually('its span', () =>
      Promise.resolve(own.bodies.find(({ body }) => body.includes('protobuf-1')) ? true : undefined),
    );
    const found = own.bodies.find(({ body }) => body.includes('protobuf-1'));
    expect([found?.path, found?.type, found?.body.includes('trail-of-acme')]).toEqual([
      '/v1/traces',
      'application/x-protobuf',
      true,
    ]);
    await other.dispose();
    await own.close();
  });

  test('a stop sends what is recorded', async () => {
    const own = await startCollector();
    const other = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await fetch(`${other.url}/healthz`, { headers: { 'X-Request-Id': 'last-1' } });
    expect(own.bodies).toEqual([]);
    expect(await other.stop()).toBe(0);
    expect(own.bodies.some(({ body }) => body.includes('last-1'))).toBe(true);
    await other.dispose();
    await own.close();
  });

  test.each(['hangs', 'is away'])(
    'a collector that %s slows nothing, and delays no exit',
    async (how) => {
      const hanging = await startCollector(false);
      const port = await new Promise<number>((resolve) => {
        const free = net.createServer().listen(0, '127.0.0.1', () => {
          const { port: of } = free.address() as AddressInfo;
          free.close(() => resolve(of));
        });
      });
      const endpoint = how === 'hangs' ? hanging.url : `http://127.0.0.1:${port}`;
      const other = await begin({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '1000' });
      const times: number[] = [];
      for (let i = 0; i < 50; i += 1) times.push(await timed(async () => (await fetch(`${other.url}/healthz`)).text()));
      expect(times.sort((a, b) => a - b)[25]).toBeLessThan(200);
      if (how === 'is away')
        await eventually(
          'the log says so',
          () => Promise.resolve(other.output().includes('Spans do not arrive') ? true : undefined),
          20_000,
        );
      expect(await timed(async () => expect(await other.stop()).toBe(0))).toBeLessThan(6_000);
      await other.dispose();
      await hanging.close();
    },
    60_000,
  );

  test('without an endpoint, or where the SDK is disabled, nothing of it is loaded', async () => {
    const own = await startCollector();
    for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_SDK_DISABLED: 'true' }]) {
      const other = await begin(env);
      await fetch(`${other.url}/healthz`);
      await other.stop();
      expect(own.bodies).toEqual([]);
      await other.dispose();
    }
    await own.close();
  });
});

/**
 * What one process tells of itself: whether it is ready, its metrics, what the doctor finds, and spans as a collector
 * of OpenTelemetry gets them (docs/contract/running.md; docs/configuration.md, Traces).
 */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { appEvent, post } from '../../support/collect/collect-client';
import { adtrail } from '../../support/operations/command';
import { readStatuses, times } from '../../support/http/limits';
import { ownNames } from '../../support/workspace/own-names';
import { expressions, namesIn } from '../../support/operations/promql';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';

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

/** A collector that keeps what it is sent; told to hang, it takes connections and says nothing. */
async function startCollector() {
  let answers = true;
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
    hang: () => void (answers = false),
    spans: () => sent().flatMap(({ resourceSpans }) => resourceSpans.flatMap((one) => one.scopeSpans[0]?.spans ?? [])),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const own = ownNames('monitoring');
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
      apps: [{ platform: 'ANDROID', app_id: 'com.monitoring.shop' }],
      domains: [{ name: 'go.acme.example' }],
      partner_switches: [{ partner: 'Ads', s2s_clicks: true }],
      campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Ads' }],
    },
  ],
});
const SERVER = { 'service-key': SERVER_KEY, 'Content-Type': 'application/json' };
const APP = { 'app-key': own('app-key'), 'Content-Type': 'application/json' };
const AUTHORIZED = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const GAID = '2c1f3f50-9e0a-4d7e-8a3b-6f0a1b2c3d4e';

const shared = sharedService();
let collector: Awaited<ReturnType<typeof startCollector>>;
let service: RunningService;
beforeAll(async () => {
  collector = await startCollector();
  service = await startBeside(shared, {
    ROLES: 'api,s2s,links,collect,attribution',
    // Others reach it.
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://adtrail.example',
    LOG_LEVEL: 'debug',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  await service.apply(workspace);
});
afterAll(async () => {
  await service?.dispose();
  await collector?.close();
});

const readValue = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value && Object.values(value)[0];
};
const ofRequest = (id: string) => collector.spans().find((span) => readValue(span, 'adtrail.request_id') === id);
const findSpan = (id: string) => eventually(`the span of ${id}`, () => Promise.resolve(ofRequest(id)));
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
const CLICK = `/v1/click/com.monitoring.shop?c=spring&tid=secret-tid&gaid=${GAID}`;

test.each([
  ['a route with a parameter', 'GET /admin/v1/projects/:id/readers', 404, '/admin/v1/projects/424242/readers', {}],
  ['a click', 'GET /v1/click/:app_id', 200, CLICK, { 'X-Service-Token': own('partner-token') }],
  ['a link', 'GET /:link', 302, '/spring?s2=secret-place', { Host: DOMAIN }],
  ['a path that nothing answers', 'GET', 404, '/no/secret-path', {}],
])('%s is named by its route', async (what, name, status, at, headers) => {
  const id = `name-${what.replaceAll(' ', '-')}`;
  const got = await ask(at, id, { ...AUTHORIZED, ...headers });
  const span = await findSpan(id);
  const told = Number(readValue(span, 'http.response.status_code'));
  expect([got, span.name, told, span.kind]).toEqual([status, name, status, 2]);
  expect(readValue(span, 'http.route')).toBe(name === 'GET' ? undefined : name.slice(4));
});

/** The status of a question, asked again while the answer is 503, as it may be just after the start. */
async function questionIs(
  id: string,
  more = '',
  headers: Record<string, string> = {},
  to = '2026-03-02',
): Promise<number> {
  const body = JSON.stringify({ metrics: ['installs'], from: '2026-03-01', to, source: 'app' });
  return eventually('an answer', async () => {
    const status = await ask(`/api/v1/reporting/query${more}`, id, { ...SERVER, ...headers }, 'POST', body);
    return status === 503 ? undefined : status;
  });
}

test('what a request asks of the engines is below it, by the names of files, and the log names its trace', async () => {
  const traceId = '2af7651916cd43dd8448eb211c80319c';
  expect(await questionIs('query', '', { traceparent: `00-${traceId}-b7ad6b7169203331-01` })).toBe(200);
  const answered = () =>
    collector
      .spans()
      .find(
        (span) =>
          readValue(span, 'adtrail.request_id') === 'query' && readValue(span, 'http.response.status_code') === 200,
      );
  const request = await eventually('the span', answered);
  expect([request.name, request.traceId]).toEqual(['POST /api/v1/reporting/query', traceId]);
  const report = await eventually('the report', () => below(request).find(({ name }) => name === 'report query'));
  expect(below(request).map(({ name }) => name)).toContain('postgresql query.project');
  expect(below(report).map(({ name }) => name)).toEqual(['clickhouse query']);
  expect(new Set([report, ...below(report)].map((span) => span.traceId))).toEqual(new Set([traceId]));
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; requestId?: string })
      .filter(({ requestId }) => requestId !== undefined);
  await eventually('the log has its line', () => (lines().length > 0 ? true : undefined));
  // What the service does by itself goes on after the request that woke it, and is not of it.
  for (const line of lines())
    expect(line).toMatchObject({
      requestId: 'query',
      traceId,
      msg: expect.stringMatching(/^The report query took/) as string,
    });
});

test('a trace that a caller has begun goes on', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await ask('/healthz', 'sampled', { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  expect(await findSpan('sampled')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  // Its caller has decided that it is not recorded.
  await ask('/healthz', 'dropped', { traceparent: '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
  await ask('/healthz', 'wrong', { traceparent: 'no trace' });
  expect((await findSpan('wrong')).parentSpanId ?? '').toBe('');
  expect(ofRequest('dropped')).toBeUndefined();
});

test('workers have spans of their own: decisions, drains and the rest', async () => {
  const event = appEvent('install', { app_id: 'com.monitoring.shop', device: { gaid: GAID } });
  expect(await ask('/collect/v1/app', 'install-1', SERVER, 'POST', JSON.stringify({ events: [event] }))).toBe(202);
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
  // Where a message goes is told; this process delivers those of other suites too.
  const isDestination = (part: unknown) => (part as { key?: unknown } | null)?.key === 'server.address';
  const everything = JSON.stringify(collector.sent(), (_, part: unknown) => (isDestination(part) ? null : part));
  const withOne = collector.spans().filter(({ attributes }) => attributes.some(isDestination));
  expect(withOne.filter(({ name }) => name !== 'deliver message')).toEqual([]);
  expect(collector.spans().length).toBeGreaterThan(20);
  const secrets = [ADMIN_TOKEN, SERVER_KEY, own('partner-token'), own('app-key'), GAID, 'secret-', '127.0.0.1', DOMAIN];
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  const keys = new Set(collector.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].filter((key) => !/^(http\.|db\.|adtrail\.|error\.type$|server\.address$)/.test(key))).toEqual([]);
});

describe('readiness', () => {
  // What each role needs: test/unit/operations/readiness.test.ts.
  test('details are for the admin token, where others reach the service', async () => {
    const readChecks = async (headers: Record<string, string>) =>
      ((await (await service.request('/readyz', { headers })).json()) as { checks: object }).checks;
    const [fine, number] = [{ required: true, ok: true }, expect.any(Number) as number];
    for (const headers of [{}, { Authorization: 'Bearer wrong' }] as Record<string, string>[])
      expect(await readChecks(headers)).toEqual(
        expect.objectContaining({ disk: fine, configuration: fine, postgres: fine, clickhouse: fine, writes: fine }),
      );
    expect(await readChecks(AUTHORIZED)).toMatchObject({
      disk: { ...fine, free_mb: number },
      configuration: { ...fine, age_seconds: number },
    });
  });

  test('it is asked hundreds of times without an event lost', async () => {
    let isAsked = true;
    const events = (async () => {
      const statuses = new Set<number>();
      while (isAsked) {
        const event = appEvent('open', { app_id: 'com.monitoring.shop' });
        const headers = { 'service-key': SERVER_KEY };
        statuses.add((await post(service, JSON.stringify({ events: [event] }), headers)).status);
      }
      return statuses;
    })();
    const answers = await readStatuses(times(300, () => service.request('/readyz')));
    isAsked = false;
    expect([answers, [...(await events)]]).toEqual([{ 200: 300 }, [202]]);
  });
});

describe('metrics', () => {
  /** What a service has no sample of while nothing goes wrong, nobody is told and nothing waits. */
  const OFTEN_EMPTY = [
    'adtrail_ingest_backlog_seconds',
    'adtrail_outbox_attempts_total',
    'adtrail_outbox_pending',
    'adtrail_outbox_oldest_seconds',
  ];
  const text = async () => (await service.request('/metrics', { headers: AUTHORIZED })).text();

  /** The labels that the samples of each series have; a metric without a sample has its name alone. */
  async function exported(): Promise<Map<string, Set<string>>> {
    const exposition = await text();
    const series = new Map<string, Set<string>>();
    for (const [, name, type] of exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        series.set(`${name}${end}`, new Set());
    for (const [, name, labels = ''] of exposition.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
      for (const [, label] of labels.matchAll(/(\w+)="/g)) series.get(name as string)?.add(label as string);
    return series;
  }
  const asked = [...expressions.alerts, ...expressions.panels];
  const unknown = async () => {
    const series = await exported();
    return asked.flatMap(([, expr]) => namesIn(expr).series).filter((name) => !series.has(name));
  };
  const missing = async () => {
    const series = await exported();
    return asked.flatMap(([name, expr]) => {
      const { series: of, labels } = namesIn(expr);
      const known = new Set(of.flatMap((one) => [...(series.get(one) ?? []), 'instance', 'job']));
      const isEmpty = of.some((one) => OFTEN_EMPTY.includes(one) && series.get(one)?.size === 0);
      return isEmpty ? [] : labels.filter((label) => !known.has(label)).map((label) => `${name}: ${label}`);
    });
  };

  test('durations of what was asked are there, by area, report and worker', async () => {
    const counted = [
      'adtrail_http_request_seconds_count{area="s2s",status="2xx"}',
      'adtrail_http_request_seconds_count{area="s2s",status="4xx"}',
      'adtrail_http_request_seconds_count{area="links",status="3xx"}',
      'adtrail_http_request_seconds_count{area="collect",status="2xx"}',
      'adtrail_link_requests_total{outcome="click"}',
      'adtrail_export_seconds_count{export="query",outcome="done"}',
      'adtrail_report_seconds_count{report="query",outcome="done"}',
    ];
    const numbers = async () => {
      const lines = (await text()).split('\n');
      return counted.map((name) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0));
    };
    const before = await numbers();
    expect(await ask(CLICK, 'counted-1', { 'X-Service-Token': own('partner-token') })).toBe(200);
    expect(await ask(CLICK, 'counted-2')).toBe(401);
    expect(await ask('/admin/v1/projects', 'counted-3', { Authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask('/spring', 'counted-4', { Host: DOMAIN })).toBe(302);
    const event = appEvent('install', { app_id: 'com.monitoring.shop', device: { gaid: GAID } });
    expect(await ask('/collect/v1/app', 'counted-5', APP, 'POST', JSON.stringify({ events: [event] }))).toBe(202);
    // Days that nobody has asked for: a kept answer is no report.
    expect(await questionIs('counted-6', '', {}, '2026-03-03')).toBe(200);
    expect(await questionIs('counted-7', '?format=csv')).toBe(200);
    const once = before.map((count) => count + 1);
    await eventually('all are counted', async () => ((await numbers()).join() === once.join() ? true : undefined));
    const lines = (await text()).split('\n');
    for (const sample of [
      // From 0 on, so that the first one is an increase.
      'adtrail_ingest_set_aside_total{table="clicks",what="row"} 0',
      'adtrail_ingest_set_aside_total{table="app_events",what="segment"} 0',
      'adtrail_link_clicks_lost_total 0',
      'adtrail_reports_running 0',
      'adtrail_reports_waiting 0',
      'adtrail_exports_running 0',
    ])
      expect(lines).toContain(sample);
    for (const worker of ['sweep', 'configuration-copy', 'audit-log-copy', 'erasure', 'quarantine-check', 'key-uses'])
      await eventually(worker, async () =>
        (await text()).includes(`adtrail_worker_success_seconds{worker="${worker}"}`) ? true : undefined,
      );
  });

  test('every series that an alert or a panel names is exported, with the labels by which it chooses', async () => {
    expect(await unknown()).toEqual([]);
    // The names say more than that it has not come.
    await eventually(
      'all workers have run',
      async () => ((await missing()).length === 0 ? true : undefined),
      30_000,
    ).catch(() => undefined);
    expect(await missing()).toEqual([]);
  });
});

describe('the doctor', () => {
  /** What the machine, and the suites that run beside this one, make of it is their own. */
  const OF_OTHERS = /^(?:(?:Disk|Clock|Ingest log|Quarantine|Parts) of |Derived|Decisions|Postbacks|Seal key)/;
  const command = () =>
    adtrail(['doctor'], { DATA_DIR: service.dataDir, PORT: new URL(service.url).port, CLICKHOUSE_PASSWORD });

  test('examines engines, clocks, disks, parts, the log and derived tables, for operators', async () => {
    expect((await service.request('/admin/v1/doctor')).status).toBe(401);
    const { status, body } = await service.admin('GET', '/doctor');
    expect(status).toBe(200);
    const findings = body.findings as { about: string; state: string }[];
    const names = findings.map(({ about }) => about.replace(/ of [0-9a-f-]{36} on .*/, ' of a process'));
    expect(names).toEqual(
      expect.arrayContaining([
        'adtrail',
        'PostgreSQL',
        'ClickHouse',
        'Clock of PostgreSQL',
        'Clock of ClickHouse',
        'Disk of DATA_DIR',
        'Disk of INGEST_LOG_DIR',
        'Parts of ClickHouse',
        'Ingest log of a process',
        'Decisions',
        'Postbacks',
      ]),
    );
    expect(findings.filter(({ about, state }) => state === 'critical' && !OF_OTHERS.test(about))).toEqual([]);
  });

  test('as a command says what is wrong and what to do, and fails', async () => {
    const rejected = path.join(service.dataDir, 'ingest', 'rejected');
    fs.mkdirSync(rejected, { recursive: true });
    fs.writeFileSync(path.join(rejected, 'a-row'), '{}\n');
    const { code, stdout } = await command();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {7}PostgreSQL: version \d/m);
    expect(stdout).toMatch(
      /^CRITICAL Ingest log: 1 files of rows that ClickHouse refuses\n {9}They are in "rejected"/m,
    );
    fs.rmSync(rejected, { recursive: true });
    expect((await command()).stdout).not.toContain('Ingest log: 1 files');
    const without = await adtrail(['doctor', '--url', 'http://127.0.0.1:1'], {});
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/^adtrail: No service answers at http:\/\/127\.0\.0\.1:1/);
  });
});

// What a stop sends, as protobuf, and of workers: ./workers.test.ts.
test('a collector that hangs or is away slows nothing, and delays no exit', async () => {
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const median = async () => {
    const answers: number[] = [];
    for (let i = 0; i < 30; i += 1)
      answers.push(await timed(async () => (await fetch(`${service.url}/healthz`)).text()));
    return answers.sort((a, b) => a - b)[15];
  };
  collector.hang();
  const taken = collector.bodies.length;
  expect(await median()).toBeLessThan(200);
  await eventually('it has spans', () => (collector.bodies.length > taken ? true : undefined));
  await collector.close();
  expect(await median()).toBeLessThan(200);
  await eventually('the log says so', () => (service.output().includes('Spans do not arrive') ? true : undefined));
  expect(await timed(async () => expect(await service.stop()).toBe(0))).toBeLessThan(6_000);
});

/** What alerts and dashboards ask for is what a service that has seen traffic exports (docs/operations.md). */
import { appEvent, post } from '../support/collect-client';
import { openLink } from '../support/links';
import { ownNames } from '../support/own-names';
import { expressions, namesIn } from '../support/promql';
import { ADMIN_TOKEN, eventually, type RunningService } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

const own = ownNames('metrics');
const SERVER_KEY = own('server-key');

/** What a service has no sample of while nothing goes wrong, nobody is told and nothing waits. */
const OFTEN_EMPTY = [
  'adtrail_ingest_backlog_seconds',
  'adtrail_outbox_attempts_total',
  'adtrail_outbox_pending',
  'adtrail_outbox_oldest_seconds',
];

const shared = sharedService();
let service: RunningService;
beforeAll(async () => {
  service = await startBeside(shared, {});
  await service.apply(
    own.document({
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
          apps: [{ platform: 'ANDROID', app_id: 'com.metrics.shop' }],
          domains: [{ name: 'go.acme.example' }],
          partner_switches: [{ partner: 'Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Ads' }],
        },
      ],
    }),
  );
  const token = { 'X-Service-Token': own('partner-token') };
  const gaid = '2c1f3f50-9e0a-4d7e-8a3b-6f0a1b2c3d4e';
  const click = `/v1/click/com.metrics.shop?c=spring&gaid=${gaid}&tid=`;
  expect((await service.request(`${click}1`, { headers: token })).status).toBe(200);
  expect((await service.request(`${click}2`)).status).toBe(401);
  const wrong = { Authorization: 'Bearer wrong' };
  expect((await service.request('/admin/v1/projects', { headers: wrong })).status).toBe(401);
  expect((await openLink(service, '/spring', { host: own('go.acme.example') })).status).toBe(302);
  const event = appEvent('install', { app_id: 'com.metrics.shop', device: { gaid } });
  expect((await post(service, JSON.stringify({ events: [event] }), { 'app-key': own('app-key') })).status).toBe(202);
  const body = JSON.stringify({ metrics: ['installs'], from: '2026-03-01', to: '2026-03-02', source: 'app' });
  const headers = { 'service-key': SERVER_KEY, 'Content-Type': 'application/json' };
  const ask = async (at: string) => {
    const { status } = await service.request(at, { method: 'POST', headers, body });
    return status === 503 ? undefined : status;
  };
  for (const at of ['/api/v1/reporting/query', '/api/v1/reporting/query?format=csv'])
    expect(await eventually('an answer', () => ask(at))).toBe(200);
});
afterAll(() => service?.dispose());

/** The labels that the samples of each series have; a metric without a sample has its name alone. */
async function exported(): Promise<Map<string, Set<string>>> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const text = await (await service.request('/metrics', { headers })).text();
  const series = new Map<string, Set<string>>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      series.set(`${name}${end}`, new Set());
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
    for (const [, label] of labels.matchAll(/(\w+)="/g)) series.get(name as string)?.add(label as string);
  return series;
}
const sampled = async () => {
  const series = await exported();
  const named = [...expressions.alerts, ...expressions.panels].flatMap(([, expr]) => namesIn(expr).series);
  const withLabels = [...expressions.alerts, ...expressions.panels].map(([name, expr]) => {
    const { series: of, labels } = namesIn(expr);
    const known = new Set(of.flatMap((one) => [...(series.get(one) ?? []), 'instance', 'job']));
    const isEmpty = of.some((one) => OFTEN_EMPTY.includes(one) && series.get(one)?.size === 0);
    return { name, missing: isEmpty ? [] : labels.filter((label) => !known.has(label)) };
  });
  return {
    unknown: named.filter((name) => !series.has(name)),
    missing: withLabels.filter(({ missing }) => missing.length > 0),
  };
};

test('every series that an alert or a panel names is exported', async () => {
  expect((await sampled()).unknown).toEqual([]);
});

test('and has the labels by which they choose and group, once there is traffic', async () => {
  await eventually(
    'all workers have run',
    async () => ((await sampled()).missing.length === 0 ? true : undefined),
    30_000,
  )
    // The names say more than that it has not come.
    .catch(() => undefined);
  expect((await sampled()).missing).toEqual([]);
});

test('durations of what was asked are there, by area, report and worker', async () => {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const metrics = () => service.request('/metrics', { headers }).then((response) => response.text());
  const text = await metrics();
  for (const sample of [
    'adtrail_http_request_seconds_count{area="s2s",status="2xx"} 1',
    'adtrail_http_request_seconds_count{area="s2s",status="4xx"} 1',
    'adtrail_http_request_seconds_count{area="links",status="3xx"} 1',
    'adtrail_http_request_seconds_count{area="collect",status="2xx"} 1',
    'adtrail_export_seconds_count{export="query",outcome="done"} 1',
    // From 0 on, so that the first one is an increase.
    'adtrail_ingest_set_aside_total{table="clicks",what="row"} 0',
    'adtrail_ingest_set_aside_total{table="app_events",what="segment"} 0',
    'adtrail_reports_running 0',
    'adtrail_reports_waiting 0',
    'adtrail_exports_running 0',
  ])
    expect(text.split('\n')).toContain(sample);
  expect(text).toMatch(/^adtrail_report_seconds_count\{report="query",outcome="done"\} 1$/m);
  for (const worker of ['sweep', 'configuration-copy', 'audit-log-copy', 'erasure', 'quarantine-check', 'key-uses'])
    await eventually(worker, async () =>
      (await metrics()).includes(`adtrail_worker_success_seconds{worker="${worker}"}`) ? true : undefined,
    );
});

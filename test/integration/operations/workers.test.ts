/**
 * Two workers are one service: what is changed is in force on both, they count together, a tid that reaches both is one
 * click, and their spans are sent when they stop. How workers live and die is in
 * test/resilience/operations/lifecycle-workers.scenario.ts.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { DESKTOP, openLink } from '../../support/links/links';
import { click, readCount, expectOnlyLimited, limitedWorkspace, readStatuses, times } from '../../support/http/limits';
import { ownNames } from '../../support/workspace/own-names';
import { eventually, within, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';

const LONG = '90000s';
const own = ownNames('workers');
const shared = sharedService();
let service: RunningService;
const spans: { path: string | undefined; type: string | undefined; body: Buffer }[] = [];
const collector = http.createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    spans.push({ path: req.url, type: req.headers['content-type'], body: Buffer.concat(chunks) });
    res.end();
  });
});
// Connections that stay open are spread over the workers.
const agents = times(8, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  service = await startBeside(shared, {
    WORKERS: '2',
    TRUST_PROXY: '1',
    LIMIT_S2S_CAMPAIGN: `100/${LONG}`,
    LIMIT_DATA: `10/${LONG}`,
    LIMIT_IP: `30/${LONG}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    // Sent only when the process stops.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100000',
    OTEL_SERVICE_NAME: 'trail-of-acme',
  });
  // It is ready with the first worker.
  await eventually('both workers listen', () => (service.output().includes('Listening on') ? true : undefined));
  await service.apply(limitedWorkspace(own));
  await eventually(
    'the shared service knows the key, too',
    async () =>
      (await shared.request('/api/v1/campaigns', { headers: { 'service-key': own('key-1') } })).ok || undefined,
  );
});
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await service?.dispose();
  collector.close();
});

const from = (address: string) => ({ 'X-Forwarded-For': address });
const openAll = (path: string) =>
  Promise.all(agents.map((agent) => openLink(service, path, { host: own('go.limited.example'), ua: DESKTOP, agent })));
const list = (key: string, address: string) =>
  service.request('/api/v1/campaigns', { headers: { 'service-key': own(key), ...from(address) } });
/** Requests in turns of ten: where the machine is too busy to count them together each worker counts for itself. */
async function inTurns(count: number, ask: (i: number) => Promise<{ status: number }>) {
  const statuses: Record<number, number> = {};
  for (let i = 0; i < count; i += 10)
    for (const [status, n] of Object.entries(await readStatuses(times(10, (j) => ask(i + j)))))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + n;
  return statuses;
}

test('an edit is in force on both', async () => {
  // Several times: the poll that stands behind the notifications runs every 5 s and could not keep up.
  for (let i = 0; i < 4; i++) {
    const response = await shared.request('/api/v1/campaigns/limited-0', {
      method: 'PATCH',
      headers: { 'service-key': own('key-1') },
      body: JSON.stringify({ website: `https://acme.example/both${i}` }),
    });
    expect(response.status).toBe(200);
    const wanted = `https://acme.example/both${i}?utm_id=limited-0`;
    await within(
      `both lead to ${wanted}`,
      async () => ((await openAll('/limited-0')).every(({ location }) => location === wanted) ? true : undefined),
      4_000,
    );
  }
});

test('a tid that reaches both is one click', async () => {
  const tid = own('both');
  for (let round = 0; round < 3; round++) await openAll(`/limited-1?tid=${tid}`);
  const stored = await eventually('the click is stored', async () => {
    const rows = await service.rows(`SELECT 1 FROM analytics.clicks WHERE tid = '${tid}'`);
    return rows.length > 0 ? rows : undefined;
  });
  expect(stored).toHaveLength(1);
});

test('clicks of a campaign are counted together, nearly', async () => {
  const answers = (await Promise.all(times(300, () => click(service, own, 'limited-2')))).flat();
  expectOnlyLimited(answers, 90_000);
  expect(readCount(answers).accepted).toBeGreaterThanOrEqual(90);
  expect(readCount(answers).accepted).toBeLessThanOrEqual(110);
});

test('requests of a key, and of a source address over all endpoints, are counted together exactly', async () => {
  expect(await inTurns(40, (i) => list('key-1', `203.0.113.${i}`))).toEqual({ 200: 10, 429: 30 });
  const address = '198.51.100.9';
  const { 429: refused, ...others } = await inTurns(60, (i) =>
    i % 2 ? service.request('/api/v1/nothing', { headers: from(address) }) : list('wrong', address),
  );
  expect(refused).toBe(30);
  expect(Object.keys(others)).toEqual(['401', '404']);
});

test('a stop sends what is recorded, as protobuf by default, under OTEL_SERVICE_NAME', async () => {
  for (let i = 0; i < 8; i++)
    await Promise.all(
      agents.map((agent) => openLink(service, '/limited-0', { host: own('go.limited.example'), agent })),
    );
  expect(spans).toEqual([]);
  for (const agent of agents) agent.destroy();
  expect(await service.stop()).toBe(0);
  const found = spans.filter(({ body }) => body.includes('GET /:link'));
  // At least one from each worker.
  expect(found.length).toBeGreaterThanOrEqual(2);
  for (const { path, type, body } of found)
    expect([path, type, body.includes('trail-of-acme')]).toEqual(['/v1/traces', 'application/x-protobuf', true]);
});

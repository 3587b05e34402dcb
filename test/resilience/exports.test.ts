/** Files that take long: slow callers, callers that go, an engine that dies under them (docs/contract.md, Exports). */
import http from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/query';
import { idByName } from '../support/s2s-client';
import { eventually, startService, type RunningService } from '../support/service';

/** So many that no buffer on the way holds the file. */
const CLICKS = 600_000;
const KEY = 'key-of-exports';
const FILE = '/api/v1/export/clicks?from=2025-06-01&to=2025-06-01&format=csv';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ LIMIT_IP: 'off' });
  await service.apply({
    accounts: [{ name: 'Exports' }],
    partners: [{ name: 'Mobi Ads', tokens: ['token-of-exports'] }],
    projects: [
      {
        name: 'Exports',
        account: 'Exports',
        timezone: 'UTC',
        server_keys: [KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.exports' }],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'exported', name: 'Exported', partner: 'Mobi Ads' }],
      },
    ],
  });
  const project = await idByName(service, 'projects', 'Exports');
  await service.clickhouse.command({
    query: `
      INSERT INTO adtrail.clicks
        (project_id, bucket, campaign_id, click_id, click_time, received_at, kind, tid, version)
      SELECT ${project}, '2025-06-01', 1, generateUUIDv4(), '2025-06-01 10:00:00', '2025-06-01 10:00:00', 's2s',
        toString(number), 1
      FROM numbers(${CLICKS})`,
  });
}, 180_000);
afterAll(() => service.dispose());

/** A request whose answer is not read until the caller does. */
async function open(): Promise<http.IncomingMessage> {
  const request = http.get(`${service.url}${FILE}`, { headers: { 'service-key': KEY }, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return response;
}

/** How many bytes came, and whether the file was whole. */
async function rest(response: http.IncomingMessage): Promise<{ lines: number; whole: boolean }> {
  let lines = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>)
      for (const byte of chunk) if (byte === 0x0a) lines += 1;
  } catch {
    return { lines, whole: false };
  }
  return { lines, whole: response.complete };
}

test('callers who read slowly or go away hold up nobody; one too many is told to come again', async () => {
  const slow = await Promise.all([open(), open(), open(), open()]);
  expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const fifth = await open();
  expect({ status: fifth.statusCode, retry: fifth.headers['retry-after'] }).toEqual({ status: 503, retry: '10' });
  fifth.resume();

  const started = performance.now();
  const answer = await ask(service, KEY, { source: 'app', metrics: ['clicks'], from: '2025-06-01', to: '2025-06-01' });
  expect(answer.status).toBe(200);
  const click = await service.request('/v1/click/com.exports?c=exported&tid=beside-exports&ip=203.0.113.9', {
    headers: { 'X-Service-Token': 'token-of-exports' },
  });
  expect(click.status).toBe(200);
  expect(performance.now() - started).toBeLessThan(20_000);

  for (const response of slow.slice(0, 3)) response.destroy();
  // The one that stays gets all of its file.
  expect(await rest(slow[3])).toEqual({ lines: CLICKS + 1, whole: true });
  const next = await eventually('their places are free again', async () => {
    const all = await Promise.all([open(), open(), open(), open()]);
    for (const response of all) response.destroy();
    return all.every(({ statusCode }) => statusCode === 200) ? true : undefined;
  });
  expect(next).toBe(true);
}, 360_000);

test('an engine that dies under a file: the file is cut off, and there again soon after', async () => {
  const response = await eventually('a file', async () => {
    const one = await open();
    if (one.statusCode === 200) return one;
    one.resume();
    return undefined;
  });
  await sleep(200);
  for (const pid of service.enginePids().clickhouse) process.kill(pid, 'SIGKILL');
  const cut = await rest(response);
  expect(cut.whole).toBe(false);
  expect(cut.lines).toBeLessThan(CLICKS);
  const again = await eventually(
    'the whole file',
    async () => {
      const one = await open();
      const result = await rest(one);
      return one.statusCode === 200 ? result : undefined;
    },
    60_000,
  );
  expect(again).toEqual({ lines: CLICKS + 1, whole: true });
}, 360_000);

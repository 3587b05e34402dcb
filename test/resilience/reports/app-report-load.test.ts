/**
 * Large reports and files on one service: what a report may take of time and memory and no more, inside ClickHouse too,
 * several at once while ingest goes on, slow callers of files, callers that go, and an engine that dies under them
 * (docs/contract/exports.md).
 */
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectClickHouse, type ClickHouse } from '../../../src/db/clickhouse';
import type { QueryBudget } from '../../../src/reporting/query-budget';
import { ReportRunner } from '../../../src/reporting/report-runner';
import { NO_TRACING } from '../../../src/tracing/tracing';
import { report } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../../support/service';

const KEY = 'server-key';
const ROWS = 300_000;
/** So many that no buffer on the way holds the file. */
const CLICKS = 600_000;
const FILE = '/api/v1/export/clicks?from=2025-06-01&to=2025-06-01&format=csv';
const env = { LIMIT_REPORTING: 'off', LIMIT_IP: 'off' };

let service: RunningService;
let clickhouse: ClickHouse;
beforeAll(async () => {
  service = await startService(env);
  await service.apply({
    accounts: [{ name: 'A' }],
    partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
    projects: [
      {
        name: 'P',
        account: 'A',
        timezone: 'UTC',
        server_keys: [KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.p' }],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'c1', name: 'One', partner: 'Mobi Ads' }],
      },
    ],
  });
  const projectId = await idByName(service, 'projects', 'P');
  const { campaigns } = (await service.admin('GET', `/projects/${projectId}/campaigns`)).body as {
    campaigns: { id: number; display_id: string }[];
  };
  await service.clickhouse.command({
    query: `
    INSERT INTO adtrail.journeys (project_id, report_view, campaign_id, root_install, conversion_id, kind, install_id,
      platform, start_time, start_day, event_days, event_names, event_users, version)
    SELECT ${projectId}, 1, ${campaigns.find((one) => one.display_id === 'c1')?.id}, generateUUIDv4(number),
      toUUID('00000000-0000-0000-0000-000000000000'), 1, toString(number), 'ANDROID', now64(3), today(),
      [today(), today()], ['level', 'level'], [number, number + 1], 1 FROM numbers(${ROWS})`,
  });
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.event_names (project_id, kind, name) VALUES (${projectId}, 1, 'level')`,
  });
  await service.clickhouse.command({
    query: `
      INSERT INTO adtrail.clicks
        (project_id, bucket, campaign_id, click_id, click_time, received_at, kind, tid, version)
      SELECT ${projectId}, '2025-06-01', 1, generateUUIDv4(), '2025-06-01 10:00:00', '2025-06-01 10:00:00', 's2s',
        toString(number), 1
      FROM numbers(${CLICKS})`,
  });
  clickhouse = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
}, 360_000);
afterAll(async () => {
  await clickhouse?.close();
  await service?.dispose();
});

test('four large reports at once are all answered, and no click is lost meanwhile', async () => {
  const reports = Array.from({ length: 4 }, () => report(service, KEY, { unique_user_events: 'level' }));
  let clicking = true;
  const clicks: number[] = [];
  const ingest = (async () => {
    const send = async (tid: string) =>
      (
        await service.request(`/v1/click/com.p?c=c1&tid=${tid}&gaid=38400000-8cf0-11bd-b23e-10b96e40000d`, {
          headers: { 'X-Service-Token': 'token' },
        })
      ).status;
    for (let i = 0; clicking; i++) {
      let status = await send(`load-${i}`);
      // What a machine that is too slow refuses is sent again, as partners do.
      while (status === 503) status = await send(`load-${i}`);
      clicks.push(status);
    }
  })();
  for (const answer of await Promise.all(reports)) {
    expect(answer.status).toBe(200);
    const row = answer.campaigns.find((one) => one.display_id === 'c1');
    expect(row).toMatchObject({
      installs: ROWS.toLocaleString('en-US'),
      custom_events: { level: { count: (ROWS + 1).toLocaleString('en-US') } },
      active_users: 0,
    });
  }
  clicking = false;
  await ingest;
  expect(new Set(clicks)).toEqual(new Set([200]));
  const [stored] = await service.rows<{ n: number }>(
    "SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE tid LIKE 'load-%'",
  );
  expect(stored?.n).toBe(clicks.length);
}, 360_000);

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
  const click = await service.request('/v1/click/com.p?c=c1&tid=beside-exports&ip=203.0.113.9', {
    headers: { 'X-Service-Token': 'token' },
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

test('a service whose reports may take less memory refuses one, and it ends inside ClickHouse too', async () => {
  await service.stop();
  await service.restart({ ...env, REPORT_MEMORY_MB: '8' });
  const answer = await report(service, KEY, { unique_user_events: 'level' });
  expect({ status: answer.status, msg: answer.body.msg }).toEqual({
    status: 503,
    msg: 'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
  });
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(
    await service.rows(
      `SELECT query
       FROM system.processes
       WHERE query LIKE '%adtrail.journeys%' AND query NOT LIKE '%system.processes%' AND query NOT LIKE '%INSERT%'`,
    ),
  ).toEqual([]);
}, 360_000);

/** Takes hours. */
const ENDLESS = 'SELECT count() AS n FROM numbers(1000000000000000) WHERE sipHash64(number) = 1';
const tooBig = {
  status: 503,
  message:
    'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
  headers: { 'Retry-After': '60' },
};

const logged: string[] = [];
const log = { debug: (text: string) => void logged.push(text) };
const readReports = (seconds: number) =>
  new ReportRunner(clickhouse, { seconds, bytes: 200_000_000, threads: 2 }, log, () => undefined, NO_TRACING);
const statement = (text: string, name = 'a statement') => ({ name, text });
test('a report over its time is refused, ends inside ClickHouse too, and the next one runs', async () => {
  const reports = readReports(1);
  const first = reports.compute('one', (budget) => budget.rows(statement(ENDLESS, 'endless'), {}));
  // There are places for two, so that it does not wait.
  const second = reports.compute('one', (budget) => budget.rows(statement('SELECT 1 AS one'), {}));
  expect(await second).toEqual([{ one: 1 }]);
  await expect(first).rejects.toMatchObject(tooBig);
  expect(
    await service.rows(
      `SELECT query
       FROM system.processes
       WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%system.processes%'`,
    ),
  ).toEqual([]);
  // Why a report is slow is in the log, of one that was refused too.
  expect(logged).toEqual([
    expect.stringMatching(/^The report [a-z-]+ took \d+ ms: a statement \d+ ms$/),
    expect.stringMatching(/^The report [a-z-]+ took \d+ ms: endless \d{3,} ms$/),
  ]);
}, 180_000);

test('the time is that of all its queries together', async () => {
  const asked: number[] = [];
  const many = async (budget: QueryBudget) => {
    for (let i = 0; i < 1000; i++) {
      await budget.rows(statement('SELECT sleep(0.3) AS slept'), {});
      asked.push(i);
    }
  };
  await expect(readReports(1).compute('one', many)).rejects.toMatchObject(tooBig);
  expect(asked.length).toBeLessThan(10);
}, 180_000);

test('a report over its memory is refused', async () => {
  await expect(
    readReports(30).compute('one', (budget) =>
      budget.rows(statement('SELECT uniqExact(number) AS n FROM numbers(100000000)'), {}),
    ),
  ).rejects.toMatchObject(tooBig);
}, 180_000);

test('where too many wait, the next is refused at once', async () => {
  const reports = readReports(30);
  const answers = await Promise.allSettled(
    Array.from({ length: 40 }, () => reports.compute('one', (budget) => budget.rows(statement('SELECT 1 AS one'), {}))),
  );
  const told = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(told.length).toBeGreaterThan(0);
  expect(answers.length - told.length).toBeGreaterThanOrEqual(20);
  for (const reason of told)
    expect(reason).toMatchObject({
      status: 503,
      message: 'Too many reports are being computed. Please try again later.',
      headers: { 'Retry-After': '10' },
    });
});

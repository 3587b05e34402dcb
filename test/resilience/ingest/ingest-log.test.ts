/**
 * The ingest log over HTTP and on the disk: what is accepted is in ClickHouse soon and once, whatever the log has gone
 * through (docs/contract/ingest-log.md).
 */
import { execFile, execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Postgres } from '../../../src/db/postgres';
import { Processes } from '../../../src/ingest/processes';
import { createLog } from '../../../src/lib/log';
import { DAY_MS } from '../../../src/lib/time';
import { appEvent, collectApp, SERVER_KEY } from '../../support/collect/collect-client';
import { clickRow, leaveSegment, leftSegments, logFolder } from '../../support/ingest/ingest-log';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, readChildren, eventually, root, startService, type RunningService } from '../../support/service';
import { collect, report, reportData } from '../../support/collect/web';
import { GAID, TOKEN, workspaceWithServerKey } from '../../support/workspace/workspace';

/** As an operator starts it, with a short grace. */
const DEFAULTS = { ACCEPT_AFTER: 'log', FSYNC: 'true', INGEST_GRACE: '3', LIMIT_REPORTING: 'off' };
let service: RunningService;
let ids: { project: number; campaign: number };

const send = (tid: string, more = '') =>
  service.request(`/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}${more}`, {
    headers: { 'X-Service-Token': TOKEN },
  });
const clicks = (tid: string) =>
  service.rows<{ s2: string; day: string }>(
    `SELECT s2, toString(bucket) AS day FROM analytics.clicks WHERE tid = '${tid}'`,
  );
const storedClicks = (tid: string, n = 1) =>
  eventually(`${n} clicks ${tid} are stored`, async () => {
    const rows = await clicks(tid);
    return rows.length === n ? rows : undefined;
  });
const metrics = async () =>
  (await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })).text();
const stopClickHouse = () => {
  const [pid] = service.enginePids().clickhouse as [number];
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
};
const today = () => new Date().toISOString().slice(0, 10);
const yesterday = () => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  service = await startService(DEFAULTS);
  const { projects, ...others } = workspaceWithServerKey(SERVER_KEY);
  await service.apply({ ...others, projects: projects.map((one) => ({ ...one, web_campaigns: true })) });
  await send('first');
  await storedClicks('first');
  const [row] = await service.rows<{ project: number; campaign: number }>(
    "SELECT project_id AS project, campaign_id AS campaign FROM adtrail.clicks WHERE tid = 'first'",
  );
  ids = row as typeof ids;
});
afterAll(() => service?.dispose());

test('a click by itself is stored soon, its segment goes, and its retry changes nothing', async () => {
  expect((await send('alone', '&s2=first')).status).toBe(200);
  await storedClicks('alone');
  expect((await send('alone', '&s2=second')).status).toBe(200);
  await eventually('no segment is left', () => (leftSegments(service).length === 0 ? true : undefined));
  expect(await clicks('alone')).toEqual([{ s2: 'first', day: today() }]);
});

describe('ClickHouse is away', () => {
  test('ingest goes on, and says so; what came before an install decides it', async () => {
    const gaid = crypto.randomUUID();
    const goOn = stopClickHouse();
    try {
      for (let i = 0; i < 20; i++) expect((await send(`away-${i}`)).status).toBe(200);
      expect((await send('away-touch', `&gaid=${gaid}`)).status).toBe(200);
      const touch = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=away-of-install&gaid=${gaid}`, {
        headers: { 'X-Service-Token': TOKEN },
      });
      expect(touch.status).toBe(200);
      expect((await collectApp(service, [appEvent('install', { install_id: 'away', gaid })])).status).toBe(202);
      const text = await metrics();
      expect(text).toMatch(/^adtrail_ingest_backlog_records\{table="clicks"\} (2[0-9])$/m);
      expect(text).toMatch(/^adtrail_ingest_backlog_records\{table="app_events"\} 1$/m);
      expect(leftSegments(service).length).toBeGreaterThan(0);
    } finally {
      goOn();
    }
    const install = await eventually('the install is decided', async () => {
      const [row] = await service.rows("SELECT rule, campaign_id FROM analytics.installs WHERE install_id = 'away'");
      return row;
    });
    expect(install).toMatchObject({ campaign_id: ids.campaign });
    expect(
      await service.rows(
        "SELECT uniqExact(tid) AS n, count() AS rows FROM analytics.clicks WHERE startsWith(tid, 'away-')",
      ),
    ).toEqual([{ n: 22, rows: 22 }]);
  });

  test('a process that only takes records is ready all the same, and says how each engine is', async () => {
    await service.stop();
    await service.restart({ ...DEFAULTS, ROLES: 's2s,links,collect' });
    const goOn = stopClickHouse();
    try {
      const ready = await eventually('it is seen', async () => {
        const answer = (await (await fetch(`${service.url}/readyz`)).json()) as { engines: { clickhouse: boolean } };
        return answer.engines.clickhouse ? undefined : answer;
      });
      expect(ready).toMatchObject({
        status: 'ready',
        engines: { postgres: true, clickhouse: false },
        checks: { clickhouse: { required: false, ok: false }, writes: { required: true, ok: true } },
      });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      const click = await fetch(`${service.url}/v1/click/com.acme.shop?c=AbC123&tid=ready&gaid=${GAID}`, {
        headers: { 'X-Service-Token': TOKEN },
      });
      expect(click.status).toBe(200);
    } finally {
      goOn();
    }
    await storedClicks('ready');
  });

  test('with ACCEPT_AFTER=clickhouse a request waits for it, and is refused after three seconds', async () => {
    await service.stop();
    await service.restart({ ...DEFAULTS, ACCEPT_AFTER: 'clickhouse' });
    const goOn = stopClickHouse();
    try {
      const answer = await send('waits');
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    } finally {
      goOn();
    }
    await storedClicks('waits');
    expect((await send('waits')).status).toBe(200);
    expect(await clicks('waits')).toHaveLength(1);
    await service.stop();
    await service.restart();
  });
});

describe('what a process has left', () => {
  test('is stored by the next one: with the day of its receipt, and before what came later', async () => {
    await service.stop();
    const at = Date.now() - DAY_MS;
    leaveSegment(service, [clickRow(ids, { tid: 'yesterday', s2: 'first', at })]);
    await service.restart();
    expect(await storedClicks('yesterday')).toEqual([{ s2: 'first', day: yesterday() }]);
    expect((await send('yesterday', '&s2=second')).status).toBe(200);
    await sleep(1_500);
    expect(await clicks('yesterday')).toEqual([{ s2: 'first', day: yesterday() }]);
    await eventually('no folder is left', () => (fs.readdirSync(logFolder(service)).length === 2 ? true : undefined));
  });

  test('is the first write although its retry was stored before it', async () => {
    expect((await send('overtaken', '&s2=retry')).status).toBe(200);
    expect(await storedClicks('overtaken')).toEqual([{ s2: 'retry', day: today() }]);
    // A process that is gone has left the first; the one that lives takes it over.
    leaveSegment(service, [clickRow(ids, { tid: 'overtaken', s2: 'first', at: Date.now() - DAY_MS })]);
    await eventually('the first counts', async () => {
      const rows = await clicks('overtaken');
      return rows.length === 1 && rows[0]?.s2 === 'first' ? rows : undefined;
    });
    expect((await send('overtaken', '&s2=again')).status).toBe(200);
    await sleep(1_500);
    expect(await clicks('overtaken')).toEqual([{ s2: 'first', day: yesterday() }]);
  });

  test('counts once although it was stored already: the process died before its segment went', async () => {
    const at = Date.now() - 1_000;
    const rows = Array.from({ length: 50 }, (_, i) => clickRow(ids, { tid: `twice-${i}`, at }));
    const count = () =>
      service.rows("SELECT count() AS n, uniqExact(tid) AS tids FROM analytics.clicks WHERE startsWith(tid, 'twice-')");
    const inReports = async () =>
      (await service.rows<{ n: number }>('SELECT sum(arraySum(clicks)) AS n FROM adtrail.daily_clicks FINAL'))[0]?.n;
    leaveSegment(service, rows);
    await eventually('stored', async () => (String((await count())[0]?.n) === '50' ? true : undefined));
    const all = Number((await service.rows<{ n: number }>('SELECT count() AS n FROM analytics.clicks'))[0]?.n);
    await eventually('in reports', async () => (Number(await inReports()) === all ? true : undefined));
    const again = leaveSegment(service, rows);
    await eventually('stored again', () => (fs.existsSync(again) ? undefined : true));
    expect(await count()).toEqual([{ n: 50, tids: 50 }]);
    await sleep(2_500);
    expect(Number(await inReports())).toBe(all);
  });

  test('a row without its end was never acknowledged, and a file without a first line holds nothing', async () => {
    const at = Date.now();
    const whole = leaveSegment(
      service,
      [clickRow(ids, { tid: 'torn-1', at }), clickRow(ids, { tid: 'torn-2', at })],
      (bytes) => bytes.subarray(0, bytes.length - 10),
    );
    const empty = leaveSegment(service, [], (bytes) => bytes.subarray(0, 20));
    await eventually('both are gone', () => (fs.existsSync(whole) || fs.existsSync(empty) ? undefined : true));
    expect(await clicks('torn-1')).toHaveLength(1);
    expect(await clicks('torn-2')).toHaveLength(0);
  });

  test('that cannot be read, or that ClickHouse refuses, is set aside: the others go on', async () => {
    const at = Date.now();
    const damaged = leaveSegment(service, [clickRow(ids, { tid: 'rot', at })], (bytes) => {
      bytes[3] = 0;
      return bytes;
    });
    const good = Array.from({ length: 30 }, (_, i) => clickRow(ids, { tid: `beside-${i}`, at }));
    const bad = clickRow(ids, { tid: 'refused', at, gaid: 'no-uuid' });
    const noId = bad.replace(/^\["[^"]*"/, '["nothing"');
    leaveSegment(service, [...good.slice(0, 10), bad, ...good.slice(10, 20), noId, ...good.slice(20)]);
    await eventually('the others are stored', async () => {
      const [row] = await service.rows<{ n: number }>(
        "SELECT count() AS n FROM analytics.clicks WHERE startsWith(tid, 'beside-')",
      );
      return Number(row?.n) === 30 ? true : undefined;
    });
    const folder = path.join(logFolder(service), 'rejected');
    const files = await eventually('both are set aside', () => {
      const names = fs.readdirSync(folder);
      return names.length === 2 ? names : undefined;
    });
    const [rows, segment] = files.sort((a, b) => a.length - b.length) as [string, string];
    expect(segment).toContain(path.basename(path.dirname(damaged)));
    const kept = fs
      .readFileSync(path.join(folder, rows), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { reason: string; row: string });
    expect(kept.map(({ row }) => row).sort()).toEqual([bad, noId].sort());
    expect(service.output()).toContain('Set aside from the ingest log');
    const text = await metrics();
    expect(text).toMatch(/^adtrail_ingest_set_aside_total\{table="clicks",what="row"\} 2$/m);
    expect(text).toMatch(/^adtrail_ingest_set_aside_total\{table="clicks",what="segment"\} 1$/m);
  });
});

describe('processes', () => {
  const strange = crypto.randomUUID();
  let postgres: Postgres;
  beforeAll(() => (postgres = readPostgres(service)));
  afterAll(() => postgres.close());
  const tell = (receivedUpTo: string, publishedAt = 'now()') =>
    postgres.rows(`INSERT INTO ingest_processes (name, host, received_up_to, published_at, backlog)
      VALUES ('${strange}', 'elsewhere', ${receivedUpTo}, ${publishedAt}, '[]')
      ON CONFLICT (name) DO UPDATE SET received_up_to = excluded.received_up_to, published_at = excluded.published_at`);
  const decided = async (install: string) =>
    (await service.rows(`SELECT rule FROM analytics.installs WHERE install_id = '${install}'`)).length;
  const status = async (...args: string[]) =>
    (
      await promisify(execFile)(
        process.execPath,
        [path.join(root, 'dist', 'cli.js'), 'ingest', ...args, '--url', service.url],
        { env: { ...process.env, ADMIN_TOKEN } },
      )
    ).stdout;

  test('an install waits for every process that is alive, and for others no longer than their grace', async () => {
    await tell("now() - interval '1 minute'", "now() + interval '4 seconds'");
    await collectApp(service, [appEvent('install', { install_id: 'waits' })]);
    await sleep(4_000);
    expect(await decided('waits')).toBe(0);
    expect((await service.request('/readyz')).status).toBe(200);
    await eventually('it is decided', async () => ((await decided('waits')) === 1 ? true : undefined));
  });

  test('a web report has all that was accepted before it, or says up to when it is complete', async () => {
    const visit = { type: 'page_view', visitor_id: 'v', session_id: 's', url: 'https://acme.example/?utm_id=AbC123' };
    for (let i = 1; i <= 3; i++) {
      const event = { ...visit, event_id: `visit-${i}`, time: new Date().toISOString() };
      expect((await collect(service, { 'service-key': SERVER_KEY }, [event])).status).toBe(202);
      expect((await reportData(service, SERVER_KEY)).totals).toMatchObject({ page_views: i });
    }
    await tell("'2026-01-02T03:04:05.678Z'");
    expect(await report(service, SERVER_KEY)).toMatchObject({
      status: 503,
      body: { msg: 'Reports are complete up to 2026-01-02T03:04:05.678Z only. Please try again.', status: 503 },
    });
    await postgres.rows(`DELETE FROM ingest_processes WHERE name = '${strange}'`);
    expect((await report(service, SERVER_KEY)).status).toBe(200);
  });

  test('`adtrail ingest status` and the API say how far each is; one left behind can be forgotten', async () => {
    await tell("now() - interval '1 hour'", "now() - interval '1 hour'");
    const text = await status('status');
    expect(text).toMatch(new RegExp(`^${strange} on elsewhere, left behind since`, 'm'));
    expect(text).toMatch(/^ {2}nothing waits$/m);
    const { body } = await service.admin('GET', '/ingest');
    const [alive] = (body.processes as { name: string; state: string }[]).filter(({ name }) => name !== strange);
    expect(alive).toMatchObject({ state: 'alive' });
    expect((await service.admin('DELETE', `/ingest/${alive?.name}`)).status).toBe(409);
    expect((await service.admin('DELETE', '/ingest/nobody')).status).toBe(404);
    expect(await status('forget', strange)).toBe('forgotten\n');
    expect((await service.admin('GET', '/ingest')).body.processes).toHaveLength(1);
    expect((await service.admin('DELETE', `/ingest/${strange}`)).status).toBe(404);
  });

  test('a second service on the same folder of the log says so and ends', async () => {
    const child = promisify(execFile)(process.execPath, [path.join(root, 'dist', 'cli.js'), 'serve'], {
      env: {
        ...process.env,
        DATA_DIR: path.join(service.dataDir, '..', 'other'),
        INGEST_LOG_DIR: logFolder(service),
        PORT: '0',
        CLICKHOUSE_HTTP_PORT: '0',
      },
    });
    await expect(child).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^adtrail: Another adtrail already runs on .*INGEST_LOG_DIR/) as string,
    });
  });

  test('a clean stop leaves nothing, neither on the disk nor in the list', async () => {
    await send('last');
    await service.stop();
    expect(leftSegments(service)).toEqual([]);
    await service.restart();
    expect(await clicks('last')).toHaveLength(1);
    expect((await service.admin('GET', '/ingest')).body.processes).toHaveLength(1);
  });
});

test('a process that has stopped is not listed again while parts of it still look at the others', async () => {
  const postgres = readPostgres(service);
  const name = crypto.randomUUID();
  const ingestLog = {
    name,
    watermark: Date.now,
    backlog: () => [],
    drainNow: () => undefined,
    lastStoredAt: 0,
  };
  const processes = new Processes({ postgres, ingestLog, graceSeconds: 300, log: createLog('silent'), now: Date.now });
  const listed = async () =>
    (await postgres.rows<{ name: string }>('SELECT name FROM ingest_processes')).map((row) => row.name);
  await processes.start();
  expect(await listed()).toContain(name);
  let isAsked = true;
  const asking = (async () => {
    for (; isAsked; await sleep(1)) await Promise.all([processes.settled(), processes.settledByAll()]);
  })();
  await processes.stop(true);
  expect(await processes.settled()).toBeGreaterThan(0);
  isAsked = false;
  await asking;
  expect(await listed()).not.toContain(name);
  await postgres.close();
});

test('the log of a worker that dies is stored by one that lives', async () => {
  await service.stop();
  await service.restart({ ...DEFAULTS, WORKERS: '2' });
  const goOn = stopClickHouse();
  const tids = Array.from({ length: 40 }, (_, i) => `worker-${i}`);
  try {
    // A connection of its own for each, so that both workers get some.
    for (const tid of tids) {
      const answer = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}`, {
        headers: { 'X-Service-Token': TOKEN, Connection: 'close' },
      });
      expect(answer.status).toBe(200);
    }
    const [worker] = readChildren(service.child.pid as number, 'cli.js');
    process.kill(worker as number, 'SIGKILL');
  } finally {
    goOn();
  }
  await eventually('all are stored', async () => {
    const [row] = await service.rows<{ n: number }>(
      "SELECT count() AS n FROM analytics.clicks WHERE startsWith(tid, 'worker-')",
    );
    return Number(row?.n) === tids.length ? true : undefined;
  });
  await eventually('two processes are listed', async () => {
    const { processes } = (await service.admin('GET', '/ingest')).body as { processes: unknown[] };
    return processes.length === 2 ? true : undefined;
  });
});

describe('room', () => {
  afterEach(async () => {
    await service.stop();
    await service.restart(DEFAULTS);
  });

  test('beyond INGEST_LOG_MAX_MB requests are refused, nothing is lost, and it goes on by itself', async () => {
    await service.stop();
    await service.restart({ ...DEFAULTS, INGEST_LOG_MAX_MB: '1' });
    const goOn = stopClickHouse();
    const accepted: string[] = [];
    const refused: number[] = [];
    try {
      const long = 'x'.repeat(250);
      await Promise.all(
        Array.from({ length: 16 }, async (_, worker) => {
          for (let i = 0; i < 200 && refused.length < 20; i++) {
            const answer = await send(`room-${worker}-${i}`, `&s2=${long}&s3=${long}&s4=${long}&ua=${long}`);
            if (answer.status === 200) accepted.push(`room-${worker}-${i}`);
            else refused.push(answer.status);
          }
        }),
      );
    } finally {
      goOn();
    }
    expect(new Set(refused)).toEqual(new Set([503]));
    expect(accepted.length).toBeGreaterThan(500);
    await eventually('it goes on', async () => ((await send('room-after')).status === 200 ? true : undefined));
    await eventually('everything is stored', async () => {
      const rows = await service.rows<{ tid: string }>(
        "SELECT tid FROM analytics.clicks WHERE startsWith(tid, 'room-')",
      );
      const tids = new Set(rows.map(({ tid }) => tid));
      expect(rows).toHaveLength(tids.size);
      return accepted.every((tid) => tids.has(tid)) ? true : undefined;
    });
  });

  const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-test-'));
  const noMount = tryMount(disk);
  afterAll(() => {
    if (!noMount) execFileSync('umount', ['-l', disk]);
    fs.rmSync(disk, { recursive: true, force: true });
  });
  const onSmallDisk = noMount ? test.skip : test;

  onSmallDisk(`on a full disk requests are refused, and it goes on when there is room${noMount}`, async () => {
    await service.stop();
    await service.restart({ ...DEFAULTS, INGEST_LOG_DIR: disk });
    // Ballast that leaves little room, as something else on the disk would.
    const { bavail, bsize } = fs.statfsSync(disk);
    fs.writeFileSync(path.join(disk, 'ballast'), Buffer.alloc((bavail - 2) * bsize));
    const goOn = stopClickHouse();
    const accepted: string[] = [];
    let refusals = 0;
    try {
      for (let i = 0; i < 200 && refusals < 5; i++) {
        const answer = await send(`disk-${i}`, `&s2=${'x'.repeat(250)}`);
        if (answer.status === 200) accepted.push(`disk-${i}`);
        else {
          expect(answer.status).toBe(503);
          refusals += 1;
        }
      }
      expect(refusals).toBe(5);
      fs.rmSync(path.join(disk, 'ballast'));
      await eventually('it goes on', async () => ((await send('disk-after')).status === 200 ? true : undefined));
    } finally {
      goOn();
    }
    await eventually('everything is stored', async () => {
      const rows = await service.rows<{ tid: string }>(
        "SELECT tid FROM analytics.clicks WHERE startsWith(tid, 'disk-')",
      );
      const tids = new Set(rows.map(({ tid }) => tid));
      expect(rows).toHaveLength(tids.size);
      return [...accepted, 'disk-after'].every((tid) => tids.has(tid)) ? true : undefined;
    });
  });
});

/** Makes a folder a disk of its own, of 4 MB; answers why that is not possible, as part of a test's name. */
function tryMount(folder: string): string {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' });
    return '';
  } catch (error) {
    return ` (skipped: no file system can be mounted here: ${(error as Error).message.split('\n')[1] ?? ''})`;
  }
}

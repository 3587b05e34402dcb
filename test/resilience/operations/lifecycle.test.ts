/**
 * From start to end of a process: health, secrets of its own, SIGTERM, SIGKILL, one process a folder. A configuration
 * that is refused is in test/unit/operations/startup.test.ts.
 */
import { spawn, type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  cleanEnvironment,
  eventually,
  freePort,
  root,
  startService,
  temporaryFolder,
  type RunningService,
  within,
} from '../../support/service';
import { readPostgres, postgresUrl } from '../../support/postgres';
import { copyPreparedFolder } from '../../support/prepared-folder';
import { seeded, some } from '../../support/soak';
import { TOKEN, workspace } from '../../support/workspace/workspace';

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code once the process and its output have ended. */
  readonly ended: Promise<number | null>;
}

const children: ChildProcess[] = [];
// A process that did not end by itself failed its test; it must not outlive it.
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Runs the command line interface, through the command `by` where one is given. */
function run(args: string[], env: NodeJS.ProcessEnv, by: readonly string[] = []): Run {
  const [command, ...rest] = [...by, process.execPath, path.join(root, 'dist', 'cli.js'), ...args] as [string];
  const child = spawn(command, rest, {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** Process IDs of everything that runs on a folder: by command line, environment or working directory. */
function processesOn(folder: string): number[] {
  const mentions = (read: () => string) => {
    try {
      return read().includes(folder);
    } catch {
      return false;
    }
  };
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        mentions(() => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ||
        mentions(() => fs.readFileSync(`/proc/${pid}/environ`, 'utf8')) ||
        mentions(() => fs.readlinkSync(`/proc/${pid}/cwd`)),
    )
    .map(Number);
}

const noProcessOn = (folder: string) =>
  within(`nothing runs on ${folder}`, () => (processesOn(folder).length === 0 ? true : undefined), 20_000);

const clickPath = (tid: string) => `/v1/click/com.acme.shop?c=AbC123&tid=${tid}&ip=203.0.113.7`;
const headers = { 'X-Service-Token': TOKEN };

async function click(service: RunningService, tid: string): Promise<{ status: number; id: string | undefined }> {
  const response = await service.request(clickPath(tid), { headers });
  return { status: response.status, id: ((await response.json()) as { click_id?: string }).click_id };
}

const storedTids = async (service: RunningService, prefix: string) =>
  (await service.rows<{ tid: string }>(`SELECT tid FROM analytics.clicks WHERE startsWith(tid, '${prefix}')`))
    .map(({ tid }) => tid)
    .sort();

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('every wrong variable is named in one line, before anything is touched', async () => {
  const dataDir = path.join(folder, 'never-made');
  const { output, ended } = run(['serve'], { DATA_DIR: dataDir, PORT: 'x', WORKERS: 'y' });
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^adtrail: PORT takes[^\n]*\nWORKERS takes[^\n]*\n$/);
  expect(fs.existsSync(dataDir)).toBe(false);
});

test('a port that is taken is named in one line, and nothing stays behind', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as net.AddressInfo;
  const start = async (name: string) => {
    const dataDir = path.join(folder, `taken-${name}`);
    copyPreparedFolder(dataDir);
    const ports = { PORT: String(await freePort()), CLICKHOUSE_HTTP_PORT: String(await freePort()) };
    const { output, ended } = run(['serve'], { DATA_DIR: dataDir, ADMIN_TOKEN, ...ports, [name]: String(port) });
    expect([name, await ended]).toEqual([name, 1]);
    expect(output()).toMatch(new RegExp(`adtrail: .*${port}`));
    expect(output()).not.toMatch(/\n\s+at /);
    await noProcessOn(dataDir);
  };
  await Promise.all([start('PORT'), start('CLICKHOUSE_HTTP_PORT')]);
  taken.close();
});

describe('a running service', () => {
  let service: RunningService;
  beforeAll(async () => {
    // An answer waits for ClickHouse, which on a busy machine may take longer than the three seconds it usually has.
    service = await startService({ CLICKHOUSE_NICE: '10', ACCEPT_TIMEOUT_MS: '60000' });
    await service.apply(workspace);
  });
  // Whatever became of the test before: the next one finds a running service.
  beforeEach(async () => {
    if (service.child.exitCode === null && service.child.signalCode === null) return;
    await noProcessOn(service.dataDir);
    await service.restart();
  });
  afterAll(() => service?.dispose());

  test('ClickHouse leaves the cores to whoever waits for an answer', () => {
    const [engine] = service.enginePids().clickhouse as [number];
    expect([os.getPriority(engine), os.getPriority(service.child.pid)]).toEqual([10, os.getPriority()]);
    const group = `/proc/${engine}/autogroup`;
    // Kernels without it have none.
    if (fs.existsSync(group)) expect(fs.readFileSync(group, 'utf8')).toMatch(/nice 10$/m);
  });

  test('/healthz and /readyz say how it is, to anybody', async () => {
    const health = await service.request('/healthz');
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await service.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        engines: { postgres: true, clickhouse: true },
        checks: {
          postgres: { required: true, ok: true },
          clickhouse: { required: true, ok: true },
          configuration: { required: true, ok: true, age_seconds: expect.any(Number) as number },
          writes: { required: true, ok: true, last_seconds_ago: null },
          disk: { required: true, ok: true, free_mb: expect.any(Number) as number },
          workers: {
            required: false,
            warns: true,
            ok: true,
            slowest: expect.any(String) as string,
            seconds_behind: expect.any(Number) as number,
          },
          quarantine: { required: false, warns: true, ok: true, set_aside: 0 },
          ingest: { required: false, warns: true, ok: true, left_behind: '' },
          storage: { required: false, warns: true, ok: true, broken_parts: 0, tables: '' },
        },
      },
    ]);
  });

  test('/metrics is for the administrator only, in Prometheus’s text format, and counts', async () => {
    const anybody = await service.request('/metrics');
    expect([anybody.status, await anybody.json()]).toEqual([401, { status: 401, msg: expect.any(String) as string }]);
    expect((await service.request('/metrics', { headers: { Authorization: 'Bearer wrong-admin-token' } })).status).toBe(
      401,
    );
    await click(service, 'metrics-1');
    await service.request('/v1/click/com.acme.shop?c=AbC123', { headers });
    const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/) as string,
    ]);
    const text = await response.text();
    expect(text).toMatch(/^adtrail_s2s_requests_total\{endpoint="click",outcome="accepted"\} [1-9]/m);
    expect(text).toMatch(/^adtrail_s2s_requests_total\{endpoint="click",outcome="missing_tid"\} 1$/m);
    expect(text).toMatch(/^adtrail_rows_stored_total\{table="clicks"\} [1-9]/m);
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(|# (HELP|TYPE) \w+ .*|\w+(\{[^}]*\})? (-?[0-9.e+-]+|NaN|[+-]Inf))$/);
    for (const secret of [TOKEN, ADMIN_TOKEN, 'AbC123', '203.0.113.7']) expect(text).not.toContain(secret);
  });

  test('what can only be read is 405 JSON with Allow to other methods; an unknown path 404 JSON', async () => {
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
      for (const at of ['/healthz', '/readyz', '/metrics', '/v1/click/com.acme.shop']) {
        const response = await service.request(at, { method, headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
        const body = { status: 405, msg: expect.any(String) as string };
        expect([at, response.status, await response.json()]).toEqual([at, 405, body]);
        expect(response.headers.get('allow')).toContain('GET');
      }
      const unknown = await service.request('/no/such/path', { method });
      expect([unknown.status, await unknown.json()]).toEqual([404, { status: 404, msg: expect.any(String) as string }]);
    }
  });

  test('a second process on its folder says so and exits 1, and the first goes on undamaged', async () => {
    await click(service, 'second-before');
    const second = run(['serve'], {
      DATA_DIR: service.dataDir,
      PORT: String(await freePort()),
      CLICKHOUSE_HTTP_PORT: String(await freePort()),
      ADMIN_TOKEN,
    });
    const others = [second];
    // As from another container on the same folder: with a network and processes of its own.
    const apart = ['--user', '--map-root-user', '--net', '--pid', '--fork'];
    if (spawnSync('unshare', [...apart, 'true']).status === 0)
      others.push(run(['migrate'], { DATA_DIR: service.dataDir, ADMIN_TOKEN }, ['unshare', ...apart]));
    else console.warn('Not tried from another container: this system has no user namespaces.');
    for (const { ended, output } of others) {
      expect(await ended).toBe(1);
      expect(output()).toMatch(/^adtrail: Another adtrail already runs on .*DATA_DIR/m);
    }
    expect((await service.request('/readyz')).status).toBe(200);
    expect((await click(service, 'second-after')).status).toBe(200);
    expect(await storedTids(service, 'second-')).toEqual(['second-after', 'second-before']);
    await service.apply({ accounts: [{ name: 'Still changeable' }] });
  });

  test('SIGTERM while a process makes itself known to the others: nobody waits for it afterwards', async () => {
    const postgres = readPostgres(service);
    const known = async () =>
      (await postgres.rows<{ name: string }>('SELECT name FROM ingest_processes ORDER BY name')).map(
        ({ name }) => name,
      );
    const before = await known();
    const env = {
      DATABASE_URL: `${postgresUrl(service)}?application_name=beside`,
      CLICKHOUSE_URL: service.clickhouseUrl,
      CLICKHOUSE_PASSWORD,
      ADMIN_TOKEN,
      DATA_DIR: path.join(folder, 'beside'),
      PORT: '0',
    };
    const waiting = "SELECT FROM pg_stat_activity WHERE application_name = 'beside' AND wait_event_type = 'Lock'";
    const other = await postgres.tx(async (db) => {
      await db.rows('LOCK TABLE ingest_processes');
      const started = run(['serve'], env);
      await eventually('it waits for the lock', async () => (await postgres.rows(waiting)).length > 0 || undefined);
      started.child.kill('SIGTERM');
      return started;
    });
    expect(await other.ended).toBe(0);
    expect(await known()).toEqual(before);
    await postgres.close();
  });

  test('SIGTERM: stops accepting, answers what is in flight, and exits 0 as soon as that is done', async () => {
    // Nobody waits for an idle keep-alive connection, nor for half a request.
    const agent = new http.Agent({ keepAlive: true });
    await new Promise((resolve, reject) =>
      http
        .get(`${service.url}/healthz`, { agent }, (response) => response.resume().once('end', resolve))
        .once('error', reject),
    );
    const slow = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    // With ClickHouse stopped, requests are in flight for as long as the test likes.
    const [clickhouse] = service.enginePids().clickhouse as [number];
    process.kill(clickhouse, 'SIGSTOP');
    const answers: Promise<Answered>[] = [];
    let ended: Promise<number | null> | undefined;
    try {
      for (let i = 0; i < 8; i++) answers.push((await sendClick(service, `sigterm-${i}`)).answer);
      // They were sent before this one, and one thread reads them all.
      expect((await service.request('/healthz')).status).toBe(200);
      const started = performance.now();
      ended = service.stop();
      await eventually('no new connection is accepted', () => refusesConnections(service));
      process.kill(clickhouse, 'SIGCONT');
      for (const answer of await Promise.all(answers))
        expect(answer).toMatchObject({
          status: 200,
          body: expect.stringContaining('"accepted"') as string,
          connection: 'close',
        });
      expect(await ended).toBe(0);
      expect(performance.now() - started).toBeLessThan(10_000);
    } finally {
      if (processesOn(service.dataDir).includes(clickhouse)) process.kill(clickhouse, 'SIGCONT');
      await ended;
      slow.destroy();
      agent.destroy();
    }
    await noProcessOn(service.dataDir);
    await service.restart();
    expect(await storedTids(service, 'sigterm-')).toEqual(Array.from({ length: 8 }, (_, i) => `sigterm-${i}`));
  });

  test('SIGINT while ClickHouse hangs and stays so: exits 0 within 10 s, and no engine is left behind', async () => {
    const [clickhouse] = service.enginePids().clickhouse as [number];
    process.kill(clickhouse, 'SIGSTOP');
    const started = performance.now();
    const ended = once(service.child, 'exit');
    service.child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - started).toBeLessThan(10_000);
    await noProcessOn(service.dataDir);
    await service.restart();
    expect((await click(service, 'after-hanging')).status).toBe(200);
  });

  test('SIGKILL under load: ready again at once, every accepted record there once, no second engine', async () => {
    const accepted: string[] = [];
    let loading = true;
    const load = Array.from({ length: 8 }, async (_, worker) => {
      for (let i = 0; loading; i++) {
        const tid = `sigkill-${worker}-${i}`;
        const { status } = await click(service, tid).catch(() => ({ status: 0 }));
        if (status === 200) accepted.push(tid);
      }
    });
    try {
      await eventually('records are accepted', () => (accepted.length >= 300 ? true : undefined));
      await service.kill();
    } finally {
      loading = false;
      await Promise.all(load);
    }
    // Without waiting for the engines of the killed one to end.
    await service.restart();
    const stored = await storedTids(service, 'sigkill-');
    expect(new Set(stored).size).toBe(stored.length);
    expect(accepted.filter((tid) => !stored.includes(tid))).toEqual([]);
    expect((await click(service, 'after-sigkill')).status).toBe(200);
    await service.apply({ accounts: [{ name: 'After SIGKILL' }] });
    const { clickhouse, postgres } = service.enginePids();
    expect([clickhouse.length, postgres.length]).toEqual([1, 1]);
    await eventually('the engines of the killed process have ended', () =>
      processesOn(service.dataDir).filter((pid) => isEngineHost(pid)).length === 2 ? true : undefined,
    );
  });

  test('ClickHouse and soon after the service killed: a start waits for the engine that opens the folder', async () => {
    for (const milliseconds of some([50, 200, 400, 700], 1, seeded())) {
      const [clickhouse] = service.enginePids().clickhouse as [number];
      process.kill(clickhouse, 'SIGKILL');
      await sleep(milliseconds);
      await service.kill();
      await service.restart();
      expect((await click(service, `after-both-${milliseconds}`)).status).toBe(200);
      expect(service.enginePids().clickhouse).toHaveLength(1);
    }
  });

  test('SIGKILL: no engine is left behind; the folder deleted, it starts afresh, with new secrets', async () => {
    expect(processesOn(service.dataDir).length).toBeGreaterThanOrEqual(4);
    const read = (name: string) => {
      const file = path.join(service.dataDir, name);
      expect([name, (fs.statSync(file).mode & 0o777).toString(8)]).toEqual([name, '600']);
      return fs.readFileSync(file, 'utf8').trim();
    };
    const former = [read('postgres-password'), read('clickhouse-reader-password'), read('seal-key')];
    await service.kill();
    await noProcessOn(service.dataDir);
    fs.rmSync(service.dataDir, { recursive: true });

    const check = async () => {
      const [admin, clickhouse] = [read('admin-token'), read('clickhouse-password')];
      const accounts = (token: string) =>
        service.request('/admin/v1/accounts', { headers: { Authorization: `Bearer ${token}` } });
      expect(await (await accounts(admin)).json()).toEqual({ accounts: [] });
      expect((await accounts(ADMIN_TOKEN)).status).toBe(401);
      const query = (password: string) =>
        fetch(`${service.clickhouseUrl}/?query=SELECT+count()+FROM+analytics.clicks`, {
          headers: { Authorization: `Basic ${Buffer.from(`default:${password}`).toString('base64')}` },
        });
      const answer = await query(clickhouse);
      expect([answer.status, await answer.text()]).toEqual([200, '0\n']);
      const refused = await query('');
      expect([refused.status, refused.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516']);
      const own = [read('postgres-password'), read('clickhouse-reader-password'), read('seal-key')];
      for (const secret of [admin, clickhouse, ...own]) {
        expect(secret).toMatch(/^\S{20,}$/);
        expect(service.output()).not.toContain(secret);
        expect(former).not.toContain(secret);
      }
      return [admin, clickhouse, ...own];
    };
    await service.restart({ ADMIN_TOKEN: '', CLICKHOUSE_PASSWORD: '' });
    const first = await check();
    expect(await service.stop()).toBe(0);
    await service.restart({ ADMIN_TOKEN: '', CLICKHOUSE_PASSWORD: '' });
    expect(await check()).toEqual(first);
  });
});

test('SIGTERM while waiting for engines that do not answer: exits within 10 s', async () => {
  const dataDir = path.join(folder, 'waiting');
  const { child, ended } = run(['serve'], {
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/x',
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    PORT: '0',
  });
  // The first thing it does before it asks the engines.
  await eventually('it has made its admin token', () => fs.existsSync(path.join(dataDir, 'admin-token')) || undefined);
  const started = performance.now();
  child.kill('SIGTERM');
  const code = await ended;
  expect([code, performance.now() - started < 10_000]).toEqual([0, true]);
}, 270_000);

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly connection: string | undefined;
}

/** Sends a click on a connection of its own; resolves once the kernel has it, with a promise of the answer. */
async function sendClick(service: RunningService, tid: string): Promise<{ answer: Promise<Answered> }> {
  const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const answer = new Promise<Answered>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
      if (text.includes('\r\n\r\n') && body.length >= Number(header('content-length')))
        resolve({ status: Number(head.split(' ')[1]), body, connection: header('connection') });
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The connection was closed without an answer')));
  });
  // It may be rejected before anybody waits for it.
  answer.catch(() => undefined);
  await new Promise((written) =>
    socket.write(`GET ${clickPath(tid)} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-Token: ${TOKEN}\r\n\r\n`, written),
  );
  return { answer };
}

function refusesConnections(service: RunningService): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', () => resolve(true));
  });
}

function isEngineHost(pid: number): boolean {
  try {
    return /embedded\/(clickhouse|postgres)\/process/.test(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

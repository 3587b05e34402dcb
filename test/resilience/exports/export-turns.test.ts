/**
 * Exports whose ClickHouse or bucket does not answer, or answers something else a moment later: what is under way ends
 * with them (src/export/turns.ts), and only what is complete and of one moment is written.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { LOCKS, withLock } from '../../../src/db/advisory-lock';
import { addDays } from '../../../src/lib/time';
import type { Json } from '../../support/collect/collect-client';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, freePort, startService, temporaryFolder, type RunningService } from '../../support/service';
import { startBeside } from '../../support/shared-service';

const KEY = 'key-of-export-turns';
const DAY = addDays(new Date().toISOString().slice(0, 10), -1);
/** Five times as many are compared at once. */
const PART_ROWS = 4;
/** A day of clicks is compared by it before it is written. */
const STATEMENT = /fingerprint/;

const GAID = '38400000-8cf0-11bd-b23e-10b96e4000aa';
const folder = temporaryFolder();

let engines: RunningService;
let postgres: ReturnType<typeof readPostgres>;
let project: number;
let service: RunningService;
let silent: http.Server;
let proxy: http.Server;
/** What is asked, and nobody answers. */
const unanswered: { readonly url: string; isClosed: boolean }[] = [];
const hold = (request: http.IncomingMessage) => {
  const one = { url: request.url ?? '', isClosed: false };
  unanswered.push(one);
  request.socket.once('close', () => (one.isClosed = true));
};

/** The rows of a part, which end early while `isCut`. */
const PART = /\{part:UInt32\}/;
let isCut = false;
/** What happens before such a statement is handed on, and fails where it does; undefined where it is not. */
let before: ((url: string) => Promise<void>) | undefined;

/** Hands everything on to ClickHouse but what exports ask first. */
async function handOn(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const body = await buffer(request);
  if (STATEMENT.test(body.toString())) {
    if (!before) return hold(request);
    await before(decodeURIComponent(request.url ?? ''));
  }
  const { method, url, headers } = request;
  const to = new URL(engines.clickhouseUrl);
  const sent = http.request(
    { host: to.hostname, port: to.port, method, path: url, headers, agent: false },
    (answer) => {
      if (isCut && PART.test(body.toString())) {
        // The beginning of the file, as if it were all.
        answer.destroy();
        response.writeHead(200).end('{"tid":"a"}\n');
        return;
      }
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    },
  );
  sent.once('error', () => response.destroy()).end(body);
}

async function listen(server: http.Server): Promise<string> {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${port}`;
}

const ask = async (method: string, at = '', body?: Json) => {
  const response = await service.request(`/api/v1/exports${at}`, {
    method,
    headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
};

/** Makes an export, waits until it asks for what it does not get, and removes it. */
async function removeWhileItWaits(name: string, destination: Json): Promise<void> {
  unanswered.length = 0;
  const entry = { name, kind: 'clicks', format: 'ndjson', every: 'day', from: DAY, destination };
  const made = await ask('POST', '', entry);
  expect(made.status).toBe(201);
  await eventually('it waits', () => (unanswered.length > 0 ? true : undefined));
  // Its turn may take an hour, and a bucket has longer for an answer than this request waits.
  expect((await ask('DELETE', `/${String(made.body.id)}`)).status).toBe(204);
  expect((await ask('GET')).body.exports).toEqual([]);
  await eventually('it asks no more', () => (unanswered.every(({ isClosed }) => isClosed) ? true : undefined));
}

const addClick = (more: Json = {}) =>
  engines.clickhouse.insert({
    table: 'adtrail.clicks',
    format: 'JSONEachRow',
    values: [
      {
        project_id: project,
        bucket: DAY,
        campaign_id: 1,
        click_id: randomUUID(),
        kind: 's2s',
        click_time: `${DAY} 12:00:00`,
        received_at: `${DAY} 12:00:00`,
        version: 1,
        ...more,
      },
    ],
  });

type Shown = Json & { name: string; complete_until: string | null; progress: { periods_written: number } };
const find = async (name: string) =>
  ((await ask('GET')).body.exports as Shown[]).find((one) => one.name === name) as Shown;
const toFolder = async (name: string, from = DAY) => {
  const destination = { type: 'folder', path: name };
  const made = await ask('POST', '', { name, kind: 'clicks', format: 'ndjson', every: 'day', from, destination });
  expect(made.status).toBe(201);
  return made.body.id as number;
};
/** What stands in the folder of an export: its revision, and the lines of all parts. */
async function readWritten(
  name: string,
  revision = 1,
  day = DAY,
): Promise<{ revision: number; rows: number; lines: string[] }> {
  const at = path.join(folder, `project-${project}`, name, 'clicks', `day=${day}`);
  return eventually(`${name} of ${day} is written`, () => {
    if (!fs.existsSync(path.join(at, '_SUCCESS'))) return undefined;
    const manifest = JSON.parse(fs.readFileSync(path.join(at, 'manifest.json'), 'utf8')) as {
      revision: number;
      rows: number;
      parts: { path: string }[];
    };
    if (manifest.revision < revision) return undefined;
    const read = (part: { path: string }) => fs.readFileSync(path.join(at, part.path), 'utf8').split('\n');
    return { ...manifest, lines: manifest.parts.flatMap(read).filter(Boolean) };
  });
}

let endpoint: string;
beforeAll(async () => {
  engines = await startService({ EXPORT_BY_PROJECTS: 'false', LIMIT_QUERY: 'off' });
  silent = http.createServer((request) => {
    request.resume();
    hold(request);
  });
  proxy = http.createServer((request, response) => {
    handOn(request, response).catch(() => response.destroy());
  });
  endpoint = await listen(silent);
  const clickhouseUrl = await listen(proxy);
  service = await startBeside(
    { ...engines, clickhouseUrl },
    {
      ROLES: 'api,attribution',
      LIMIT_QUERY: 'off',
      EXPORT_DIR: folder,
      OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
      EXPORT_PART_ROWS: String(PART_ROWS),
    },
  );
  await service.apply({
    accounts: [{ name: 'Acme' }],
    projects: [{ name: 'Shop', account: 'Acme', timezone: 'UTC', server_keys: [KEY] }],
  });
  project = await idByName(engines, 'projects', 'Shop');
  postgres = readPostgres(engines);
  await addClick();
}, 180_000);
afterAll(async () => {
  for (const server of [silent, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  await service.dispose();
  await postgres.close();
  await engines.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const toBucket = (prefix: string) => ({ type: 's3', bucket: 'lake', prefix, endpoint, key: 'key', secret: 'secret' });

test('one that waits for its bucket is removed at once', () => removeWhileItWaits('Bucket', toBucket('a')));

test('one that waits for ClickHouse is removed at once, and its statement may be ended', async () => {
  // The bucket answers that it has nothing.
  silent.removeAllListeners('request');
  silent.on('request', ({ method }: http.IncomingMessage, response: http.ServerResponse) =>
    method === 'HEAD' ? response.writeHead(404).end() : response.end('<ListBucketResult></ListBucketResult>'),
  );
  await removeWhileItWaits('Statement', toBucket('b'));
  const { searchParams } = new URL(unanswered[0]?.url ?? '', 'http://clickhouse');
  expect(searchParams.get('cancel_http_readonly_queries_on_client_close')).toBe('1');
  expect(searchParams.get('readonly')).toBe('2');
});

test('what is not complete yet is not written', async () => {
  before = () => Promise.resolve();
  // A process is gone with what it has accepted since noon.
  const gone = randomUUID();
  await postgres.rows(
    "INSERT INTO ingest_processes (name, host, received_up_to, backlog) VALUES ($1, 'gone', $2, '[]')",
    [gone, `${DAY}T12:00:00Z`],
  );
  await toFolder('held');
  const looked = await eventually('it is looked at', async () => {
    const one = await find('held');
    return one.complete_until === null ? undefined : one;
  });
  expect(looked).toMatchObject({ complete_until: `${DAY}T12:00:00.000Z`, progress: { periods_written: 0 } });
  await postgres.rows('DELETE FROM ingest_processes WHERE name = $1', [gone]);
  expect(await readWritten('held')).toMatchObject({ revision: 1, rows: 1, lines: { length: 1 } });
});

test('installs are complete up to when they are decided, whatever has been received since', async () => {
  const readUntil = async (kind: string) => {
    const answer = await engines.request(`/api/v1/export/${kind}?from=${DAY}&to=${DAY}`, {
      headers: { 'service-key': KEY },
    });
    expect([kind, answer.status]).toEqual([kind, 200]);
    return answer.headers.get('Complete-Until') as string;
  };
  const setDecided = (at: unknown) =>
    postgres.rows("UPDATE watermarks SET settled = $1 WHERE name = 'install-journeys'", [at]);
  // Nobody decides anything meanwhile.
  await withLock(postgres, LOCKS.appReports, async () => {
    const [before] = await postgres.rows("SELECT settled FROM watermarks WHERE name = 'install-journeys'");
    await setDecided(`${DAY}T11:00:00Z`);
    expect(await readUntil('installs')).toBe(`${DAY}T11:00:00.000Z`);
    expect(Date.parse(await readUntil('app-events'))).toBeGreaterThan(Date.parse(`${DAY}T12:00:00Z`));
    await setDecided(before?.settled);
  });
  expect(Date.parse(await readUntil('installs'))).toBeGreaterThan(Date.parse(`${DAY}T12:00:00Z`));
});

test('rows that change while they are written are written again, as the next revision', async () => {
  let asked = 0;
  before = async () => {
    asked += 1;
    // After the parts, and before they are compared.
    if (asked === 2) await addClick();
  };
  await toFolder('changing');
  expect(await readWritten('changing')).toMatchObject({ revision: 2, rows: 2, lines: { length: 2 } });
  before = () => Promise.resolve();
});

test('who is forgotten leaves what was compared a moment ago', async () => {
  await addClick({ gaid: GAID });
  await toFolder('forgetting');
  const first = await readWritten('forgetting');
  expect(first.lines.filter((line) => line.includes(GAID))).toHaveLength(1);
  const forgotten = await service.admin('DELETE', `/projects/${project}/devices/gaid/${GAID}`);
  expect(forgotten.status).toBeLessThan(300);
  const next = await readWritten('forgetting', first.revision + 1);
  expect(next.lines.filter((line) => line.includes(GAID))).toEqual([]);
});

const onDay = (day: string): Json => ({ bucket: day, click_time: `${day} 12:00:00`, received_at: `${day} 12:00:00` });
const addClicks = async (day: string, count: number) => {
  for (let i = 0; i < count; i++) await addClick(onDay(day));
};

test('a part that ends early is not published, and its period is written again', async () => {
  before = () => Promise.resolve();
  isCut = true;
  const id = await toFolder('cut');
  const failing = await eventually('it fails', async () => {
    const one = await find('cut');
    return one.state === 'failing' ? one : undefined;
  });
  expect(failing).toMatchObject({
    failure: { error: `part-000.ndjson of ${DAY} did not come as a whole` },
    progress: { periods_written: 0 },
  });
  isCut = false;
  await postgres.rows('UPDATE export_states SET due_at = now() WHERE export_id = $1', [id]);
  const { rows, lines } = await readWritten('cut');
  expect(lines).toHaveLength(rows);
});

test('few rows are compared at once; a day that fails holds up neither the others nor what is missing', async () => {
  const [missing, first, second] = [4, 3, 2].map((ago) => addDays(DAY, 1 - ago)) as [string, string, string];
  before = () => Promise.resolve();
  for (const day of [first, second]) await addClicks(day, 4 * PART_ROWS);
  const id = await toFolder('bounded', first);
  for (const day of [first, second])
    expect(await readWritten('bounded', 1, day)).toMatchObject({ rows: 4 * PART_ROWS });
  await eventually('all is written', async () => ((await find('bounded')).state === 'up_to_date' ? true : undefined));
  const compared: string[] = [];
  before = (url) => {
    const [from, to] = ['from', 'to'].map((name) => new RegExp(`param_${name}=([0-9-]*)`).exec(url)?.[1] ?? '');
    compared.push(`${from} ${to}`);
    return from === first ? Promise.reject(new Error('Nothing of this day.')) : Promise.resolve();
  };
  await addClick(onDay(second));
  await ask('POST', `/${id}/backfill`, { from: missing, to: missing });
  await postgres.rows("UPDATE export_periods SET checked_at = now() - interval '2 days' WHERE export_id = $1", [id]);
  await postgres.rows('UPDATE export_states SET due_at = now() WHERE export_id = $1', [id]);
  expect(await readWritten('bounded', 1, missing)).toMatchObject({ rows: 0 });
  expect(await readWritten('bounded', 2, second)).toMatchObject({ rows: 4 * PART_ROWS + 1 });
  const failing = await eventually('it fails', async () => {
    const one = await find('bounded');
    return one.state === 'failing' ? one : undefined;
  });
  expect(failing).toMatchObject({ failure: { error: 'the rows could not be read' } });
  // The two of them have more rows than one statement compares.
  expect(compared).toContain(`${first} ${second}`);
  expect(compared.filter((range) => range.startsWith(missing) && !range.endsWith(first))).toEqual([]);

  before = () => Promise.resolve();
  await addClick(onDay(first));
  await postgres.rows('UPDATE export_states SET due_at = now() WHERE export_id = $1', [id]);
  expect(await readWritten('bounded', 2, first)).toMatchObject({ rows: 4 * PART_ROWS + 1 });
});

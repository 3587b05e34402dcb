/** `POST /api/v1/sql`, `GET /api/v1/schema` and saved queries (docs/contract/sql.md). */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { presentMessage } from '../../../src/sql-console/presenter';
import { attacks } from '../../support/sql/reader-attacks';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually, temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const folder = temporaryFolder();
const CANARY = 'canary-of-the-sql-suite';
const [KEY, OTHER] = ['sql-console-key', 'sql-console-other-key'];
const GAID = '38400000-8cf0-11bd-b23e-10b96e40000e';
const bait = {
  secret: path.join(folder, 'secret'),
  allowed: path.join(service.dataDir, 'clickhouse', 'user_files', 'sql-console-secret'),
  out: path.join(folder, 'out'),
  url: '',
};
const asked: string[] = [];
const listener = http.createServer((req, res) => {
  asked.push(req.url ?? '');
  res.end(`${CANARY}\n`);
});
let id: number;
let other: number;

interface Result {
  columns: { name: string; type: string }[];
  rows: unknown[][];
  rows_read: number | null;
  elapsed_ms: number;
  truncated: boolean;
  msg?: string;
}
const send = (method: string, at: string, body?: unknown, key = KEY) =>
  service.request(`/api/v1${at}`, {
    method,
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function run(query: string, more: object = {}, key = KEY) {
  const response = await send('POST', '/sql', { query, ...more }, key);
  return { status: response.status, body: (await response.json()) as Result };
}
const rows = async (query: string, key = KEY) => {
  const { status, body } = await run(query, {}, key);
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: undefined });
  return body.rows;
};

beforeAll(async () => {
  fs.writeFileSync(bait.secret, CANARY);
  fs.writeFileSync(bait.allowed, CANARY);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  bait.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  await service.apply({
    accounts: [{ name: 'SQL console' }],
    partners: [{ name: 'SQL console Ads', tokens: ['token-of-sql-console-ads'] }],
    projects: [
      ['SQL console', KEY],
      ['SQL console other', OTHER],
    ].map(([name, key], index) => ({
      name,
      account: 'SQL console',
      timezone: 'UTC',
      server_keys: [key],
      apps: [{ platform: 'ANDROID', app_id: `com.sqlconsole${index}` }],
      partner_switches: [{ partner: 'SQL console Ads', s2s_clicks: true }],
      campaigns: [{ display_id: `sqlconsole${index}`, name: `Of ${name}`, partner: 'SQL console Ads' }],
    })),
  });
  id = await idByName(service, 'projects', 'SQL console');
  other = await idByName(service, 'projects', 'SQL console other');
  for (const [index, clicks] of [3, 2].entries())
    for (let click = 0; click < clicks; click += 1) {
      const answer = await service.request(
        `/v1/click/com.sqlconsole${index}?c=sqlconsole${index}&tid=sql-${index}-${click}&gaid=${GAID}`,
        { headers: { 'X-Service-Token': 'token-of-sql-console-ads' } },
      );
      expect(answer.status).toBe(200);
    }
});
afterAll(() => {
  listener.close();
  fs.rmSync(bait.allowed, { force: true });
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('a statement', () => {
  test('answers its columns and rows', async () => {
    const { status, body } = await run(
      'SELECT campaign_name, count() AS n, toDecimal64(1.5, 2) AS d, [1, 2] AS list, NULL AS nothing ' +
        'FROM clicks GROUP BY 1',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      columns: [
        { name: 'campaign_name', type: 'String' },
        { name: 'n', type: 'UInt64' },
        { name: 'd', type: 'Decimal(18, 2)' },
        { name: 'list', type: 'Array(UInt8)' },
        { name: 'nothing', type: 'Nullable(Nothing)' },
      ],
      rows: [['Of SQL console', 3, 1.5, [1, 2], null]],
      rows_read: null,
      bytes_read: null,
      elapsed_ms: expect.any(Number) as number,
      truncated: false,
    });
  });

  test('has exact numbers, odd texts, comments and a semicolon', async () => {
    expect(await rows("SELECT toUInt64('18446744073709551615'), '\\n\u2028\"', toUInt64(9) -- end")).toEqual([
      ['18446744073709551615', '\n\u2028"', 9],
    ]);
    expect(await rows('SELECT 1;')).toEqual([[1]]);
    expect(await rows('SELECT 1 /* ; */ ; -- x')).toEqual([[1]]);
    expect((await rows('SHOW TABLES')).flat()).toContain('clicks');
    expect(await rows("SELECT toDateTime('2026-01-02 03:04:05', 'UTC')")).toEqual([['2026-01-02T03:04:05Z']]);
    expect(await rows('SELECT number FROM numbers(0)')).toEqual([]);
  });

  test('has as many rows as asked for, and says whether there are more', async () => {
    const of = async (query: string, more: object = {}) => {
      const { body } = await run(query, more);
      return [body.rows.length, body.truncated];
    };
    expect(await of('SELECT number FROM numbers(1000)')).toEqual([1000, false]);
    expect(await of('SELECT number FROM numbers(5000000)')).toEqual([1000, true]);
    expect(await of('SELECT number FROM numbers(5)', { limit: 5 })).toEqual([5, false]);
    expect(await of('SELECT number FROM numbers(6)', { limit: 5 })).toEqual([5, true]);
    const [length, truncated] = await of("SELECT repeat('x', 100000) FROM numbers(1000)", { limit: 10_000 });
    expect([Number(length) < 200, truncated]).toEqual([true, true]);
  });

  test('is a file', async () => {
    const response = await send('POST', '/sql?format=csv', {
      query: "SELECT number, '=1+1' AS text FROM numbers(2000)",
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="result.csv"');
    const lines = (await response.text()).trimEnd().split('\n');
    expect([lines.length, lines[0], lines[1]]).toEqual([2001, 'number,text', "0,'=1+1"]);
  });

  test('is a file that Excel knows as UTF-8, and in which an empty value is a row too', async () => {
    const query = "SELECT arrayJoin(['ü', '', 'a\\rb']) AS text";
    const bytes = async (more: string) =>
      Buffer.from(await (await send('POST', `/sql?format=csv${more}`, { query })).arrayBuffer()).toString();
    expect(await bytes('&bom=true')).toBe('\ufefftext\nü\n""\n"a\rb"\n');
    expect(await bytes('')).toBe('text\nü\n""\n"a\rb"\n');
    expect((await send('POST', '/sql?format=csv&bom=yes', { query })).status).toBe(400);
  });

  test.each([
    [{}, 'body: "query" is required'],
    [{ query: '' }, 'query: must NOT have fewer than 1 characters'],
    [{ query: 1 }, 'query: must be string'],
    [{ query: 'SELECT 1', limit: 0 }, 'limit: must be >= 1'],
    [{ query: 'SELECT 1', limit: 10_001 }, 'limit: must be <= 10000'],
    [{ query: 'SELECT 1', user: 'default' }, 'body: unknown field "user"'],
    [{ query: 'SELECT 1 FORMAT CSV' }, 'query: must not say its FORMAT'],
  ])('%j is refused', async (body, msg) => {
    const response = await send('POST', '/sql', body);
    expect([response.status, ((await response.json()) as Result).msg]).toEqual([400, msg]);
  });

  test('errors are those of ClickHouse, without what is inside', async () => {
    const { status, body } = await run('SELECT nothing FROM clicks');
    expect(status).toBe(400);
    expect(body.msg).toMatch(/Unknown expression.*identifier `nothing`/);
    for (const sql of ['SELECT nothing FROM clicks', 'SELECT * FROM adtrail.clicks', 'SELEC', "SELECT toUInt8('x')"])
      expect((await run(sql)).body.msg).not.toMatch(/version|Code:|DB::|console_|Stack|127\.0\.0\.1|OUTFILE|spool/);
  });

  test('may not take long', async () => {
    const started = Date.now();
    const slow = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
    const { status, body } = await run(`${slow} SETTINGS max_execution_time = 1`);
    expect([status, body.msg]).toEqual([400, expect.stringMatching(/[Tt]imeout exceeded/)]);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect((await run('SELECT 1 SETTINGS max_execution_time = 16')).body.msg).toContain('from 1 to 15');
    expect(await rows("SELECT getSetting('max_execution_time'), getSetting('readonly')")).toEqual([[15, 1]]);
    expect((await run('SELECT groupArray(number) FROM numbers(1000000000)')).body.msg).toMatch(/[Mm]emory limit/);
  });

  test('ends in ClickHouse once its request is given up', async () => {
    const count = async (expected: number) => {
      const of = `SELECT toUInt32(count()) AS n FROM system.processes WHERE query LIKE '%cancelled' || '-${id}%'`;
      const [row] = await service.rows<{ n: number }>(of);
      return Number(row?.n) === expected || undefined;
    };
    const leaving = new AbortController();
    const ended = service
      .request('/api/v1/sql', {
        method: 'POST',
        headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: `SELECT 'cancelled-${id}', sum(sipHash64(number)) FROM numbers(1000000000000)` }),
        signal: leaving.signal,
      })
      .then(
        () => 'answered',
        () => 'given up',
      );
    await eventually('the statement runs', () => count(1));
    const started = Date.now();
    leaving.abort();
    expect(await ended).toBe('given up');
    await eventually('the statement has ended', () => count(0));
    // By itself it would run for 15 seconds.
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  test('of one project two run at a time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => run('SELECT sleep(1)')));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503]);
    expect((await run('SELECT 1')).status).toBe(200);
  });
});

describe('no way around', () => {
  /** The user of the console has the settings of all readers: one of ten ways is tried, and in reader.test.ts all. */
  test('of all readers', async () => {
    const plain = attacks(bait).filter(([, attack]) => Object.keys(attack).join() === 'sql');
    expect(plain.length).toBeGreaterThan(100);
    for (const [name, attack] of plain.filter((_, index) => index % 10 === 0)) {
      const { status, body } = await run(attack.sql as string);
      expect({ name, status, text: JSON.stringify(body).slice(0, 300) }).toMatchObject({ name, status: 400 });
      for (const secret of [CANARY, ADMIN_TOKEN]) expect(JSON.stringify(body)).not.toContain(secret);
    }
    expect(fs.readdirSync(folder)).toEqual(['secret']);
    expect(asked).toEqual([]);
  });

  test('to the rows of another project', async () => {
    for (const view of (await rows('SHOW TABLES')).flat())
      expect([view, await rows(`SELECT count() FROM ${String(view)} WHERE project_id != ${id}`)]).toEqual([
        view,
        [[0]],
      ]);
    for (const sql of [
      'SELECT DISTINCT project_id FROM clicks',
      'SELECT DISTINCT b.project_id FROM clicks AS a JOIN clicks AS b ON a.gaid = b.gaid',
      'SELECT (SELECT max(project_id) FROM clicks)',
      "SELECT DISTINCT project_id FROM clicks WHERE NOT throwIf(startsWith(tid, 'sql-1'))",
    ])
      expect([sql, await rows(sql)]).toEqual([sql, [[id]]]);
    expect(await rows('SELECT count() FROM clicks', OTHER)).toEqual([[2]]);
    expect(await rows('SELECT DISTINCT project_id FROM clicks', OTHER)).toEqual([[other]]);
    const everything = JSON.stringify(await rows('SELECT * FROM clicks'));
    expect(everything).not.toContain('SQL console other');
  });

  test.each([
    'EXPLAIN SELECT count() FROM clicks',
    "SELECT 1 FROM clicks SETTINGS additional_table_filters = {'a': '1'}",
    "SELECT toUInt8(tid) FROM clicks WHERE startsWith(tid, 'sql-1')",
    "SELECT * FROM merge('analytics', 'clicks')",
    'SELECT * FROM adtrail.project_readers',
  ])('%s tells nothing of others', async (sql) => {
    const { status, body } = await run(sql);
    if (status === 200) expect(body.rows).toEqual([]);
    expect(JSON.stringify(body)).not.toMatch(/sql-1-|SQL console other/);
  });

  test('to the user itself', async () => {
    const kept = await service.rows<{ user: string }>(
      `SELECT user FROM adtrail.project_readers FINAL WHERE project_id = ${id}`,
    );
    const own = kept.find(({ user }) => user.startsWith('console_'));
    expect(own?.user).toMatch(new RegExp(`^console_${id}_[0-9a-f]{8}$`));
    expect((await service.admin('DELETE', `/projects/${id}/readers/${own?.user}`)).status).toBe(404);
    expect((await send('POST', '/sql', { query: 'SELECT 1' }, 'nobody')).status).toBe(401);
  });
});

test('messages lose what is inside', () => {
  const message =
    'Code: 60. DB::Exception: Received from 10.0.0.1:9000. DB::Exception: console_7_0a1b2c3d: Not enough privileges ' +
    '(version 25.8.2.1 (official build)). Stack trace:\n0. x';
  expect(presentMessage({ message })).toBe('reader: Not enough privileges.');
});

test('the schema has every view with its comments', async () => {
  const response = await send('GET', '/schema');
  const { database, tables } = (await response.json()) as {
    database: string;
    tables: { name: string; comment: string; columns: { name: string; comment: string; personal_data: string }[] }[];
  };
  expect(database).toBe('analytics');
  expect(tables.map(({ name }) => name)).toEqual((await rows('SHOW TABLES')).flat());
  const clicks = tables.find(({ name }) => name === 'clicks');
  expect(clicks?.comment).not.toBe('');
  const gaid = clicks?.columns.find(({ name }) => name === 'gaid');
  expect(gaid).toMatchObject({ personal_data: 'personal', comment: expect.not.stringContaining('[') as string });
});

describe('saved queries', () => {
  const save = async (method: string, at: string, body?: unknown, key = KEY) => {
    const response = await send(method, `/saved-queries${at}`, body, key);
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  };

  test('are kept, changed and deleted, each of its own project', async () => {
    const made = await save('POST', '', { name: 'Clicks', query: 'SELECT 1' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Clicks', query: 'SELECT 1', created_by: 'server key' } });
    const at = `/${String(made.body.id)}`;
    expect(await save('POST', '', { name: 'Clicks', query: 'SELECT 2' })).toMatchObject({
      status: 409,
      body: { msg: 'name: another saved query has it' },
    });
    expect((await save('POST', '', { name: 'Clicks', query: 'SELECT 2' }, OTHER)).status).toBe(201);
    expect((await save('PUT', at, { name: 'Mine', query: 'SELECT 3' }, OTHER)).status).toBe(404);
    expect((await save('DELETE', at, undefined, OTHER)).status).toBe(404);
    expect(await save('PUT', at, { name: 'More clicks', query: 'SELECT 3' })).toMatchObject({
      status: 200,
      body: { name: 'More clicks', query: 'SELECT 3' },
    });
    expect((await save('GET', '')).body.saved_queries).toEqual([expect.objectContaining({ name: 'More clicks' })]);
    expect((await save('DELETE', at)).status).toBe(204);
    expect((await save('DELETE', at)).status).toBe(404);
    expect((await save('GET', '')).body).toEqual({ saved_queries: [] });
  });

  test.each([
    [{ name: '', query: 'x' }, 'name: must NOT have fewer than 1 characters'],
    [{ name: 'x' }, 'body: "query" is required'],
    [{ name: 'x', query: 'x'.repeat(100_001) }, 'query: must NOT have more than 100000 characters'],
  ])('%j is refused', async (body, msg) => {
    expect(await save('POST', '', body)).toMatchObject({ status: 400, body: { msg } });
  });
});

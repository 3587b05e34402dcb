/** The ClickHouse user of data engineers: what it may read, and that there is no way to anything else. */
import { ClickHouseError, createClient, type ClickHouseClient } from '@clickhouse/client';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { unpackBlocks } from '../../../src/embedded/clickhouse/compressed-blocks';
import { projectReaderStatements, readerStatements, schemaGrants } from '../../../src/db/reader';
import { EXAMPLES } from '../../../dashboard/src/pages/connect/tools';
import { CLIENT_REQUESTS, showBytes } from '../../support/sql/clickhouse-clients';
import { attacks, type Attack } from '../../support/sql/reader-attacks';
import { sharedService } from '../../support/shared-service';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, temporaryFolder } from '../../support/service';

const service = sharedService();
const folder = temporaryFolder();
const CANARY = 'canary-of-the-reader-suite';
const PROJECT = 'Reader Shop';

const bait = {
  secret: path.join(folder, 'secret'),
  allowed: path.join(service.dataDir, 'clickhouse', 'user_files', 'reader-secret'),
  out: path.join(folder, 'out'),
  url: '',
};
const asked: string[] = [];
const listener = http.createServer((req, res) => {
  asked.push(req.url ?? '');
  res.end(`${CANARY}\n`);
});
const password = fs.readFileSync(path.join(service.dataDir, 'clickhouse-reader-password'), 'utf8').trim();
const login = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': password };
let reader: ClickHouseClient;
let schemaBefore: unknown;

const schema = () =>
  // A suite beside this one has a database of its own.
  service.rows(
    `SELECT database, name, create_table_query FROM system.tables
     WHERE database NOT IN ('system', 'dbt_of_the_test') ORDER BY ALL`,
  );
const grants = () => service.rows('SELECT * FROM system.grants ORDER BY ALL');

async function ask({ sql, method = 'POST', params = {}, headers = {}, gzip, form, attachment }: Attack) {
  const search = new URLSearchParams(params).toString();
  const multipart = form && new FormData();
  for (const [name, value] of Object.entries(form ?? {})) multipart?.append(name, value);
  const table = attachment ? new FormData() : undefined;
  table?.append('x', new Blob(['1']), 'x');
  const text = gzip ? new Uint8Array(gzipSync(sql ?? '')) : sql;
  const answer = await fetch(`${service.clickhouseUrl}/?${search}`, {
    method,
    headers: { ...login, ...headers, ...(gzip && { 'Content-Encoding': 'gzip' }) },
    ...(method === 'POST' && { body: multipart ?? table ?? text ?? '' }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const read = async (sql: string, params: Record<string, string> = {}) => {
  const { status, text } = await ask({ sql, params });
  if (status !== 200) throw new Error(text);
  return text.trimEnd();
};

const project = async (name: string) => {
  const { body } = await service.admin('GET', '/projects');
  return (body.projects as { id: number; name: string }[]).find((one) => one.name === name)?.id as number;
};

beforeAll(async () => {
  fs.writeFileSync(bait.secret, CANARY);
  fs.writeFileSync(bait.allowed, CANARY);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  bait.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  reader = createClient({ url: service.clickhouseUrl, username: 'reader', password, log: { level: 127 } });
  await service.apply({
    accounts: [{ name: 'Reader' }],
    partners: [{ name: 'Reader Ads', tokens: ['token-of-reader-ads'] }],
    projects: [PROJECT, 'Reader Other'].map((name, index) => ({
      name,
      account: 'Reader',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: `com.reader${index}` }],
      partner_switches: [{ partner: 'Reader Ads', s2s_clicks: true, s2s_traffic: true }],
      campaigns: [{ display_id: `reader${index}`, name: `Reader ${index}`, partner: 'Reader Ads' }],
    })),
  });
  for (const [index, clicks] of [3, 2].entries())
    for (let click = 0; click < clicks; click += 1) {
      const answer = await service.request(
        `/v1/click/com.reader${index}?c=reader${index}&tid=reader-${index}-${click}&` +
          'gaid=38400000-8cf0-11bd-b23e-10b96e40000d',
        {
          headers: { 'X-Service-Token': 'token-of-reader-ads' },
        },
      );
      expect(answer.status).toBe(200);
    }
  schemaBefore = [await schema(), await grants()];
});

afterAll(async () => {
  await reader.close();
  listener.close();
  fs.rmSync(bait.allowed, { force: true });
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('no way around', () => {
  // Where the bait is, is known only when tests run.
  const names = attacks({ secret: 'SECRET', allowed: 'ALLOWED', out: 'OUT', url: 'URL' });
  test.each(names.map(([name], index) => [name, index] as const))('%s', async (_, index) => {
    const [, attack] = attacks(bait)[index] as ReturnType<typeof attacks>[number];
    const { status, text, headers } = await ask(attack);
    expect({ status, text: text.slice(0, 500) }).not.toMatchObject({ status: 200 });
    expect(headers.get('x-clickhouse-exception-code')).toMatch(/^\d+$/);
    expect(text).toMatch(/^Code: \d+\. DB::Exception: /);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(ADMIN_TOKEN);
    expect(fs.readdirSync(folder)).toEqual(['secret']);
    expect(asked).toEqual([]);
  });

  test('none of it has changed anything', async () => {
    // A service that starts beside this one makes its views again, and their comments a moment later.
    await eventually('the schema is as it was', async () =>
      JSON.stringify([await schema(), await grants()]) === JSON.stringify(schemaBefore) ? true : undefined,
    );
    expect(await service.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await service.rows("SELECT count() AS n FROM adtrail.clicks WHERE startsWith(tid, 'reader-')")).toEqual([
      { n: 5 },
    ]);
  });

  test('the service itself has no files and addresses either', async () => {
    const attempt = (query: string) =>
      service.rows(query).then(
        () => 'answered',
        (error: unknown) => (error instanceof ClickHouseError ? error.code : String(error)),
      );
    for (const sql of [
      `SELECT file('${bait.secret}')`,
      `SELECT \`file\`('${bait.secret}')`,
      `SELECT "\\x66ile"('${bait.secret}')`,
      `SELECT \`fi\\x6ce\`('${bait.secret}')`,
      `SELECT arrayMap(file, ['${bait.secret}'])`,
      `SELECT * APPLY file FROM (SELECT '${bait.secret}')`,
      `SELECT * FROM file('${bait.secret}', 'LineAsString')`,
      `SELECT * FROM url('${bait.url}', 'LineAsString')`,
    ])
      expect([sql, await attempt(sql)]).toEqual([sql, '497']);
    expect(asked).toEqual([]);
  });
});

describe('who may ask', () => {
  test('the password is in a file that only its owner reads', () => {
    expect(fs.statSync(path.join(service.dataDir, 'clickhouse-reader-password')).mode & 0o777).toBe(0o600);
    expect(password).toMatch(/^reader_/);
  });

  test.each([
    ['a wrong password', { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': 'x' }],
    ['no password', { 'X-ClickHouse-User': 'reader' }],
    ["default's name with the reader's password", { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': password }],
    ['another name', { 'X-ClickHouse-User': 'service', 'X-ClickHouse-Key': password }],
  ])('%s is refused', async (_, headers) => {
    const answer = await fetch(service.clickhouseUrl, { method: 'POST', headers, body: 'SELECT 1' });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Code: 516.')]);
  });
});

describe('what data engineers do', () => {
  test('every view of analytics, by its name with and without the database', async () => {
    const views = (await read('SHOW TABLES')).split('\n');
    expect(views).toEqual(
      expect.arrayContaining([
        'ad_spend',
        'app_events',
        'clicks',
        'ctv_impressions',
        'impressions',
        'installs',
        'web_events',
      ]),
    );
    for (const view of views) {
      expect(await read(`SELECT count() >= 0 FROM analytics.${view}`)).toBe('1');
      expect(await read(`SELECT count() >= 0 FROM ${view}`)).toBe('1');
      expect(await read(`DESCRIBE ${view}`)).toContain('project_id');
    }
  });

  test('joins, common tables, windows, subqueries', async () => {
    const sql = `-- the clicks of campaigns
      WITH mine AS (SELECT * FROM analytics.clicks WHERE startsWith(tid, 'reader-'))
      SELECT campaign_name, count() AS clicks, sum(clicks) OVER (ORDER BY campaign_name) AS so_far,
        countIf(tid IN (SELECT tid FROM mine WHERE endsWith(tid, '0'))) AS firsts
      FROM mine LEFT JOIN analytics.installs AS install ON install.campaign_id = mine.campaign_id
      GROUP BY campaign_name HAVING clicks > 0 ORDER BY campaign_name`;
    expect(await read(sql)).toBe('Reader 0\t3\t3\t1\nReader 1\t2\t5\t1');
  });

  test.each(['CSV', 'JSON', 'Parquet', 'Native', 'JSONEachRow', 'Arrow', 'PrettyCompact', 'Vertical'])(
    'format %s',
    async (format) => {
      // As one block: those that are read by themselves change when parts are merged, and Native shows them.
      const sql = "SELECT arrayJoin(arraySort(groupArray(tid))) AS one FROM clicks WHERE startsWith(tid, 'reader-')";
      const [clause, parameter, header] = [
        await ask({ sql: `${sql} FORMAT ${format}` }),
        await ask({ sql, params: { default_format: format } }),
        await ask({ sql, headers: { 'X-ClickHouse-Format': format } }),
      ];
      expect([clause.status, parameter.status, header.status]).toEqual([200, 200, 200]);
      if (format !== 'Arrow') expect(clause.text).toContain('reader-1-1');
      if (format !== 'JSON') expect([parameter.text, header.text]).toEqual([clause.text, clause.text]);
    },
  );

  test('the client, with parameters and settings of formats', async () => {
    const result = await reader.query({
      query: 'SELECT campaign_name, count() AS n FROM {view:Identifier} WHERE tid IN {tids:Array(String)} GROUP BY ALL',
      query_params: { view: 'clicks', tids: ['reader-0-0', 'reader-0-1', "it's"] },
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_threads: 1, max_execution_time: 5 },
    });
    expect(await result.json()).toEqual([{ campaign_name: 'Reader 0', n: 2 }]);
    expect((await reader.ping({ select: true })).success).toBe(true);
  });

  test('a compressed answer, and GET', async () => {
    const compressed = createClient({
      url: service.clickhouseUrl,
      username: 'reader',
      password,
      compression: { response: true },
      log: { level: 127 },
    });
    const rows = await compressed.query({ query: 'SELECT number FROM numbers(3)', format: 'JSONEachRow' });
    expect(await rows.json()).toHaveLength(3);
    await compressed.close();
    expect(await ask({ method: 'GET', params: { query: 'SELECT 1' } })).toMatchObject({ status: 200, text: '1\n' });
  });

  test('settings of formats and own limits in the statement', async () => {
    expect(await read("SELECT 1, 'a' FORMAT CSV SETTINGS format_csv_delimiter = ';'")).toBe('1;"a"');
    expect(await read("SELECT 1, 'a' SETTINGS format_csv_delimiter = '|', max_threads = 1 FORMAT CSV")).toBe('1|"a"');
    expect(await read('SELECT number FROM numbers(3) SETTINGS max_threads = 1')).toBe('0\n1\n2');
  });

  test('pure table functions', async () => {
    for (const source of ['numbers(3)', 'zeros(3)', "generateRandom('a UInt8', 1) LIMIT 3", 'generateSeries(1, 3)'])
      expect([source, (await read(`SELECT * FROM ${source}`)).split('\n').length]).toEqual([source, 3]);
    expect(await read("SELECT * FROM values('a UInt8', 7)")).toBe('7');
  });

  test('metadata of what it may read, and of nothing else', async () => {
    expect(await read('SELECT name FROM system.databases')).toBe('analytics');
    expect(await read('SHOW DATABASES')).toBe('analytics');
    expect(await read('SELECT DISTINCT database FROM system.tables')).toBe('analytics');
    expect(await read('SELECT DISTINCT database FROM system.columns')).toBe('analytics');
    expect(await read("SELECT comment != '' FROM system.columns WHERE table = 'clicks' AND name = 'tid'")).toBe('1');
    expect(await read('SHOW CREATE TABLE analytics.clicks FORMAT TSVRaw')).toContain('CREATE VIEW analytics.clicks');
    expect(await read('SHOW COLUMNS FROM clicks')).toContain('tid');
    expect(await read('EXISTS TABLE analytics.clicks')).toBe('1');
  });

  test('texts that are costly to take apart are answered soon, and others meanwhile', async () => {
    const deep = `SELECT ${'INTERVAL ('.repeat(40)}1${')'.repeat(40)}`;
    for (const sql of [deep, "SELECT toUInt64(concat('x', repeat(' ', 80000), 'y'))"]) {
      const [costly, other] = await Promise.all([ask({ sql }), read('SELECT 1')]);
      expect([costly.status, other]).toEqual([expect.any(Number), '1']);
      expect(costly.status).not.toBe(200);
      expect(costly.text.length).toBeLessThan(11_000);
    }
  }, 60_000);

  test('nothing about the machine', async () => {
    expect(await read('SELECT count(*) FROM system.databases')).toBe('1');
    for (const sql of [
      'SELECT * FROM system.databases',
      'SELECT d.* FROM system.databases AS d',
      'SELECT data_path FROM system.databases',
      "SELECT COLUMNS('path') FROM system.databases",
      'SELECT untuple(tuple(*)) FROM system.databases',
      'SELECT hostName()',
      'SELECT FQDN()',
    ])
      await expect(read(sql)).rejects.toThrow(/for readers|name the columns/);
    expect(await read('SELECT displayName()')).toBe('adtrail');
    const { headers } = await ask({ sql: 'SELECT 1' });
    expect(headers.get('x-clickhouse-server-display-name')).toBe('adtrail');
    for (const sql of ['SELECT * FROM system.tables', "SELECT * FROM system.columns WHERE table = 'clicks'"])
      expect(await read(sql)).not.toContain(service.dataDir);
  });

  test('EXPLAIN of a query', async () => {
    expect(await read('EXPLAIN SELECT count() FROM clicks')).toContain('Aggregating');
    expect(await read('EXPLAIN PIPELINE SELECT 1')).not.toBe('');
    expect(await read('EXPLAIN QUERY TREE SELECT tid FROM clicks')).toContain('analytics.clicks');
  });

  test('errors are told as ClickHouse does', async () => {
    const failure = (query: string) =>
      reader.query({ query }).then(
        () => undefined,
        (error: unknown) => (error instanceof ClickHouseError ? [error.code, error.type] : error),
      );
    expect(await failure('SELECT * FROM adtrail.clicks')).toEqual(['497', 'ACCESS_DENIED']);
    expect(await failure("SELECT * FROM file('x')")).toEqual(['497', 'ACCESS_DENIED']);
    expect(await failure('SELECT 1 SETTINGS allow_ddl = 1')).toEqual(['164', 'READONLY']);
    expect(await failure('SELECT 1 SETTINGS max_execution_time = 61')).toEqual(['452', 'SETTING_CONSTRAINT_VIOLATION']);
    expect(await failure('SELECT nothing FROM clicks')).toEqual(['47', 'UNKNOWN_IDENTIFIER']);
    expect(await failure('SELECT * FROM nothing')).toEqual(['60', 'UNKNOWN_TABLE']);
    expect((await ask({ sql: 'SELEC 1' })).text).toMatch(/^Code: 62\. .*\(SYNTAX_ERROR\)/);
    const { text } = await ask({ sql: 'SELECT 1; SELECT 2' });
    expect(text).toContain('Multi-statements are not allowed');
    expect(text).not.toContain('formatQuery');
  });

  test('texts, escapes and names arrive as they were sent', async () => {
    const odd = 'it\'s \\ \t \n ` " -- /* ; SET ROLE service; $$ ü 🎈';
    expect(
      await read('SELECT {x:String} FORMAT TSVRaw', {
        param_x: odd.replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n'),
      }),
    ).toBe(odd);
    expect(await read(`SELECT 'a;b' AS \`x; y\`, 'c''d', $$e;f$$, '-- g' /* ; */ FORMAT CSV`)).toBe(
      '"a;b","c\'d","e;f","-- g"',
    );
    expect(await read("SELECT '\\'; SET ROLE service; SELECT ' FORMAT TSVRaw")).toBe("'; SET ROLE service; SELECT");
    expect(await read(`SELECT '${'x'.repeat(100_000)}'`)).toHaveLength(100_000);
  });
});

describe('bounds', () => {
  test('time', async () => {
    const started = Date.now();
    const { status, text } = await ask({
      sql: 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)',
      params: { max_execution_time: '1' },
    });
    expect([status, text]).toEqual([408, expect.stringContaining('Code: 159.')]);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(await read("SELECT getSetting('max_execution_time'), getSetting('max_memory_usage')")).toBe(
      '60\t4000000000',
    );
  });

  test('memory and rows', async () => {
    expect(
      (await ask({ sql: 'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000' }))
        .text,
    ).toContain('Code: 241.');
    expect((await ask({ sql: 'SELECT number FROM numbers(20) SETTINGS max_result_rows = 10' })).text).toContain(
      'Code: 396.',
    );
    const many = await ask({ sql: 'SELECT 1 FROM numbers(20000000)', params: { wait_end_of_query: '1' } });
    expect(many.text).toContain('Code: 396.');
    expect(await read("SELECT getSetting('max_result_rows'), getSetting('readonly')")).toBe('10000000\t1');
  });

  test('many readers do not make the service wait', async () => {
    const slow = Array.from({ length: 8 }, () => ask({ sql: 'SELECT sleep(1)' }));
    const started = Date.now();
    await service.rows('SELECT 1');
    expect(Date.now() - started).toBeLessThan(900);
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe('a user that sees one project', () => {
  let id: number;
  let other: number;
  let mine: Record<string, string>;
  let created: { user: string; password: string };
  const mineRead = async (sql: string) => (await ask({ sql, headers: mine })).text.trimEnd();

  beforeAll(async () => {
    [id, other] = [await project(PROJECT), await project('Reader Other')];
    const { status, body } = await service.admin('POST', `/projects/${id}/readers`);
    expect(status).toBe(201);
    created = body as typeof created;
    mine = { 'X-ClickHouse-User': created.user, 'X-ClickHouse-Key': created.password };
  });

  test('is what the installation has by that name only, and its password is kept as a hash', async () => {
    expect(created.user).toMatch(new RegExp(`^reader_${id}_[0-9a-f]{8}$`));
    const kept = JSON.stringify(await service.rows('SELECT * FROM adtrail.project_readers'));
    expect(kept).toContain(created.user);
    expect(kept).not.toContain(created.password);
    expect((await service.admin('POST', '/projects/999999/readers')).status).toBe(404);
    expect((await service.admin('GET', '/projects/999999/readers')).status).toBe(404);
  });

  test('is listed with the address of ClickHouse, and without its password', async () => {
    const { status, body } = await service.admin('GET', `/projects/${id}/readers`);
    expect([status, body]).toEqual([
      200,
      {
        address: service.clickhouseUrl,
        embedded: true,
        readers: [{ user: created.user, created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string }],
      },
    ]);
    expect((await service.admin('GET', `/projects/${other}/readers`)).body.readers).toEqual([]);
  });

  test.each([
    'SELECT DISTINCT project_id FROM clicks',
    'SELECT DISTINCT project_id FROM analytics.clicks',
    'SELECT DISTINCT x.project_id FROM `analytics`.`clicks` AS x',
    'SELECT DISTINCT project_id FROM (SELECT * FROM clicks)',
    'WITH x AS (SELECT * FROM clicks) SELECT DISTINCT project_id FROM x',
    'SELECT DISTINCT a.project_id FROM clicks AS a JOIN clicks AS b ON a.gaid = b.gaid',
    'SELECT DISTINCT b.project_id FROM clicks AS a JOIN clicks AS b ON a.gaid = b.gaid',
    'SELECT DISTINCT project_id FROM clicks UNION DISTINCT SELECT project_id FROM analytics.clicks',
    'SELECT (SELECT max(project_id) FROM clicks)',
    'SELECT DISTINCT project_id FROM clicks AS installs',
    'SELECT DISTINCT project_id FROM clicks AS `analytics.installs`',
    'SELECT DISTINCT project_id FROM clicks FINAL',
    'SELECT arrayJoin(groupUniqArray(project_id)) FROM clicks',
    "SELECT DISTINCT project_id FROM clicks WHERE NOT throwIf(startsWith(tid, 'reader-1'))",
    "SELECT DISTINCT project_id FROM clicks WHERE toUInt8(replaceRegexpOne(tid, '^reader-0-.*', '7')) = 7",
  ])('%s', async (sql) => {
    expect(await mineRead(sql)).toBe(String(id));
  });

  test('sees nothing of another project, in any view', async () => {
    expect(await mineRead('SELECT count() FROM clicks')).toBe('3');
    expect(await read("SELECT count() FROM clicks WHERE startsWith(tid, 'reader-')")).toBe('5');
    for (const view of (await read('SHOW TABLES')).split('\n'))
      expect([view, await mineRead(`SELECT count() FROM ${view} WHERE project_id != ${id}`)]).toEqual([view, '0']);
    expect(await mineRead(`SELECT count() FROM numbers(1) WHERE ${other} IN (SELECT project_id FROM clicks)`)).toBe(
      '0',
    );
  });

  test.each([
    ['its own filter', { sql: 'SELECT 1', params: { additional_table_filters: '{}' } }],
    ['its own filter in SETTINGS', { sql: "SELECT 1 FROM clicks SETTINGS additional_table_filters = {'a': '1'}" }],
    ['a plan, which counts rows', { sql: 'EXPLAIN SELECT count() FROM clicks' }],
    ['an estimate', { sql: 'EXPLAIN ESTIMATE SELECT count() FROM clicks' }],
    ['a base table', { sql: 'SELECT * FROM adtrail.clicks' }],
    ['the table of users', { sql: 'SELECT * FROM adtrail.project_readers' }],
    ['a view of its own', { sql: 'CREATE VIEW analytics.made AS SELECT 1' }],
    ['a merge of views', { sql: "SELECT * FROM merge('analytics', 'clicks')" }],
    ['the view in a function', { sql: 'SELECT * FROM view(SELECT * FROM clicks)' }],
  ])('may not have %s', async (_, attack: Attack) => {
    const { status, text } = await ask({ ...attack, headers: mine });
    expect([status, text]).toEqual([expect.any(Number), expect.stringMatching(/^Code: (?:164|497)\./)]);
  });

  test('can be revoked, by its own project only', async () => {
    expect((await service.admin('DELETE', `/projects/${other}/readers/${created.user}`)).status).toBe(404);
    expect(await mineRead('SELECT 1')).toBe('1');
    const wrong = { ...mine, 'X-ClickHouse-Key': password };
    expect((await ask({ sql: 'SELECT 1', headers: wrong })).text).toContain('Code: 516.');
    expect((await service.admin('DELETE', `/projects/${id}/readers/${created.user}`)).status).toBe(204);
    expect(await mineRead('SELECT 1')).toContain('Code: 516.');
    expect((await service.admin('DELETE', `/projects/${id}/readers/${created.user}`)).status).toBe(404);
  });
});

describe('clients with their defaults', () => {
  const logins: Record<string, () => Promise<Record<string, string>> | Record<string, string>> = {
    reader: () => login,
    'a user that sees one project': async () => {
      const { body } = await service.admin('POST', `/projects/${await project(PROJECT)}/readers`);
      return { 'X-ClickHouse-User': body.user as string, 'X-ClickHouse-Key': body.password as string };
    },
    default: () => ({ 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD }),
  };

  describe.each(Object.keys(logins))('as %s', (user) => {
    let headers: Record<string, string>;
    beforeAll(async () => {
      headers = (await logins[user]?.()) ?? {};
    });

    test.each(CLIENT_REQUESTS.map((sent) => [sent.client, sent.does, sent] as const))('%s %s', async (_, __, sent) => {
      const address = new URL(sent.sql || sent.form || sent.params?.query ? '/' : '/ping', service.clickhouseUrl);
      for (const [name, value] of Object.entries(sent.params ?? {})) address.searchParams.set(name, value);
      const form = sent.form && new FormData();
      for (const [name, value] of Object.entries(sent.form ?? {})) form?.append(name, value);
      const answer = await fetch(address, {
        method: sent.method ?? 'POST',
        headers: { ...headers, ...sent.headers },
        body: form ?? sent.sql,
      });
      let body = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, answer.status === 200 || body.toString()]).toEqual([200, true]);
      if (sent.params?.compress)
        body = Buffer.concat(await Readable.from(unpackBlocks(Readable.from([body]))).toArray());
      const wanted = typeof sent.finds === 'string' ? sent.finds : new RegExp(sent.finds.source.replace('CLICKS', '3'));
      expect(showBytes(body)).toEqual(
        typeof wanted === 'string' ? expect.stringContaining(wanted) : expect.stringMatching(wanted),
      );
      if (user !== 'reader' && user !== 'default') expect(body.toString('latin1')).not.toContain('Reader 1');
      if (sent.format) expect(answer.headers.get('x-clickhouse-format')).toBe(sent.format);
      if (sent.params?.query_id) expect(answer.headers.get('x-clickhouse-query-id')).toBe(sent.params.query_id);
      if (sent.sql) expect(answer.headers.get('x-clickhouse-timezone')).toBe(sent.params?.session_timezone ?? 'UTC');
    });
  });

  test('Metabase asks for other nodes of a cluster, and goes on without an answer', async () => {
    const { text } = await ask({ sql: 'SELECT count() = 0 FROM system.clusters WHERE is_local = 0' });
    expect(text).toMatch(/^Code: 497\. /);
  });

  test.each(Object.entries(EXAMPLES))('the statement of the page Connect that asks for %s', async (_, sql) => {
    const { status, text } = await ask({ sql });
    expect([status, text.length]).toEqual([200, expect.any(Number)]);
  });

  test('each format as it is, whoever reads it', async () => {
    const sql = "SELECT arrayJoin(arraySort(groupArray(tid))) AS one FROM clicks WHERE startsWith(tid, 'reader-0')";
    const asService = (format: string) =>
      fetch(`${service.clickhouseUrl}/?database=analytics`, {
        method: 'POST',
        headers: { 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD },
        body: `${sql} FORMAT ${format}`,
      }).then(async (answer) => Buffer.from(await answer.arrayBuffer()).toString('latin1'));
    for (const format of [
      ...['Native', 'RowBinary', 'RowBinaryWithNamesAndTypes', 'JSONCompact', 'JSONCompactEachRowWithNamesAndTypes'],
      ...['TabSeparatedWithNamesAndTypes', 'Arrow', 'ArrowStream', 'Parquet', 'CSVWithNames', 'ODBCDriver2', 'Values'],
    ]) {
      const answer = await fetch(service.clickhouseUrl, {
        method: 'POST',
        headers: { ...login, 'X-ClickHouse-Format': format },
        body: sql,
      });
      const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
      const withoutTime = (one: string) => one.replace(/"elapsed": [\d.e-]+/, '');
      expect([format, answer.status, withoutTime(text)]).toEqual([format, 200, withoutTime(await asService(format))]);
    }
  });

  test('what every user of a server may read, of its own', async () => {
    for (const table of [
      ...['one', 'contributors', 'licenses', 'time_zones', 'collations', 'formats', 'privileges', 'data_type_families'],
      ...['database_engines', 'table_engines', 'table_functions', 'aggregate_function_combinators', 'functions'],
      ...['databases', 'tables', 'columns', 'settings', 'current_roles', 'enabled_roles', 'quota_usage'],
    ])
      expect([table, await read(`SELECT count() > 0 FROM system.${table}`)]).toEqual([table, '1']);
    const schema = ['tables', 'columns', 'schemata', 'key_column_usage', 'referential_constraints', 'statistics'];
    for (const table of [...schema, 'views', 'engines', 'collations', 'character_sets'])
      for (const name of [`information_schema.${table}`, `INFORMATION_SCHEMA.${table.toUpperCase()}`])
        expect([name, await read(`SELECT count() >= 0 FROM ${name}`)]).toEqual([name, '1']);
    expect(await read('SELECT DISTINCT table_schema FROM information_schema.tables')).toBe('analytics');
    expect(await read('SELECT DISTINCT table_schema FROM information_schema.columns')).toBe('analytics');
    expect(await read('SELECT schema_name FROM information_schema.schemata')).toBe('analytics');
    expect(await read('SELECT role_name FROM system.current_roles')).toBe('reader');
    expect(await read("SELECT name, value FROM system.settings WHERE name = 'max_execution_time'")).toBe(
      'max_execution_time\t60',
    );
  });

  test('a patience of more than a minute is a minute', async () => {
    const limit = "SELECT getSetting('max_execution_time')";
    expect(await read(limit, { max_execution_time: '64' })).toBe('60');
    expect(await read(limit, { max_execution_time: '15' })).toBe('15');
  });

  test('an unknown zone', async () => {
    const { status, text } = await ask({ sql: 'SELECT 1', params: { session_timezone: 'Nowhere/Else' } });
    expect([status, text]).toEqual([400, expect.stringContaining('Code: 36. DB::Exception: Invalid time zone')]);
  });

  test('queries of a session come one after the other; of another user or another session at once', async () => {
    const slow = await fetch(`${service.clickhouseUrl}/?session_id=busy`, {
      method: 'POST',
      headers: login,
      body: 'SELECT number FROM numbers(5000000)',
    });
    // Its rows wait to be read: it is under way for as long.
    const locked = await ask({ sql: 'SELECT 1', params: { session_id: 'busy' } });
    expect([locked.status, locked.headers.get('x-clickhouse-exception-code'), locked.text]).toEqual([
      500,
      '373',
      expect.stringContaining('Session busy is locked by a concurrent client. (SESSION_IS_LOCKED)'),
    ]);
    expect((await ask({ sql: 'SELECT 1', params: { session_id: 'idle' } })).text).toBe('1\n');
    const asDefault = { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD };
    expect((await ask({ sql: 'SELECT 1', params: { session_id: 'busy' }, headers: asDefault })).text).toBe('1\n');
    expect((await slow.text()).endsWith('\n4999999\n')).toBe(true);
    // A client that has its answer may ask again at once, whatever the answer was.
    for (const sql of ['SELECT 1', 'SELECT nothing', 'SELECT number FROM numbers(300000)', 'SELECT 1'])
      expect((await ask({ sql, params: { session_id: 'busy' } })).text).not.toContain('SESSION_IS_LOCKED');
  });
});

describe("a ClickHouse server of one's own", () => {
  test('every statement is one that ClickHouse understands', async () => {
    for (const statement of [undefined, 'main'].flatMap((cluster) => [
      ...readerStatements('x', cluster),
      ...projectReaderStatements.create('reader_1_0a1b2c3d', 1, 'x', "{'adtrail.clicks': 'project_id = 1'}", cluster),
      ...projectReaderStatements.renew('reader_1_0a1b2c3d', "{'adtrail.clicks': 'project_id = 1'}", cluster),
      ...schemaGrants('reader_1_0a1b2c3d', cluster),
      ...projectReaderStatements.revoke('reader_1_0a1b2c3d', cluster),
    ])) {
      const [row] = await (
        await service.clickhouse.query({
          query: 'SELECT formatQuerySingleLine({sql:String}) AS text',
          query_params: { sql: statement },
          format: 'JSONEachRow',
        })
      ).json<{ text: string }>();
      expect(row?.text).toMatch(/^(?:CREATE USER|ALTER USER|GRANT|CREATE ROW POLICY|DROP ROW POLICY|DROP USER)/);
      expect(row?.text).not.toContain("'x'");
    }
  });
});

test('the engines know no secrets of the service', () => {
  const engines = fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return /embedded\/(?:clickhouse|postgres)\/process/.test(command)
          ? [fs.readFileSync(`/proc/${pid}/environ`, 'utf8')]
          : [];
      } catch {
        return [];
      }
    })
    .filter((environment) => environment.includes(service.dataDir));
  expect(engines.length).toBeGreaterThanOrEqual(2);
  for (const environment of engines) {
    expect(environment).not.toContain(ADMIN_TOKEN);
    expect(environment).not.toMatch(/^(?:ADMIN_TOKEN|DATABASE_URL|REDIS_URL)=/m);
    expect(environment.split('\0').some((line) => /^(?:ADMIN_TOKEN|DATABASE_URL|REDIS_URL)=/.test(line))).toBe(false);
  }
});

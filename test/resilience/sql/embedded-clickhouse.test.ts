/** The embedded ClickHouse over HTTP: the built process, the real engine, the real client and raw requests. */
import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  TupleParam,
  type ClickHouseClient,
} from '@clickhouse/client';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { packBlocks, unpackBlocks } from '../../../src/embedded/clickhouse/compressed-blocks';

const PROCESS = join(__dirname, '../../../dist/embedded/clickhouse/process.js');
const PASSWORD = "p'w: %";
const SILENT = { level: ClickHouseLogLevel.OFF };
const folder = mkdtempSync(join(tmpdir(), 'adtrail-embedded-test-'));

interface Message {
  type: string;
  port: number;
  message: string;
}
interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}
interface Call {
  method?: string;
  path?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | Buffer;
  auth?: boolean;
}

let child: ChildProcess;
let port: number;
let client: ClickHouseClient;

async function start(path: string, wantedPort = 0): Promise<{ process: ChildProcess; message: Message }> {
  const started = fork(PROCESS, {
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: '32',
      ADTRAIL_CH_PATH: path,
      ADTRAIL_CH_PORT: String(wantedPort),
      ADTRAIL_CH_PASSWORD: PASSWORD,
    },
    execArgv: [],
  });
  const [message] = (await once(started, 'message')) as [Message];
  return { process: started, message };
}

async function boot(): Promise<void> {
  const { process: started, message } = await start(join(folder, 'data'));
  child = started;
  port = message.port;
  client = createClient({ url: `http://127.0.0.1:${port}`, password: PASSWORD, log: SILENT });
}

function send(
  { method = 'POST', path = '/', params = {}, headers = {}, body, auth = true }: Call,
  onResponse?: (res: IncomingMessage) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const search = new URLSearchParams(params).toString();
    const login = auth ? { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': PASSWORD } : {};
    const req = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: search ? `${path}?${search}` : path,
        headers: { ...login, ...headers },
        agent: false,
      },
      (res) => {
        onResponse?.(res);
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const whole = Buffer.concat(chunks);
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: whole, text: whole.toString() });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

const sql = async (query: string) => (await send({ body: query })).text;
const rows = async <Row>(query: string, options: object = {}) =>
  (await client.query({ query, format: 'JSONEachRow', ...options })).json<Row>();
const readSummary = (answer: Answer) =>
  JSON.parse(String(answer.headers['x-clickhouse-summary'])) as Record<string, string>;
const readMemory = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

beforeAll(boot);
afterAll(async () => {
  await client.close();
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('pages', () => {
  test.each([
    ['GET', '/ping'],
    ['HEAD', '/ping'],
    ['GET', '/'],
    ['GET', '/replicas_status'],
  ])('%s %s needs no password', async (method, path) => {
    const answer = await send({ method, path, auth: false });
    expect([answer.status, answer.text]).toEqual([200, method === 'HEAD' ? '' : 'Ok.\n']);
  });

  test('unknown paths and methods', async () => {
    for (const path of ['//[', 'http://[', '/?%', '*'])
      expect([path, (await send({ method: 'GET', path })).status]).toEqual([path, 404]);
    expect((await send({ method: 'GET', path: '/nowhere' })).status).toBe(404);
    expect((await send({ method: 'PUT', body: 'SELECT 1' })).status).toBe(501);
    expect((await send({ method: 'DELETE' })).status).toBe(501);
  });

  test('the client pings', async () => {
    expect((await client.ping()).success).toBe(true);
    expect((await client.ping({ select: true })).success).toBe(true);
  });
});

describe('who may ask', () => {
  test.each<[string, Call]>([
    ['nothing', {}],
    ['a wrong key', { headers: { 'X-ClickHouse-Key': 'x' } }],
    ['another user', { headers: { 'X-ClickHouse-User': 'admin', 'X-ClickHouse-Key': PASSWORD } }],
    ['a wrong parameter', { params: { password: 'x' } }],
    ['wrong basic credentials', { headers: { Authorization: `Basic ${Buffer.from('default:x').toString('base64')}` } }],
    ['a bearer token', { headers: { Authorization: 'Bearer x' } }],
    ['two ways at once', { headers: { 'X-ClickHouse-Key': PASSWORD }, params: { password: PASSWORD } }],
  ])('%s is refused', async (_, call) => {
    const answer = await send({ auth: false, body: 'SELECT 1', ...call });
    expect([answer.status, answer.headers['x-clickhouse-exception-code']]).toEqual([403, '516']);
    expect(answer.text).toContain('(AUTHENTICATION_FAILED)');
    expect(answer.text).not.toContain(PASSWORD);
  });

  test.each<[string, Call]>([
    ['by parameter', { params: { user: 'default', password: PASSWORD } }],
    ['by password alone', { params: { password: PASSWORD } }],
    [
      'by basic credentials',
      { headers: { Authorization: `Basic ${Buffer.from(`default:${PASSWORD}`).toString('base64')}` } },
    ],
    ['by headers', { auth: true }],
  ])('the password %s', async (_, call) => {
    expect((await send({ auth: false, body: 'SELECT 1', ...call })).text).toBe('1\n');
  });

  test("the client sees ClickHouse's own error", async () => {
    const stranger = createClient({ url: `http://127.0.0.1:${port}`, password: 'x', log: SILENT });
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({
      code: '516',
      type: 'AUTHENTICATION_FAILED',
    });
    await stranger.close();
  });

  test('foreign web pages and rebound names are refused, whatever their password', async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${port + 1}` },
      { Host: `evil.example:${port}` },
    ]) {
      const answer = await send({
        headers: headers as unknown as Record<string, string>,
        body: 'CREATE TABLE evil (a Int8) ENGINE = Memory',
      });
      expect([answer.status, answer.headers['x-clickhouse-exception-code']]).toEqual([403, '497']);
    }
    expect((await send({ headers: { Origin: `http://127.0.0.1:${port}` }, body: 'SELECT 1' })).status).toBe(200);
    expect((await send({ headers: { Host: `localhost:${port}` }, body: 'SELECT 1' })).status).toBe(200);
    expect(await sql('EXISTS TABLE evil')).toBe('0\n');
  });
});

describe('the client', () => {
  beforeAll(() =>
    client.command({
      query: `CREATE TABLE events (id UInt32, name String, at DateTime64(3), tags Array(String))
        ENGINE = MergeTree ORDER BY id`,
    }),
  );
  const row = (id: number) => ({
    id,
    name: `it's "${id}"\t\\ \n\n ü 🎈; DROP TABLE events`,
    at: '2026-01-02 03:04:05.678',
    tags: ["a'b", ''],
  });

  test('inserts an array and reads it back in several formats', async () => {
    const result = await client.insert({ table: 'events', values: [row(1), row(2)], format: 'JSONEachRow' });
    expect(result.summary).toMatchObject({ written_rows: '2' });
    expect(await rows('SELECT * FROM events ORDER BY id')).toEqual([row(1), row(2)]);
    const json = await (
      await client.query({ query: 'SELECT id FROM events ORDER BY id', format: 'JSON' })
    ).json<{ id: number }>();
    expect([json.data, json.rows]).toEqual([[{ id: 1 }, { id: 2 }], 2]);
    const csv = await (
      await client.query({ query: 'SELECT id FROM events ORDER BY id', format: 'CSVWithNames' })
    ).text();
    expect(csv).toBe('"id"\n1\n2\n');
  });

  test('inserts a stream and reads a stream', async () => {
    const values = Readable.from(
      (function* () {
        for (let id = 1000; id < 21_000; id += 1) yield row(id);
      })(),
    );
    await client.insert({ table: 'events', values, format: 'JSONEachRow' });
    const stream = (
      await client.query({ query: 'SELECT * FROM events WHERE id >= 1000 ORDER BY id', format: 'JSONEachRow' })
    ).stream<ReturnType<typeof row>>();
    let next = 1000;
    for await (const part of stream) for (const each of part) expect(each.json().id).toBe(next++);
    expect(next).toBe(21_000);
  });

  test('inserts named columns, nothing at all, and compressed', async () => {
    await client.insert({
      table: 'events',
      values: [{ id: 3, ignored: 1 }],
      columns: ['id'],
      format: 'JSONEachRow',
      clickhouse_settings: { input_format_skip_unknown_fields: 1 },
    });
    await client.insert({ table: 'events', values: Readable.from([]), format: 'JSONEachRow' });
    const packing = createClient({
      url: `http://127.0.0.1:${port}`,
      password: PASSWORD,
      compression: { request: true, response: true },
      log: SILENT,
    });
    await packing.insert({ table: 'events', values: [row(4)], format: 'JSONEachRow' });
    expect(
      await (
        await packing.query({
          query: 'SELECT id FROM events WHERE id IN (3, 4) ORDER BY id',
          format: 'JSONCompactEachRow',
        })
      ).json(),
    ).toEqual([[3], [4]]);
    await expect(packing.query({ query: 'SELECT nothing' })).rejects.toMatchObject({ code: '47' });
    await packing.close();
  });

  test('exec and command', async () => {
    const { stream } = await client.exec({ query: 'SELECT 1 AS one FORMAT CSV' });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('1\n');
    await client
      .exec({
        query: 'INSERT INTO events FORMAT JSONEachRow',
        values: Readable.from([JSON.stringify(row(5))], { objectMode: false }),
      })
      .then(({ stream: rest }) => rest.resume());
    await client.command({
      query: 'ALTER TABLE events DELETE WHERE id = 5',
      clickhouse_settings: { mutations_sync: '1' },
    });
    expect(
      await rows('SELECT count() AS n FROM events WHERE id = 5', {
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      }),
    ).toEqual([{ n: 0 }]);
    const { summary } = await client.command({
      query: 'INSERT INTO events (id) SELECT number + 50000 FROM numbers(7)',
    });
    expect(summary?.written_rows).toBe('7');
  });

  test('errors carry code, type and text', async () => {
    const wrong: [string, string, string][] = [
      ['SELECT 1 +', '62', 'SYNTAX_ERROR'],
      ['SELECT * FROM nowhere', '60', 'UNKNOWN_TABLE'],
      ['SELECT nothing', '47', 'UNKNOWN_IDENTIFIER'],
      ['SELECT nofunction()', '46', 'UNKNOWN_FUNCTION'],
      ["SELECT toDate('x')", '38', 'CANNOT_PARSE_DATE'],
      ['SELECT throwIf(1)', '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
      ['SELECT {missing:String}', '456', 'UNKNOWN_QUERY_PARAMETER'],
      ["SELECT 1 INTO OUTFILE '/tmp/x'", '358', 'INTO_OUTFILE_NOT_ALLOWED'],
      ['SELECT 1; SELECT 2', '62', 'SYNTAX_ERROR'],
      ["INSERT INTO events SELECT 'x', 1, 2, 3, 4", '20', 'NUMBER_OF_COLUMNS_DOESNT_MATCH'],
      ['1 + 1', '62', 'SYNTAX_ERROR'],
    ];
    for (const [query, code, type] of wrong) {
      const error = await client.exec({ query }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ClickHouseError);
      expect([query, (error as ClickHouseError).code, (error as ClickHouseError).type]).toEqual([query, code, type]);
      expect((error as ClickHouseError).message).not.toMatch(/Code:|version|OUTFILE '\/tmp\/adtrail|DB::Exception/);
    }
    await expect(
      client.insert({ table: 'events', values: [{ id: 'x' }], format: 'JSONEachRow' }),
    ).rejects.toMatchObject({ code: '27' });
    await expect(client.insert({ table: 'nowhere', values: [{ id: 1 }], format: 'JSONEachRow' })).rejects.toMatchObject(
      { code: '60' },
    );
  });
});

describe('query parameters', () => {
  const nasty = "it's \\ \\\\ \t\n\r\b\f\0 \" ` ü 🎈 '; DROP TABLE events; -- {x:String} \\N \\' $$ ";
  test.each<[string, unknown, unknown]>([
    ['String', nasty, nasty],
    ['String', '', ''],
    ['String', '\\N', '\\N'],
    ['String', '5; SELECT 2', '5; SELECT 2'],
    ['Nullable(String)', null, null],
    ['Nullable(String)', nasty, nasty],
    ['LowCardinality(String)', 'x', 'x'],
    ['Array(String)', [nasty, "b','c", ''], [nasty, "b','c", '']],
    ['Array(Array(UInt8))', [[1], [], [2, 3]], [[1], [], [2, 3]]],
    ['Array(Nullable(String))', ['a', null], ['a', null]],
    ['Array(UInt8)', [], []],
    ['Map(String, String)', { "k'1": nasty }, { "k'1": nasty }],
    ['Map(String, UInt8)', new Map([['a', 1]]), { a: 1 }],
    ['Tuple(UInt8, String)', new TupleParam([1, nasty]), [1, nasty]],
    ['UInt8', 255, 255],
    ['Int64', -5n, '-5'],
    ['Float64', 1.5, 1.5],
    ['Bool', true, true],
    ['Date', '2026-02-03', '2026-02-03'],
    ['DateTime', new Date('2026-02-03T04:05:06Z'), '2026-02-03 04:05:06'],
    ['DateTime64(3)', new Date('2026-02-03T04:05:06.789Z'), '2026-02-03 04:05:06.789'],
    ['UUID', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ['Decimal(18, 4)', '12.3400', 12.34],
    ['IPv4', '1.2.3.4', '1.2.3.4'],
  ])('%s %j', async (type, value, expected) => {
    const settings = { output_format_json_quote_64bit_integers: 1 as const };
    expect(
      await rows(`SELECT {x:${type}} AS x`, { query_params: { x: value }, clickhouse_settings: settings }),
    ).toEqual([{ x: expected }]);
    const form = await client.query({
      query: `SELECT {x:${type}} AS x`,
      format: 'JSONEachRow',
      query_params: { x: value },
      use_multipart_params: true,
      clickhouse_settings: settings,
    });
    expect(await form.json()).toEqual([{ x: expected }]);
  });

  test('identifiers, several at once, in inserts and in DDL', async () => {
    await client.command({
      query: 'CREATE TABLE {t:Identifier} (`a b` String) ENGINE = Memory',
      query_params: { t: 'odd`name' },
    });
    await client.command({
      query: 'INSERT INTO {t:Identifier} SELECT {v:String}',
      query_params: { t: 'odd`name', v: nasty },
    });
    await client.command({
      query: 'INSERT INTO {t:Identifier} VALUES ({v:String})',
      query_params: { t: 'odd`name', v: "'), ('x" },
    });
    expect(
      await rows('SELECT {c:Identifier} AS v FROM {t:Identifier} ORDER BY length(v)', {
        query_params: { t: 'odd`name', c: 'a b' },
      }),
    ).toEqual([{ v: "'), ('x" }, { v: nasty }]);
    await expect(
      rows('SELECT 1 FROM {t:Identifier}', { query_params: { t: 'x; DROP TABLE events' } }),
    ).rejects.toMatchObject({ code: '60' });
  });

  test('values that do not fit, and bad names', async () => {
    await expect(rows('SELECT {x:UInt8} AS x', { query_params: { x: '1; SELECT 2' } })).rejects.toMatchObject({
      code: '457',
    });
    expect(
      (await send({ params: { "param_a'; DROP TABLE events; --": '1' }, body: 'SELECT 1' })).headers[
        'x-clickhouse-exception-code'
      ],
    ).toBe('36');
    await expect(rows('SELECT {x:String} AS x')).rejects.toMatchObject({ code: '456' });
  });

  test('raw values are in escaped form, as ClickHouse takes them', async () => {
    expect((await send({ params: { param_x: 'a\\tb\\\\c' }, body: 'SELECT hex({x:String})' })).text).toBe(
      '6109625C63\n',
    );
    expect(
      (await send({ params: { param_x: 'a\tb' }, body: 'SELECT {x:String}' })).headers['x-clickhouse-exception-code'],
    ).toBe('457');
  });
});

describe('settings', () => {
  test('last for one request', async () => {
    const read = "SELECT getSetting('max_threads') AS n";
    expect(await rows(read, { clickhouse_settings: { max_threads: 7 } })).toEqual([{ n: 7 }]);
    await sql('SET max_threads = 9');
    const after = await Promise.all(Array.from({ length: 20 }, () => sql(read)));
    expect(new Set(after.map((text) => text.trim()))).not.toContain('7');
    expect(new Set(after.map((text) => text.trim()))).not.toContain('9');
    await sql('CREATE TEMPORARY TABLE passing (a Int8)');
    expect(await sql('SELECT * FROM passing')).toContain('(UNKNOWN_TABLE)');
  });

  test('unknown ones and wrong values are errors, those of the interface are not', async () => {
    const unknown = await send({ params: { no_such_setting: '1' }, body: 'SELECT 1' });
    expect([unknown.status, unknown.headers['x-clickhouse-exception-code']]).toEqual([404, '115']);
    expect((await send({ params: { max_threads: "1', readonly='0" }, body: 'SELECT 1' })).status).toBe(400);
    expect(
      (await send({ params: { 'max_threads=1, x': '1' }, body: 'SELECT 1' })).headers['x-clickhouse-exception-code'],
    ).toBe('115');
    const params = {
      wait_end_of_query: '1',
      buffer_size: '1',
      send_progress_in_http_headers: '1',
      http_headers_progress_interval_ms: '100',
      cancel_http_readonly_queries_on_client_close: '1',
      quota_key: 'q',
      role: 'r',
      session_timeout: '5',
      client_protocol_version: '1',
      http_write_exception_in_output_format: '0',
    };
    expect((await send({ params, body: 'SELECT 1' })).text).toBe('1\n');
  });

  test('nothing is kept in a session, which takes one query after the other', async () => {
    const params = { session_id: 'mine', session_timeout: '60', session_check: '1' };
    await send({ params, body: 'SET max_threads = 9' });
    await send({ params, body: 'CREATE TEMPORARY TABLE passing (a Int8)' });
    expect((await send({ params, body: 'SELECT * FROM passing' })).text).toContain('(UNKNOWN_TABLE)');
    let slow: Promise<Answer> | undefined;
    const response = await new Promise<IncomingMessage>((resolve) => {
      slow = send({ params, body: 'SELECT number FROM numbers(3000000)' }, resolve);
    });
    // Its rows wait to be read: it is under way for as long.
    response.pause();
    const second = await send({ params, body: 'SELECT 1' });
    expect([second.status, second.headers['x-clickhouse-exception-code']]).toEqual([500, '373']);
    response.resume();
    expect((await slow)?.text.endsWith('\n2999999\n')).toBe(true);
    expect((await send({ params, body: 'SELECT 1' })).text).toBe('1\n');
    const forever = await send({ params: { ...params, session_timeout: 'x' }, body: 'SELECT 1' });
    expect(forever.headers['x-clickhouse-exception-code']).toBe('374');
  });

  test('database, by parameter and header', async () => {
    expect((await send({ params: { database: 'system' }, body: 'SELECT currentDatabase()' })).text).toBe('system\n');
    expect((await send({ headers: { 'X-ClickHouse-Database': 'system' }, body: 'SELECT dummy FROM one' })).text).toBe(
      '0\n',
    );
    const unknown = await send({ params: { database: 'no`where\\' }, body: 'SELECT 1' });
    expect([unknown.status, unknown.headers['x-clickhouse-exception-code']]).toEqual([404, '81']);
  });

  test("default format, by parameter and header; the query's own wins", async () => {
    const one = { body: 'SELECT 1 AS a' };
    expect((await send({ ...one, params: { default_format: 'JSONEachRow' } })).text).toBe('{"a":1}\n');
    const header = await send({ ...one, headers: { 'X-ClickHouse-Format': 'csvwithnames' } });
    expect([header.text, header.headers['x-clickhouse-format'], header.headers['content-type']]).toEqual([
      '"a"\n1\n',
      'CSVWithNames',
      'text/csv; charset=UTF-8; header=present',
    ]);
    expect((await send({ body: 'SELECT 1 AS a FORMAT TSV', params: { default_format: 'JSON' } })).text).toBe('1\n');
    expect(
      (await send({ ...one, params: { default_format: 'CSV; DROP TABLE events' } })).headers[
        'x-clickhouse-exception-code'
      ],
    ).toBe('73');
    const types = await Promise.all(
      ['JSON', 'Parquet', 'TSV', 'XML'].map(
        async (format) => (await send({ body: `SELECT 1 FORMAT ${format}` })).headers['content-type'],
      ),
    );
    expect(types).toEqual([
      'application/json; charset=UTF-8',
      'application/octet-stream',
      'text/tab-separated-values; charset=UTF-8',
      'application/xml; charset=UTF-8',
    ]);
  });
});

describe('raw requests', () => {
  beforeAll(() => sql('CREATE TABLE raw (b String) ENGINE = MergeTree ORDER BY tuple()'));
  beforeEach(() => sql('TRUNCATE TABLE raw'));
  const stored = async () => (await sql('SELECT hex(b) FROM raw FORMAT CSV')).replaceAll('"', '');

  test('the query in the URL, the data in the body, byte for byte', async () => {
    const binary = Buffer.from([9, 0xff, 0x0a, 0x0a, 0x00, 0x3b, 0x27, 0x5c, 0x0d, 0xfe]);
    const answer = await send({ params: { query: 'INSERT INTO raw FORMAT RowBinary' }, body: binary });
    expect(readSummary(answer).written_rows).toBe('1');
    expect(await stored()).toBe('FF0A0A003B275C0DFE\n');
  });

  test('query and binary data both in the body', async () => {
    const binary = Buffer.from([4, 0x0a, 0x0a, 0xff, 0x00]);
    await send({ body: Buffer.concat([Buffer.from('INSERT INTO raw FORMAT RowBinary\n'), binary]) });
    expect(await stored()).toBe('0A0AFF00\n');
  });

  test('CSV with empty lines, VALUES with everything, settings after the format', async () => {
    await send({ params: { query: 'INSERT INTO raw FORMAT CSV' }, body: '"a\n\nb"\n"; DROP TABLE raw"\n' });
    await sql("INSERT INTO raw VALUES ('c\n\nd'), (concat('e', 'f'))\n\n, ('g')");
    await sql(
      'INSERT INTO raw FORMAT JSONEachRow SETTINGS input_format_skip_unknown_fields = 1\n' +
        '{"b": "h", "x": 1}\n\n{"b": "i"}',
    );
    await send({ params: { query: "INSERT INTO raw VALUES ('j')" } });
    expect(
      (await sql('SELECT b FROM raw ORDER BY b FORMAT JSONCompactEachRow'))
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as string[])[0]),
    ).toEqual(['; DROP TABLE raw', 'a\n\nb', 'c\n\nd', 'ef', 'g', 'h', 'i', 'j']);
  });

  test('a failed insert leaves nothing behind and names no file', async () => {
    const answer = await send({ params: { query: 'INSERT INTO raw FORMAT JSONEachRow' }, body: '{"b": "x"}\n{"b": ' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('adtrail');
    expect(await stored()).toBe('');
  });

  test('gzip both ways', async () => {
    await send({
      params: { query: 'INSERT INTO raw FORMAT CSV' },
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync('zipped\n'),
    });
    expect(await stored()).toBe('7A6970706564\n');
    const packed = await send({
      params: { enable_http_compression: '1' },
      headers: { 'Accept-Encoding': 'gzip' },
      body: 'SELECT number FROM numbers(1000000)',
    });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).toString().split('\n')).toHaveLength(1_000_001);
    const small = await send({
      params: { enable_http_compression: '1' },
      headers: { 'Accept-Encoding': 'gzip' },
      body: 'SELECT 1',
    });
    expect(gunzipSync(small.body).toString()).toBe('1\n');
    expect((await send({ headers: { 'Accept-Encoding': 'gzip' }, body: 'SELECT 1' })).text).toBe('1\n');
    expect((await send({ headers: { 'Content-Encoding': 'gzip' }, body: 'SELECT 1' })).status).toBe(400);
    expect(
      (await send({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('SELECT 1').subarray(0, 20) })).status,
    ).toBe(400);
    expect((await send({ headers: { 'Content-Encoding': 'zzz' }, body: 'SELECT 1' })).status).toBe(501);
  });

  test('a body larger than memory would like goes through a file', async () => {
    const line = `${'x'.repeat(999)}\n`;
    const answer = await send({ params: { query: 'INSERT INTO raw FORMAT TSV' }, body: line.repeat(40_000) });
    expect(readSummary(answer).written_rows).toBe('40000');
    const inBody = await send({ body: `INSERT INTO raw FORMAT TSV\n${line.repeat(20_000)}` });
    expect(readSummary(inBody).written_rows).toBe('20000');
    expect((await send({ body: `SELECT '${line.repeat(20_000)}'` })).status).toBe(413);
  });

  test('GET reads only', async () => {
    expect((await send({ method: 'GET', params: { query: 'SELECT 1' } })).text).toBe('1\n');
    expect((await send({ method: 'HEAD', params: { query: 'SELECT 1' } })).status).toBe(200);
    for (const query of [
      'CREATE TABLE got (a Int8) ENGINE = Memory',
      'DROP TABLE raw',
      "INSERT INTO raw VALUES ('x')",
      "INSERT INTO FUNCTION file('/tmp/adtrail-got', 'CSV', 'a Int8') SELECT 1",
      'SET readonly = 0',
      'SELECT 1 SETTINGS readonly = 0',
      'SYSTEM STOP MERGES',
      'KILL QUERY WHERE 1',
      'ALTER TABLE raw DELETE WHERE 1',
      'RENAME TABLE raw TO raw2',
      'TRUNCATE TABLE raw',
      'OPTIMIZE TABLE raw',
      'DETACH TABLE raw',
      'DELETE FROM raw WHERE 1',
      'CREATE DATABASE got',
      'CREATE FUNCTION got AS x -> x',
      "BACKUP TABLE raw TO File('got')",
      'EXCHANGE TABLES raw AND events',
    ]) {
      const answer = await send({ method: 'GET', params: { query } });
      expect([query, answer.headers['x-clickhouse-exception-code']]).toEqual([query, '164']);
    }
    expect((await send({ method: 'GET', params: { query: 'DROP TABLE raw' } })).text).toContain(
      'method GET implies readonly. You should use method POST',
    );
    expect(
      (await send({ method: 'GET', params: { query: 'SELECT 1', readonly: '0' } })).headers[
        'x-clickhouse-exception-code'
      ],
    ).toBe('164');
    expect((await send({ method: 'GET', params: { query: 'SELECT 1', readonly: '1', max_threads: '1' } })).text).toBe(
      '1\n',
    );
    for (const body of ['DROP TABLE raw', "INSERT INTO FUNCTION file('/tmp/adtrail-got', 'CSV', 'a Int8') SELECT 1"]) {
      expect((await send({ params: { readonly: '2' }, body })).headers['x-clickhouse-exception-code']).toBe('164');
    }
  });

  test('headers of an answer', async () => {
    const answer = await send({ params: { query_id: 'my-id' }, body: 'SELECT number FROM numbers(3) FORMAT JSON' });
    expect(answer.headers).toMatchObject({
      'x-clickhouse-query-id': 'my-id',
      'x-clickhouse-format': 'JSON',
      'x-clickhouse-timezone': 'UTC',
    });
    expect(answer.headers['x-clickhouse-exception-tag']).toMatch(/^[0-9a-f]{16}$/);
    expect(readSummary(answer)).toMatchObject({ result_rows: '3', written_rows: '0', total_rows_to_read: '0' });
    expect((await send({ body: 'SELECT 1' })).headers['x-clickhouse-query-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(await sql('SELECT timezone()')).toMatch(/UTC/);
  });

  test('every statement with output answers', async () => {
    for (const query of [
      'SHOW TABLES FROM system',
      'SHOW DATABASES',
      'SHOW CREATE TABLE raw',
      'DESCRIBE raw',
      'EXPLAIN SELECT 1',
      'EXISTS raw',
      'FROM one SELECT 1',
      '(SELECT 1) UNION ALL (SELECT 2)',
      'WITH 1 AS x SELECT x',
    ]) {
      const answer = await send({ params: { database: query.startsWith('FROM') ? 'system' : 'default' }, body: query });
      expect([query, answer.status, answer.body.length > 0]).toEqual([query, 200, true]);
    }
    expect((await send({ body: "SHOW TABLES FROM system LIKE 'one' FORMAT JSONEachRow" })).text).toBe(
      '{"name":"one"}\n',
    );
    expect((await send({ body: "SHOW TABLES FROM system LIKE 'one'" })).text).toBe('one\n');
    for (const query of [
      'SELECT 1 FORMAT Null',
      'SELECT 1 WHERE 0',
      'KILL QUERY WHERE 0',
      'OPTIMIZE TABLE raw',
      'USE system',
      "SELECT '' WHERE 0 FORMAT CSV",
    ]) {
      expect([query, (await send({ body: query })).status]).toEqual([query, 200]);
    }
  });

  test('formats that fail while they start do not cost a slot', async () => {
    for (let round = 0; round < 20; round += 1) {
      expect((await send({ body: 'SELECT 1 FORMAT Form' })).headers['x-clickhouse-exception-code']).toBe('399');
      expect((await send({ body: 'SELECT 1::UInt256 FORMAT Avro' })).status).toBe(500);
    }
    expect(await sql('SELECT 1')).toBe('1\n');
  });

  test('empty queries', async () => {
    for (const body of ['', ' ; ', '-- nothing'])
      expect((await send({ body })).headers['x-clickhouse-exception-code']).toBe('62');
  });
});

describe('what clients compress', () => {
  const unpacked = async (body: Buffer) =>
    Buffer.concat(await Readable.from(unpackBlocks(Readable.from([body]))).toArray()).toString();

  test('compress=1: blocks of LZ4 with their checksums, errors too', async () => {
    const one = await send({ params: { compress: '1' }, body: 'SELECT 1' });
    // As a client of another make reads it: header, one token of two literals, the text.
    expect(one.body.subarray(16).toString('hex')).toBe('820c0000000200000020310a');
    const many = await send({ params: { compress: '1' }, body: 'SELECT number FROM numbers(500000)' });
    expect(await unpacked(many.body)).toBe(Array.from({ length: 500_000 }, (_, index) => `${index}\n`).join(''));
    const wrong = await send({ params: { compress: '1' }, body: 'SELECT nothing' });
    expect([wrong.status, wrong.headers['x-clickhouse-exception-code']]).toEqual([404, '47']);
    expect(await unpacked(wrong.body)).toMatch(/^Code: 47\. DB::Exception/);
    const both = await send({
      params: { compress: '1', enable_http_compression: '1' },
      headers: { 'Accept-Encoding': 'gzip' },
      body: 'SELECT 1',
    });
    expect(await unpacked(gunzipSync(both.body))).toBe('1\n');
    expect((await send({ params: { compress: '0' }, body: 'SELECT 1' })).text).toBe('1\n');
  });

  test('decompress=1: statements and rows', async () => {
    expect((await send({ params: { decompress: '1' }, body: packBlocks(Buffer.from('SELECT 1')) })).text).toBe('1\n');
    await sql('CREATE TABLE packed (a UInt32) ENGINE = MergeTree ORDER BY a');
    const rowsOfThree = Array.from({ length: 400_000 }, (_, index) => `${index}\n`).join('');
    const insert = { params: { decompress: '1', query: 'INSERT INTO packed FORMAT TSV' } };
    expect((await send({ ...insert, body: packBlocks(Buffer.from(rowsOfThree)) })).status).toBe(200);
    expect(await sql('SELECT count(), sum(a) FROM packed')).toBe('400000\t79999800000\n');
    const broken = packBlocks(Buffer.from('1\n'));
    broken.writeUInt8(0x32, broken.length - 2);
    for (const [body, code] of [
      [broken, '40'],
      [packBlocks(Buffer.from('1\n')).subarray(0, -1), '271'],
      [Buffer.from('INSERT INTO packed VALUES (1), (2), (3)'), '271'],
    ] as const) {
      const answer = await send({ ...insert, body });
      expect([answer.status, answer.headers['x-clickhouse-exception-code']]).toEqual([400, code]);
    }
    expect(await sql('SELECT count() FROM packed')).toBe('400000\n');
  });

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['lz4,zstd,br,gzip,deflate', 'gzip'],
    ['br', 'br'],
    ['deflate', 'deflate'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip;q=0, br', 'br'],
    ['zstd', undefined],
    ['lz4', undefined],
    ['snappy, xz', undefined],
    ['*', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s', async (accepted, encoding) => {
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync };
    for (const rowsOfAnswer of [3, 1_000_000]) {
      const answer = await send({
        params: { enable_http_compression: '1' },
        headers: { 'Accept-Encoding': accepted },
        body: `SELECT number FROM numbers(${rowsOfAnswer})`,
      });
      expect(answer.headers['content-encoding']).toBe(encoding);
      const decode = encoding ? decoders[encoding as keyof typeof decoders] : (body: Buffer) => body;
      expect(decode(answer.body).toString().trimEnd().split('\n')).toHaveLength(rowsOfAnswer);
    }
  });
});

describe('Native for clients that name their version of the protocol', () => {
  const BLOCK = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]);
  const LAST = Buffer.from('\x06finish\x06String', 'latin1');
  const native = async (body: string, version: number) => {
    const params = { default_format: 'Native', client_protocol_version: String(version), max_threads: '1' };
    const answer = await send({ params, body });
    expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);
    return answer.body;
  };

  /** Blocks of two columns, the last of them texts of seven letters, with what goes before each block and column. */
  function withVersion(plain: Buffer, type: string, beforeData: Buffer): Buffer {
    const length = type.length < 128 ? [type.length] : [(type.length & 0x7f) | 0x80, type.length >> 7];
    const first = Buffer.concat([Buffer.from('\x05value'), Buffer.from(length), Buffer.from(type)]);
    const parts: Buffer[] = [];
    for (let at = 0; at < plain.length;) {
      const found = plain.indexOf(first, at);
      if (found < 0) throw new Error(`No column of the type ${type} in ${plain.toString('latin1', at, at + 100)}`);
      const begin = found + first.length;
      const data = plain.indexOf(LAST, begin) + LAST.length;
      const rowCount = begin - first.length - at === 2 ? plain.readUInt8(at + 1) : 300;
      const end = data + rowCount * 8;
      const [head, values, texts] = [plain.subarray(at, begin), plain.subarray(begin, data), plain.subarray(data, end)];
      parts.push(BLOCK, head, beforeData, values, beforeData, texts);
      at = end;
    }
    return Buffer.concat(parts);
  }

  test.each([
    ...['number', 'toUInt8(number)', 'toInt16(number)', 'toInt128(number)', 'toUInt256(number)', 'toFloat32(number)'],
    ...['toString(number)', "repeat('x', number * 100)", "toFixedString('abc', 3)", 'number > 1', 'NULL', "''"],
    ...['toDate(number)', 'toDate32(number)', 'toDateTime(number)', "toDateTime64(number, 3, 'UTC')"],
    ...['toDecimal32(number, 2)', 'toDecimal64(number, 2)', 'toDecimal128(number, 9)', 'toDecimal256(number, 9)'],
    ...["toIPv4('1.2.3.4')", "toIPv6('::1')", "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", 'INTERVAL 1 DAY'],
    ...["CAST(1, 'Enum8(\\'a (b), c\\' = 1, \\'x\\' = 2)')", "CAST('x', 'Enum16(\\'x\\' = 300)')", 'toBFloat16(1)'],
    ...['nullIf(number, 1)', "nullIf(toString(number), '1')", 'toNullable(toDecimal128(1, 9))'],
    ...['toLowCardinality(toString(number % 7))', "toLowCardinality(nullIf(toString(number % 7), '3'))"],
    ...['toLowCardinality(toString(number))', 'range(number % 9)', '[]', '[nullIf(number, 1)]', 'tuple(number)'],
    ...['arrayMap(x -> toString(x), range(number % 5))', '[range(number % 3), range(2)]', "map('k', number)"],
    ...['arrayMap(x -> toLowCardinality(toString(x)), range(number % 5))', 'map(toString(number), [number])'],
    ...["CAST(map(), 'Map(LowCardinality(String), UInt8)')", '(number, toString(number), [(1, NULL)])'],
    ...["CAST((1, 'x'), 'Tuple(a UInt8, `b c, (` Nullable(String))')", "CAST([[(1., 2.)]], 'Polygon')"],
    ...[
      "CAST([(1, 'x')], 'Nested(a UInt8, b String)')",
      "CAST((1., 2.), 'Point')",
      '(toLowCardinality(toString(1)), 2)',
    ],
    "CAST([], 'Array(Tuple(rule String, id UUID, at DateTime64(3, \\'UTC\\'), c LowCardinality(String)))')",
    "[tuple('exact', toDateTime64(0, 3), toLowCardinality('x'), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'))]",
  ])('%s', async (expression) => {
    // Blocks of 300, 300 and 100 rows.
    const query = `SELECT ${expression} AS value, 'the end' AS finish FROM numbers(700) SETTINGS max_block_size = 300`;
    const shown = (await sql(`SELECT toTypeName(${expression}) FROM numbers(1) FORMAT TSVRaw`)).trimEnd();
    const type = shown.replace(/\(\n\s*/g, '(').replace(/\n\s*/g, ' ');
    const plain = await native(query, 0);
    expect(plain.toString('latin1').split(LAST.toString('latin1'))).toHaveLength(4);
    expect((await native(query, 54_460)).equals(withVersion(plain, type, Buffer.of(0)))).toBe(true);
    expect((await native(query, 54_405)).equals(withVersion(plain, type, Buffer.alloc(0)))).toBe(true);
  });

  test('no rows, no version, and what cannot be done says so', async () => {
    const nothing = await native('SELECT 1 AS a WHERE 0', 0);
    const expected = nothing.length === 0 ? nothing : Buffer.concat([BLOCK, nothing, Buffer.of(0)]);
    expect(await native('SELECT 1 AS a WHERE 0', 54_460)).toEqual(expected);
    const text = await send({ params: { client_protocol_version: '54460' }, body: 'SELECT 1' });
    expect(text.text).toBe('1\n');
    const dynamic = await send({
      params: { default_format: 'Native', client_protocol_version: '54460' },
      body: 'SELECT 1::Dynamic AS a',
    });
    expect([dynamic.status, dynamic.headers['x-clickhouse-exception-code']]).toEqual([501, '48']);
    const many = await native('SELECT number, toString(number) AS text FROM numbers(1000000)', 54_460);
    expect(many.subarray(-7).toString()).toBe('\u0006999999');
  });
});

describe('side by side', () => {
  test('eight slow queries take the time of one, and an insert does not wait for them', async () => {
    await sql('CREATE TABLE side (a UInt32) ENGINE = MergeTree ORDER BY a');
    const began = Date.now();
    let ended = 0;
    const slow = Array.from({ length: 16 }, () => sql('SELECT sleep(1)').finally(() => (ended += 1)));
    await sleep(100);
    await client.insert({ table: 'side', values: [{ a: 1 }], format: 'JSONEachRow' });
    expect(ended).toBe(0);
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['0\n']));
    expect(Date.now() - began).toBeLessThan(5000);
  });

  test('parameters and settings of parallel requests do not mix', async () => {
    const asked = Array.from({ length: 300 }, (_, index) => index);
    const got = await Promise.all(
      asked.map((x) =>
        rows<{ x: number; n: number }>("SELECT {x:UInt32} AS x, getSetting('max_threads') AS n", {
          query_params: { x },
          clickhouse_settings: { max_threads: (x % 5) + 1 },
        }),
      ),
    );
    expect(got.flat().map((each) => [each.x, each.n])).toEqual(asked.map((x) => [x, (x % 5) + 1]));
  });
});

describe('large results', () => {
  const GIGABYTE = "SELECT number, repeat('x', 90) FROM numbers(10000000)";

  test.each([
    ['fast', 0],
    ['slowly', 2],
  ])(
    'a gigabyte read %s leaves memory flat',
    async (_, pauseMs) => {
      await sql('SELECT count() FROM numbers(10000000)');
      const [before, ownBefore] = [readMemory(child.pid ?? 0), process.memoryUsage.rss() / 1e6];
      let most = 0;
      let bytes = 0;
      const watch = setInterval(() => {
        most = Math.max(most, readMemory(child.pid ?? 0));
      }, 100);
      const limit = pauseMs > 0 ? 100_000_000 : Infinity;
      await new Promise<void>((resolve, reject) => {
        const req = request(
          { host: '127.0.0.1', port, method: 'POST', agent: false, headers: { 'X-ClickHouse-Key': PASSWORD } },
          (res) => {
            res.on('data', (chunk: Buffer) => {
              bytes += chunk.length;
              if (bytes > limit) {
                res.destroy();
                resolve();
              } else if (pauseMs > 0) {
                res.pause();
                setTimeout(() => res.resume(), pauseMs);
              }
            });
            res.on('end', resolve);
            res.on('error', (error) => (bytes > limit ? resolve() : reject(error)));
          },
        );
        req.on('error', (error) => (bytes > limit ? resolve() : reject(error)));
        req.end(GIGABYTE);
      });
      clearInterval(watch);
      expect(bytes).toBeGreaterThan(pauseMs > 0 ? 100_000_000 : 980_000_000);
      expect(most - before).toBeLessThan(300);
      expect(process.memoryUsage.rss() / 1e6 - ownBefore).toBeLessThan(300);
    },
    360_000,
  );

  test('an error in the middle: the client gets it, curl sees a broken transfer', async () => {
    const query = 'SELECT number, throwIf(number = 5000000) AS n FROM numbers(10000000)';
    const result = await client.query({ query, format: 'JSONEachRow', clickhouse_settings: { max_threads: 1 } });
    const read = async () => {
      for await (const part of result.stream()) expect(part.length).toBeGreaterThan(0);
    };
    const error: unknown = await read().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const key = `X-ClickHouse-Key: ${PASSWORD}`;
    const curl = await new Promise<{ code: unknown; tail: string }>((resolve) => {
      const options = { maxBuffer: 1e9, encoding: 'latin1' as const };
      const file = join(folder, 'key');
      writeFileSync(file, key);
      execFile(
        'curl',
        ['-sS', '-H', `@${file}`, `http://127.0.0.1:${port}/`, '--data-binary', query],
        options,
        (failed, stdout) => resolve({ code: failed?.code, tail: stdout.slice(-2000) }),
      );
    });
    expect(curl.code).toBe(18);
    expect(curl.tail).toMatch(
      new RegExp(
        '\\r\\n__exception__\\r\\n([0-9a-f]{16})\\r\\nCode: 395\\. DB::Exception: .*' +
          '\\(FUNCTION_THROW_IF_VALUE_IS_NON_ZERO\\) \\(version [^)]+\\)\\n\\d+ \\1\\r\\n__exception__\\r\\n$',
        's',
      ),
    );
    const packed = await new Promise<string>((resolve) => {
      const args = [
        '-sS',
        '--compressed',
        '-H',
        `@${join(folder, 'key')}`,
        `http://127.0.0.1:${port}/?enable_http_compression=1`,
        '--data-binary',
        query,
      ];
      execFile('curl', args, { maxBuffer: 1e9, encoding: 'latin1' }, (_failed, stdout) => resolve(stdout.slice(-2000)));
    });
    expect(packed).toMatch(/\r\n__exception__\r\n$/);
  });

  test('wait_end_of_query turns it into a plain error', async () => {
    const answer = await send({
      params: { wait_end_of_query: '1' },
      body: 'SELECT number, throwIf(number = 2000000) FROM numbers(10000000)',
    });
    expect([answer.status, answer.headers['x-clickhouse-exception-code']]).toEqual([500, '395']);
  });

  test('clients that leave do no harm', async () => {
    const leave = (query: string, afterMs: number) =>
      new Promise<void>((resolve) => {
        const req = request(
          { host: '127.0.0.1', port, method: 'POST', agent: false, headers: { 'X-ClickHouse-Key': PASSWORD } },
          (res) => {
            res.once('data', () => undefined);
            res.on('error', () => undefined);
          },
        );
        req.on('error', () => undefined);
        req.on('close', () => resolve());
        req.end(query);
        setTimeout(() => req.destroy(), afterMs);
      });
    await Promise.all([
      ...Array.from({ length: 12 }, (_, index) => leave('SELECT number FROM numbers(20000000)', 20 * index)),
      leave('SELECT sleep(2), number FROM numbers(5)', 300),
    ]);
    expect(await sql('SELECT count() FROM numbers(10)')).toBe('10\n');
    const half = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      agent: false,
      path: '/?query=INSERT+INTO+raw+FORMAT+TSV',
      headers: { 'X-ClickHouse-Key': PASSWORD, 'Content-Length': 1000 },
    });
    half.on('error', () => undefined);
    half.write('half\n');
    await sleep(100);
    half.destroy();
    await sleep(200);
    expect(await sql("SELECT count() FROM raw WHERE b = 'half'")).toBe('0\n');
    expect(new Set(await Promise.all(Array.from({ length: 30 }, () => sql('SELECT 1'))))).toEqual(new Set(['1\n']));
  });
});

describe('the process', () => {
  test('a second one on the same folder or port is refused and harms nothing', async () => {
    const sameFolder = await start(join(folder, 'data'));
    expect(sameFolder.message).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('in use by another process') as string,
    });
    const samePort = await start(join(folder, 'other'), port);
    expect(samePort.message).toMatchObject({
      type: 'failed',
      message: `Port ${port} for ClickHouse is already in use.`,
    });
    if (sameFolder.process.exitCode === null) await once(sameFolder.process, 'exit');
    if (samePort.process.exitCode === null) await once(samePort.process, 'exit');
    expect([sameFolder.process.exitCode, samePort.process.exitCode]).toEqual([1, 1]);
    expect(await sql('SELECT 1')).toBe('1\n');
  });

  test('SIGINT is ignored, SIGTERM finishes what runs, a restart keeps data, SIGKILL too', async () => {
    await sql('CREATE TABLE kept (a UInt32) ENGINE = MergeTree ORDER BY a');
    await sql('INSERT INTO kept SELECT number FROM numbers(1000)');
    child.kill('SIGINT');
    const running = sql('SELECT sleep(1)');
    await sleep(200);
    child.kill('SIGTERM');
    const [[code]] = await Promise.all([
      once(child, 'exit') as Promise<[number]>,
      expect(running).resolves.toBe('0\n'),
    ]);
    expect(code).toBe(0);
    await client.close();
    await boot();
    expect(await sql('SELECT count() FROM kept')).toBe('1000\n');
    await sql('INSERT INTO kept SELECT number FROM numbers(1000)');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.close();
    await boot();
    expect(await sql('SELECT count() FROM kept')).toBe('2000\n');
  });

  test('a query that does not end delays the end by five seconds only', async () => {
    const endless = sql('SELECT sum(cityHash64(number)) FROM numbers(1000000000000)').catch(() => 'cut');
    await sleep(300);
    const began = Date.now();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(Date.now() - began).toBeLessThan(7000);
    expect(await endless).toBe('cut');
    await client.close();
    await boot();
    expect(await sql('SELECT count() FROM kept')).toBe('2000\n');
  });

  test('it ends when its parent is killed', async () => {
    const script = join(folder, 'parent.js');
    writeFileSync(
      script,
      `const { fork } = require('node:child_process');
      const env = { ADTRAIL_CH_PATH: ${JSON.stringify(join(folder, 'orphan'))}, ADTRAIL_CH_PORT: '0' };
      const child = fork(${JSON.stringify(PROCESS)}, { env: { ...process.env, ...env, ADTRAIL_CH_PASSWORD: 'x' } });
      child.on('message', () => process.send(child.pid));`,
    );
    const parent = fork(script, { execArgv: [] });
    const [pid] = (await once(parent, 'message')) as [number];
    parent.kill('SIGKILL');
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    for (let waited = 0; waited < 8000 && isAlive(); waited += 50) await sleep(50);
    expect(isAlive()).toBe(false);
  });
});

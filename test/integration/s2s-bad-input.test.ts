/**
 * Whatever bytes arrive: always JSON, never a 500, nothing stored of what is refused, and what is accepted stored byte
 * for byte.
 */
import net from 'node:net';
import {
  ENDPOINTS,
  ID_FIELDS,
  PATHS,
  PUBLIC_IP,
  VIEWS,
  accept,
  countRecords,
  get,
  goodRequest,
  newTid,
  type Endpoint,
} from '../support/s2s-client';
import { exchange, type RawAnswer } from '../support/s2s-raw';
import { startService, type RunningService } from '../support/service';
import { IDFA, TOKEN, workspace } from '../support/workspace';

let service: RunningService;
let port: number;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
  port = Number(new URL(service.url).port);
});
afterAll(() => service?.dispose());

const GOOD = `app_id=com.acme.shop&c=AbC123&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
const good = (endpoint: Endpoint, tid: string, more = '') => `${PATHS[endpoint]}?${GOOD}&tid=${tid}${more}`;
/** One raw request on a connection of its own; the bytes of `target` go out as they are (latin1). */
const raw = (
  target: string,
  {
    method = 'GET',
    version = 'HTTP/1.1',
    headers = ['Host: localhost', `X-Service-Token: ${TOKEN}`, 'Connection: close'],
    body = '',
  } = {},
) =>
  Buffer.from(
    `${method} ${target} ${version}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`,
    'latin1',
  );

/** The only answer of an exchange; it is JSON, and no 500. */
function only(answers: RawAnswer[]): RawAnswer & { body: Record<string, unknown> } {
  expect(answers).toHaveLength(1);
  const [answer] = answers as [RawAnswer];
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(answer.status).not.toBe(500);
  // Outside of the S2S bodies: a message and the status.
  if (!body.reason && answer.status !== 200) expect(body.msg).toMatch(/\S/);
  expect(body.status).toBe(answer.status === 200 ? 'accepted' : body.reason ? 'rejected' : answer.status);
  return { ...answer, body };
}

const storedTids = async () =>
  (await Promise.all(ENDPOINTS.map((endpoint) => service.rows<{ tid: string }>(`SELECT tid FROM ${VIEWS[endpoint]}`))))
    .flat()
    .map(({ tid }) => tid);
async function expectNotStored(tid: string): Promise<void> {
  expect(await storedTids()).not.toContain(tid);
}

describe('values', () => {
  /** UTF-8 as raw bytes on the wire. */
  const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  /** As they stand in the URL. */
  const VALUES = [
    '%',
    '%%',
    '%a',
    '%zz',
    '%1',
    '%g1',
    '%%41',
    '%2',
    '100%',
    '%u0041',
    '%E0',
    '%E0%A4',
    '%E0%A4%',
    '%C0%AF',
    '%C1%81',
    '%E0%80%AF',
    '%F0%80%80%AF',
    '%F4%90%80%80',
    '%F5%80%80%80',
    '%FF',
    '%FE%FF',
    '%80',
    '%BF%BF',
    '%ED%A0%80',
    '%ED%B0%80',
    '%ED%A0%BD%ED%B8%80',
    '%C3%28',
    '%E2%82',
    '%F0%9F%98',
    '%F0%9F%98%80',
    '%f0%9f%98%80',
    'a%00b',
    '%00',
    '%0D%0A',
    '%09',
    '%20',
    '+',
    '++',
    '%2B',
    'a+b%20c%2Bd',
    ';',
    'a;b=c',
    '%3B',
    '=',
    'a=b',
    '%3D',
    '%26',
    '%26amp%3B',
    '%23',
    '%3F',
    '?',
    '??',
    '/',
    '//',
    ':',
    '@',
    '!',
    '$',
    "'",
    '"',
    '(',
    ')',
    '*',
    ',',
    '[',
    ']',
    '{',
    '}',
    '|',
    '\\',
    '^',
    '`',
    '<',
    '>',
    '~',
    '-',
    '.',
    '_',
    '%E2%80%8F',
    '%E2%80%AE',
    '%EF%BB%BF',
    '%EF%BB%BFx',
    'x%EF%BB%BF',
    '%E2%80%8B',
    '%CC%81',
    '%F4%8F%BF%BF',
    '%EF%BF%BD',
    '%EF%BF%BE',
    '%EF%BF%BF',
    '%5C',
    '%5Cu0000',
    '%22',
    '%5CN',
    '%27',
    '%C2%A0',
    '%E2%80%A8',
    '%7F',
    '%1B',
    '%C2%85',
  ];
  /** Illegal in a request line: Node.js refuses them, and where it should not they count as escaped. */
  const RAW_BYTES = [
    bytes('\u00e9'),
    bytes('\u4e2d\u6587'),
    bytes('\u{1F600}'),
    bytes('\u202e\u200f'),
    bytes('\ufeffx'),
    '\xff',
    '\x80',
    '\xc3',
    '\xe2\x82',
    '\xf0\x9f%98%80',
    '%F0%9F\x98\x80',
    '\xed\xa0\x80',
    '\xa0',
    '\x85',
    '\xff%',
  ];
  /** What the URL standard makes of it: a raw byte is as good as its escape. */
  const decoded = (value: string) =>
    new URLSearchParams(`v=${value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)}`).get('v');

  it.each(ENDPOINTS)('%s: what is accepted is stored exactly as URLSearchParams decodes it', async (endpoint) => {
    const answers = await Promise.all(
      VALUES.map(async (value) =>
        only(await exchange(port, raw(good(endpoint, newTid('value'), `&s2=${value}&s3=${value}x&af_sub3=x${value}`)))),
      ),
    );
    const refused = VALUES.filter((_, i) => answers[i]?.status !== 200);
    expect(refused).toEqual([]);
    const rows = await service.rows<Record<string, string>>(
      `SELECT ${ID_FIELDS[endpoint]} AS id, s2, s3, s4 FROM ${VIEWS[endpoint]} WHERE startsWith(tid, 'value')`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [i, value] of VALUES.entries()) {
      const { s2, s3, s4 } = byId.get(String(answers[i]?.body[ID_FIELDS[endpoint]])) ?? {};
      expect({ value, s2, s3, s4 }).toEqual({
        value,
        s2: decoded(value),
        s3: decoded(`${value}x`),
        s4: decoded(`x${value}`),
      });
    }
    // Byte for byte, not only as the client reads it.
    const [{ hex } = { hex: '' }] = await service.rows<{ hex: string }>(
      `SELECT hex(s2) AS hex FROM ${VIEWS[endpoint]} WHERE startsWith(tid, 'value') AND s3 = 'a\\0bx' LIMIT 1`,
    );
    expect(hex).toBe('610062');
  });

  it('raw bytes beyond ASCII are refused in JSON, or stored as if they were escaped', async () => {
    for (const value of RAW_BYTES) {
      const tid = newTid('raw');
      const { status } = only(await exchange(port, raw(good('click', tid, `&s2=${value}`))));
      const rows = await service.rows<{ s2: string }>(`SELECT s2 FROM analytics.clicks WHERE tid = '${tid}'`);
      expect({ value, status, rows }).toEqual(
        status === 200 ? { value, status, rows: [{ s2: decoded(value) }] } : { value, status: 400, rows: [] },
      );
    }
  });

  it('tids are compared, and kept, byte for byte', async () => {
    const before = (await storedTids()).length;
    const prefix = newTid('tid');
    const tids = [
      '%00',
      '%20',
      '+a',
      '%2Ba',
      '%F0%9F%98%80',
      '%E2%80%AE',
      '%',
      '%2525',
      ';',
      '%C3%A9',
      'e%CC%81',
      '%EF%BB%BF',
      '%22',
      '%5C',
      '%27',
      '%3Cscript%3E',
      '__proto__',
      'constructor',
      "';--",
    ].map((tid) => prefix + tid);
    for (const endpoint of ENDPOINTS) {
      const answers = await Promise.all(tids.map(async (tid) => only(await exchange(port, raw(good(endpoint, tid))))));
      expect(new Set(answers.map(({ body }) => body[ID_FIELDS[endpoint]])).size).toBe(tids.length);
      const rows = await service.rows<{ tid: string }>(
        `SELECT tid FROM ${VIEWS[endpoint]} WHERE startsWith(tid, '${prefix}')`,
      );
      expect(rows.map(({ tid }) => tid).sort()).toEqual(
        tids.map((tid) => new URLSearchParams(`t=${tid}`).get('t')).sort(),
      );
    }
    expect((await storedTids()).length).toBe(before + 3 * tids.length);
  });

  it.each(ENDPOINTS)('%s: parameter names from hell change nothing', async (endpoint) => {
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      '__proto__[x]',
      '__proto__.c',
      'hasOwnProperty',
      'toString',
      'valueOf',
      'length',
      '',
      '%00',
      '%',
      '=',
      'a%5B%5D',
      'c[]',
      'c%5B0%5D',
      'tid%00',
      '+tid',
      '%EF%BB%BFtid',
      'tid%20',
      '%F0%9F%98%80',
      'x'.repeat(5000),
      'svc_token[]',
      'S2',
      '%73%33',
    ];
    const tid = newTid('names');
    const { body } = only(
      await exchange(port, raw(good(endpoint, tid, names.map((name) => `&${name}=polluted`).join('')))),
    );
    const [row] = await service.rows(
      `SELECT * FROM ${VIEWS[endpoint]} WHERE ${ID_FIELDS[endpoint]} = '${String(body[ID_FIELDS[endpoint]])}'`,
    );
    // %73%33 spells s3; nothing else is read.
    expect(row).toMatchObject({ tid, s2: '', s3: 'polluted', s4: '', campaign_display_id: 'AbC123' });
    await accept(service, goodRequest(endpoint));
  });

  it('takes 2,000 parameters, empty pairs and stray ampersands', async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `&p${i}=v${i}`).join('');
    for (const endpoint of ENDPOINTS) {
      expect(only(await exchange(port, raw(good(endpoint, newTid('many'), many)))).status).toBe(200);
      expect(
        only(await exchange(port, raw(`${PATHS[endpoint]}?&&&=&=x&x&${GOOD}&&tid=${newTid('many')}&&`))).status,
      ).toBe(200);
      const repeated = Array.from({ length: 2_000 }, (_, i) => `&tid=other${i}&c=other${i}`).join('');
      const tid = newTid('many');
      expect(only(await exchange(port, raw(good(endpoint, tid, repeated)))).status).toBe(200);
      expect((await storedTids()).filter((one) => one === tid || one.startsWith('other'))).toEqual(
        expect.arrayContaining([tid]),
      );
    }
    expect((await storedTids()).filter((one) => one.startsWith('other'))).toEqual([]);
  });

  it('refuses UUIDs, IPs and times with NULs, spaces or other digits instead of storing similar ones', async () => {
    for (const bad of [
      `gaid=${IDFA}%00`,
      `gaid=%00${IDFA}`,
      `gaid=${IDFA}%20`,
      'gaid=%EF%BC%93',
      'click_time=%D9%A1',
      'click_time=1700000000%00',
      'app_id=com.acme.shop%00',
      'c=AbC123%00',
      'd=go.acme.example%00',
      'd=go.acme.example.%20',
    ]) {
      const tid = newTid('bad');
      const { status, body } = only(await exchange(port, raw(`${PATHS.click}?${bad}&${GOOD}&tid=${tid}`)));
      expect({ bad, status, outcome: body.status }).toEqual({ bad, status: 400, outcome: 'rejected' });
      await expectNotStored(tid);
    }
  });
});

describe('size', () => {
  const emoji = encodeURIComponent('\u{1F600}'.repeat(256));

  it.each(ENDPOINTS)(
    '%s: a request of over 100 kB, every value 256 four-byte characters, is stored whole',
    async (endpoint) => {
      const target = good(
        endpoint,
        newTid('large'),
        ['s2', 's3', 's4'].map((name) => `&${name}=${emoji}`).join('') +
          Array.from({ length: 33 }, (_, i) => `&other${i}=${emoji}`).join(''),
      );
      expect(target.length).toBeGreaterThan(100_000);
      const { status, body } = only(await exchange(port, raw(target)));
      expect(status).toBe(200);
      const [row] = await service.rows<Record<string, string>>(
        `SELECT s2, s3, s4
         FROM ${VIEWS[endpoint]}
         WHERE ${ID_FIELDS[endpoint]} = '${String(body[ID_FIELDS[endpoint]])}'`,
      );
      expect(row).toEqual({ s2: '\u{1F600}'.repeat(256), s3: '\u{1F600}'.repeat(256), s4: '\u{1F600}'.repeat(256) });
    },
  );

  it('126 kB are taken', async () => {
    const start = good('click', newTid('large'));
    const filler = Array.from({ length: 600 }, (_, i) => `&f${i}=${'x'.repeat(200)}`).join('');
    const target = start + filler + `&${'n'.repeat(126_000 - start.length - filler.length - 2)}=`;
    expect(target).toHaveLength(126_000);
    expect(only(await exchange(port, raw(target))).status).toBe(200);
  });

  it('over 128 kB are 431, in the request line or in the headers, and nothing is stored', async () => {
    for (const size of [132_000, 140_000, 200_000, 1_000_000]) {
      const tid = newTid('bad');
      for (const bytes of [
        raw(good('click', tid, `&x=${'y'.repeat(size)}`)),
        raw(good('click', tid), {
          headers: [
            'Host: localhost',
            `X-Service-Token: ${TOKEN}`,
            `X-Filler: ${'y'.repeat(size)}`,
            'Connection: close',
          ],
        }),
      ]) {
        const { status, body } = only(await exchange(port, bytes));
        expect({ size, status, keys: Object.keys(body).sort() }).toEqual({
          size,
          status: 431,
          keys: ['msg', 'status'],
        });
      }
      await expectNotStored(tid);
    }
    expect((await get(service, '/v1/click')).body).toEqual({ status: 'rejected', reason: 'missing_app' });
  });
});

describe('methods and paths', () => {
  const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE', 'LINK'];
  const allows = (answer: RawAnswer) => (answer.headers.allow ?? '').split(/\s*,\s*/);

  it.each(ENDPOINTS)('%s: any method but GET is 405 with Allow, with or without a body', async (endpoint) => {
    const tid = newTid('bad');
    for (const method of METHODS) {
      for (const target of [
        good(endpoint, tid),
        `${PATHS[endpoint]}/com.acme.shop?c=AbC123&tid=${tid}&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`,
        PATHS[endpoint],
      ]) {
        const answer = only(await exchange(port, raw(target, { method })));
        expect({ method, target, status: answer.status, body: answer.body }).toEqual({
          method,
          target,
          status: 405,
          body: { msg: answer.body.msg, status: 405 },
        });
        expect(allows(answer)).toContain('GET');
      }
      if (method === 'TRACE') continue;
      const body = JSON.stringify({ tid, c: 'AbC123' });
      const headers = [
        'Host: localhost',
        `X-Service-Token: ${TOKEN}`,
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      expect(only(await exchange(port, raw(good(endpoint, tid), { method, headers, body }))).status).toBe(405);
    }
    await expectNotStored(tid);
  });

  it.each(ENDPOINTS)('%s: HEAD is 405 too, without a body and without storing', async (endpoint) => {
    const tid = newTid('bad');
    const answers = await exchange(port, raw(good(endpoint, tid), { method: 'HEAD' }), true);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 405, text: '' });
    expect(allows(answers[0] as RawAnswer)).toContain('GET');
    await expectNotStored(tid);
  });

  it('CONNECT is 405 with Allow like the others', async () => {
    for (const target of ['localhost:443', '/v1/click']) {
      const answer = only(await exchange(port, raw(target, { method: 'CONNECT' })));
      expect([400, 405]).toContain(answer.status);
      if (answer.status === 405) expect(answer.headers).toHaveProperty('allow');
    }
  });

  it('a method that does not exist, or in lower case, is refused in JSON', async () => {
    const tid = newTid('bad');
    for (const method of ['FOO', 'get', 'Get', 'GETT', 'G', '\x00', 'GET\t']) {
      const answer = only(await exchange(port, raw(good('click', tid), { method })));
      expect([400, 405, 501]).toContain(answer.status);
    }
    await expectNotStored(tid);
  });

  it('an unknown path is 404 in JSON, whatever its query', async () => {
    const tid = newTid('bad');
    const paths = [
      '/v1',
      '/v1/',
      '/v1/clicks',
      '/v1/click/com.acme.shop/',
      '/v1/click/com.acme.shop/more',
      '/v1/click/a/b',
      '/v1//click',
      '//v1/click',
      '/v1/ctv',
      '/v1/ctv/',
      '/v1/ctv/click',
      '/v1/ctv/impressions',
      '/v1/ctv/impression/a/b',
      '/V1/click',
      '/v1/Click',
      '/v1/CTV/impression',
      '/v2/click',
      '/click',
      '/api/v1/click',
      '/v1/click/../impression',
      '/v1/./click',
      '/v1/%63lick',
      '/v1/click%2Fcom.acme.shop',
      '/v1/click;x=1',
      '/v1/ctv%2Fimpression',
      '/v1/__proto__',
      '/v1/constructor',
      '/v1/click\\com.acme.shop',
      '/v1/%00',
      '/v1/%',
      '/%',
      '/%E0%A4',
      '/v1/%FF',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const answer = only(await exchange(port, raw(`${path}?${GOOD}&tid=${tid}`, { method })));
        expect({ path, method, status: answer.status, body: answer.body }).toEqual({
          path,
          method,
          status: 404,
          body: { msg: answer.body.msg, status: 404 },
        });
      }
    }
    await expectNotStored(tid);
  });

  it('apps of hell in the path are unknown, or the app that they spell', async () => {
    for (const app of [
      '%',
      '%00',
      '%2F',
      '%2e%2e',
      '..',
      '.',
      '%FF',
      '+',
      'com.acme.shop%00',
      'com.acme.shop+',
      '%2525',
      ';',
      '__proto__',
      '%F0%9F%98%80',
    ]) {
      const tid = newTid('bad');
      const { status, body } = only(await exchange(port, raw(`/v1/click/${app}?c=AbC123&tid=${tid}&idfa=${IDFA}`)));
      expect({ app, status, body }).toEqual({ app, status: 400, body: { status: 'rejected', reason: 'unknown_app' } });
      await expectNotStored(tid);
    }
    expect(
      only(await exchange(port, raw(`/v1/click/com%2eacme%2Eshop?c=AbC123&tid=${newTid()}&idfa=${IDFA}`))).status,
    ).toBe(200);
  });

  it('never redirects, and says nothing of what it runs on', async () => {
    for (const at of [
      '/v1/click',
      '/v1/click?redirect=https://evil.example',
      '/v1/nope',
      '/v1/click/%2F%2Fevil.example',
    ]) {
      const { headers } = await get(service, at);
      for (const name of ['location', 'x-powered-by', 'server']) expect(headers.get(name)).toBeNull();
    }
  });
});

describe('HTTP', () => {
  const host = 'Host: localhost';
  const token = `X-Service-Token: ${TOKEN}`;
  const close = 'Connection: close';

  it('what is no HTTP is 400 in JSON, and stores nothing', async () => {
    const tid = newTid('bad');
    const target = good('click', tid);
    const malformed = [
      'nonsense\r\n\r\n',
      `GET ${target} HTTP/9.9\r\n${host}\r\n\r\n`,
      `GET ${target} HTTQ/1.1\r\n\r\n`,
      `GET  HTTP/1.1\r\n${host}\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      '\0\0\0\0\r\n\r\n',
      `GET ${target} x HTTP/1.1\r\n${host}\r\n${token}\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nbad header\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nBad\x00: x\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nX: a\x00b\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nContent-Length: x\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nContent-Length: -1\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\n` +
        'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      `GET ${target} HTTP/1.1\r\n${host}\r\n${token}\r\nX : y\r\n\r\n`,
      `GET ${target}&s2=\r\nx HTTP/1.1\r\n${host}\r\n\r\n`,
      `GET ${target}&s2=\x00 HTTP/1.1\r\n${host}\r\n${token}\r\n\r\n`,
    ];
    for (const bytes of malformed) {
      const answer = only(await exchange(port, Buffer.from(bytes, 'latin1')));
      expect({ bytes: bytes.slice(-60), status: answer.status, body: answer.body }).toEqual({
        bytes: bytes.slice(-60),
        status: 400,
        body: { msg: answer.body.msg, status: 400 },
      });
    }
    await expectNotStored(tid);
  });

  it('HTTP/1.0, a missing Host, any Expect, an Upgrade and odd headers are no obstacle', async () => {
    const cases: { version?: string; headers: string[] }[] = [
      { version: 'HTTP/1.0', headers: [token] },
      { version: 'HTTP/1.0', headers: [host, token] },
      { headers: [token, close] },
      { headers: ['Host: ', token, close] },
      { headers: ['Host: \xff\xfe', token, close] },
      { headers: ['Host: [::1]:80', token, close] },
      { headers: [host, token, close, 'Expect: 100-continue'] },
      { headers: [host, token, close, 'Expect: something-else'] },
      {
        headers: [
          host,
          token,
          'Connection: close, Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ],
      },
      {
        headers: [
          host,
          token,
          'Connection: close, Upgrade, HTTP2-Settings',
          'Upgrade: h2c',
          'HTTP2-Settings: AAMAAABkAAQAAP__',
        ],
      },
      {
        headers: [
          host,
          token,
          close,
          'Accept: text/html',
          'Accept-Encoding: br',
          'Origin: https://evil.example',
          'Cookie: a=b',
          'Content-Type: text/plain',
          'X-HTTP-Method-Override: DELETE',
          'If-None-Match: *',
          'Range: bytes=0-1',
        ],
      },
      { headers: [host, `x-SERVICE-token:   ${TOKEN}   `, close] },
      { headers: [host, token, close, 'X-Odd: \xff\x80'] },
    ];
    for (const [i, one] of cases.entries()) {
      const tid = newTid('http');
      const { status } = only(await exchange(port, raw(good('click', tid), one)));
      expect({ i, status }).toEqual({ i, status: 200 });
      expect((await storedTids()).filter((stored) => stored === tid)).toHaveLength(1);
    }
  });

  it('tokens of hell are invalid, not an error', async () => {
    const tid = newTid('bad');
    for (const bad of ['\xff\xfe', 'x'.repeat(10_000), `${TOKEN}\t${TOKEN}`, '{token}', '%00', `Bearer ${TOKEN}`]) {
      expect(
        only(await exchange(port, raw(good('click', tid), { headers: [host, `X-Service-Token: ${bad}`, close] }))).body,
      ).toEqual({ status: 'rejected', reason: 'invalid_token' });
    }
    for (const bad of ['%00', '%', '%FF', `${TOKEN}%00`, `%20${TOKEN}`, 'y'.repeat(10_000)]) {
      expect(
        only(await exchange(port, raw(good('click', tid, `&svc_token=${bad}`), { headers: [host, close] }))).body,
      ).toEqual({ status: 'rejected', reason: 'invalid_token' });
    }
    await expectNotStored(tid);
  });

  it('a Host that is a tracking domain does not reach the S2S endpoints', async () => {
    const tid = newTid('bad');
    for (const name of [
      'go.acme.example',
      'GO.ACME.EXAMPLE',
      'go.acme.example:80',
      'alt.acme.example',
      'go.off.example',
    ]) {
      for (const endpoint of ENDPOINTS) {
        const answer = only(
          await exchange(port, raw(good(endpoint, tid), { headers: [`Host: ${name}`, token, close] })),
        );
        expect({ name, status: answer.status, body: answer.body }).toEqual({
          name,
          status: 404,
          body: { msg: answer.body.msg, status: 404 },
        });
      }
    }
    await expectNotStored(tid);
  });

  it('the absolute form of a request target means the same as its path', async () => {
    const tid = newTid('http');
    expect(only(await exchange(port, raw(`http://localhost${good('click', tid)}`))).status).toBe(200);
    expect(await storedTids()).toContain(tid);
    // Its host counts, not the Host header's: a tracking domain does not reach the endpoint by this way either.
    const other = newTid('bad');
    expect(only(await exchange(port, raw(`http://go.acme.example${good('click', other)}`))).status).toBe(404);
    await expectNotStored(other);
  });

  it('other targets are no endpoints', async () => {
    const targets = [
      ['OPTIONS', '*'],
      ['GET', '*'],
      ['GET', 'v1/click'],
      ['GET', '?tid=x'],
      ['GET', '#'],
      ['GET', 'http:///v1/click'],
      ['GET', 'javascript:alert(1)'],
    ];
    const wrong = [];
    for (const [method = '', target = ''] of targets) {
      const [answer] = await exchange(port, raw(target, { method }));
      if (
        answer?.headers['content-type'] !== 'application/json; charset=utf-8' ||
        ![400, 404, 405].includes(answer.status)
      )
        wrong.push([target, answer?.status]);
    }
    expect(wrong).toEqual([]);
    // At the root there is the page of the dashboard, which stores nothing.
    for (const target of ['/?tid=x', '/#', 'http://', 'http://localhost?tid=x', 'http://[/', 'http://a:b@c:99999/']) {
      const [answer] = await exchange(port, raw(target, { method: 'GET' }));
      expect([target, answer?.status, answer?.headers['content-type']]).toEqual([
        target,
        200,
        'text/html; charset=utf-8',
      ]);
    }
  });

  it('a GET with a body is answered by its parameters, and the body is no second request', async () => {
    const hidden = newTid('bad');
    const smuggled = raw(good('click', hidden)).toString('latin1');
    for (const endpoint of ENDPOINTS) {
      const tids = [newTid('body'), newTid('body'), newTid('body')];
      const sized = raw(good(endpoint, tids[0] as string), {
        headers: [host, token, `Content-Length: ${smuggled.length}`],
        body: smuggled,
      });
      const chunked = raw(good(endpoint, tids[1] as string), {
        headers: [host, token, 'Transfer-Encoding: chunked'],
        body: `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
      });
      const answers = await exchange(port, Buffer.concat([sized, chunked, raw(good(endpoint, tids[2] as string))]));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await storedTids()).toEqual(expect.arrayContaining(tids));
    }
    const large = raw(good('click', newTid('body')), {
      headers: [host, token, close, 'Content-Length: 3000000'],
      body: 'x'.repeat(3_000_000),
    });
    expect(only(await exchange(port, large)).status).toBe(200);
    await expectNotStored(hidden);
  });

  it('pipelined requests are answered each, in order', async () => {
    const targets = Array.from({ length: 40 }, (_, i) =>
      i % 4 === 3
        ? good('click', newTid('bad'), '&click_time=x')
        : i % 4 === 2
          ? `/v1/nope${i}`
          : good(ENDPOINTS[i % 3] as Endpoint, newTid('pipe')),
    );
    const bytes = targets.map((target, i) =>
      raw(target, { headers: i === targets.length - 1 ? [host, token, close] : [host, token] }),
    );
    const answers = await exchange(port, Buffer.concat(bytes));
    expect(answers.map(({ status }) => status)).toEqual(
      targets.map((_, i) => (i % 4 === 3 ? 400 : i % 4 === 2 ? 404 : 200)),
    );
    const ids = answers
      .filter(({ status }) => status === 200)
      .map(({ text }) => JSON.parse(text) as Record<string, string>);
    expect(new Set(ids.map((body) => body.click_id ?? body.impression_id)).size).toBe(20);
  });

  it('garbage after a good request does not take its answer away', async () => {
    const tid = newTid('pipe');
    const answers = await exchange(
      port,
      Buffer.concat([raw(good('click', tid), { headers: [host, token] }), Buffer.from('nonsense\r\n\r\n')]),
    );
    // Either the record is accepted and its sender has the answer, or it is not there at all.
    const accepted = (await storedTids()).includes(tid);
    expect(answers[0]?.status).toBe(accepted ? 200 : 400);
  });

  it('half a request, and then the end, is nothing', async () => {
    const tid = newTid('bad');
    const whole = raw(good('click', tid)).toString('latin1');
    for (const share of [0.1, 0.5, 0.9, 1]) {
      await new Promise<void>((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () =>
          socket.end(whole.slice(0, Math.floor((whole.length - 2) * share))),
        );
        socket
          .on('error', () => undefined)
          .on('close', () => resolve())
          .resume();
      });
    }
    await expectNotStored(tid);
  });
});

describe('in the end', () => {
  it('nothing of a refused request is stored, no error was logged, and the service goes on', async () => {
    expect((await storedTids()).filter((tid) => tid.startsWith('bad'))).toEqual([]);
    expect(service.output()).not.toMatch(/Error/);
    expect(service.child.exitCode).toBeNull();
    const before = await countRecords(service);
    for (const endpoint of ENDPOINTS) await accept(service, goodRequest(endpoint));
    expect(await countRecords(service)).toBe(before + 3);
  });
});

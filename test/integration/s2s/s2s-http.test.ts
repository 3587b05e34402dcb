/**
 * Whatever bytes arrive at the S2S endpoints: always JSON, never a 500, nothing stored of what is refused, and what is
 * accepted stored byte for byte. Over raw sockets.
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownNames } from '../../support/workspace/own-names';
import { words } from '../../support/s2s/s2s-cases';
import {
  ENDPOINTS,
  PATHS,
  PUBLIC_IP,
  VIEWS,
  accept,
  goodRequest,
  newTid,
  overHttp,
  readRow,
  type Endpoint,
} from '../../support/s2s/s2s-client';
import { exchange, type RawAnswer } from '../../support/s2s/s2s-raw';
import { sharedService } from '../../support/shared-service';
import { IDFA, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('s2s-http');
const s2s = overHttp(service, own);
const port = Number(new URL(service.url).port);
beforeAll(() => service.apply(own.document(workspace)));

const host = 'Host: localhost';
const token = `X-Service-Token: ${own(TOKEN)}`;
const close = 'Connection: close';
const GOOD = `app_id=com.acme.shop&c=AbC123&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
const good = (endpoint: Endpoint, tid: string, more = '') => `${PATHS[endpoint]}?${GOOD}&tid=${tid}${more}`;
/** What is to be refused has such a tid: the last test looks for them. */
const bad = () => newTid('s2s-http-bad');
const fine = () => newTid('s2s-http-good');

/** One raw request; the bytes of `target` go out as they are (latin1). */
const raw = (
  target: string,
  { method = 'GET', version = 'HTTP/1.1', headers = [host, token, close], body = '' } = {},
) => Buffer.from(`${[`${method} ${target} ${version}`, ...headers].join('\r\n')}\r\n\r\n${body}`, 'latin1');

/** Sends bytes, and again where an answer is 503, as senders do: ClickHouse can be slow on a busy machine. */
async function sendBytes(bytes: Buffer, heads = false): Promise<RawAnswer[]> {
  for (let left = 40; ; left--) {
    const answers = await exchange(port, bytes, heads);
    if (left === 0 || answers.every(({ status }) => status !== 503)) return answers;
    await sleep(250);
  }
}

/** The only answer of an exchange; it is JSON, and no 500. */
function only(answers: RawAnswer[]): RawAnswer & { body: Record<string, unknown> } {
  expect(answers).toHaveLength(1);
  const [answer] = answers as [RawAnswer];
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(answer.status).not.toBe(500);
  // Outside of the S2S bodies: a message and the status.
  if (!body.reason && answer.status !== 200)
    expect(body).toEqual({ msg: expect.stringMatching(/\S/) as string, status: answer.status });
  else expect(body.status).toBe(answer.status === 200 ? 'accepted' : 'rejected');
  return { ...answer, body };
}
const ask = async (target: string, more?: Parameters<typeof raw>[1]) => only(await sendBytes(raw(target, more)));

const storedTids = async (prefix: string) => {
  const rows = await Promise.all(
    ENDPOINTS.map((endpoint) =>
      service.rows<{ tid: string }>(`SELECT tid FROM ${VIEWS[endpoint]} WHERE startsWith(tid, '${prefix}')`),
    ),
  );
  return rows.flat().map(({ tid }) => tid);
};

test('raw bytes beyond ASCII are refused in JSON, or stored as if they were escaped', async () => {
  const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const values = [
    ...['\u00e9', '\u4e2d\u6587', '\u{1F600}', '\u202e\u200f', '\ufeffx'].map(bytes),
    ...[
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
    ],
  ];
  for (const value of values) {
    const tid = newTid('s2s-http-raw');
    const { status, body } = await ask(good('click', tid, `&s2=${value}`));
    const escaped = value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
    if (status === 200) {
      const { s2: kept } = await readRow(s2s, 'click', String(body.click_id));
      expect({ value, kept }).toEqual({ value, kept: new URLSearchParams(`v=${escaped}`).get('v') });
    } else expect([status, await storedTids(tid)]).toEqual([400, []]);
  }
});

describe('size', () => {
  test('of over 100 kB, every value 256 four-byte characters, all is stored', async () => {
    const emoji = '\u{1F600}'.repeat(256);
    const names = ['s2', 's3', 's4', ...Array.from({ length: 33 }, (_, i) => `other${i}`)];
    const target = good('click', fine(), names.map((name) => `&${name}=${encodeURIComponent(emoji)}`).join(''));
    expect(target.length).toBeGreaterThan(100_000);
    const { body } = await ask(target);
    expect(await readRow(s2s, 'click', String(body.click_id))).toMatchObject({ s2: emoji, s3: emoji, s4: emoji });
  });

  test('126 kB are taken; over 128 kB are 431, in the request line or in the headers', async () => {
    const start = good('click', fine(), `&f=${'x'.repeat(200)}`.repeat(600));
    expect((await ask(`${start}&${'n'.repeat(126_000 - start.length - 2)}=`)).status).toBe(200);
    for (const size of [132_000, 140_000, 200_000, 1_000_000]) {
      const filler = 'y'.repeat(size);
      expect((await ask(good('click', bad(), `&x=${filler}`))).status).toBe(431);
      const headers = [host, token, `X-Filler: ${filler}`, close];
      expect((await ask(good('click', bad()), { headers })).status).toBe(431);
    }
  });
});

describe('methods and paths', () => {
  test.each(words('POST PUT PATCH DELETE OPTIONS TRACE PROPFIND SEARCH PURGE LINK'))(
    '%s is 405 with Allow, with or without a body',
    async (method) => {
      const targets = ENDPOINTS.flatMap((endpoint) => [
        good(endpoint, bad()),
        good(endpoint, bad()).replace('?', '/com.acme.shop?'),
        PATHS[endpoint],
      ]);
      for (const target of targets) {
        const { status, headers } = await ask(target, { method });
        expect([target, status, headers.allow]).toEqual([target, 405, 'GET']);
      }
      if (method === 'TRACE') return;
      const body = JSON.stringify({ tid: bad(), c: 'AbC123' });
      const headers = [host, token, close, 'Content-Type: application/json', `Content-Length: ${body.length}`];
      expect((await ask(good('click', bad()), { method, headers, body })).status).toBe(405);
    },
  );

  test.each(ENDPOINTS)('%s: HEAD is 405 too, without a body', async (endpoint) => {
    const answers = await sendBytes(raw(good(endpoint, bad()), { method: 'HEAD' }), true);
    expect(answers).toMatchObject([{ status: 405, text: '', headers: { allow: 'GET' } }]);
  });

  test('CONNECT, and a method that does not exist or is in lower case, is refused in JSON', async () => {
    for (const target of ['localhost:443', '/v1/click']) {
      const answer = await ask(target, { method: 'CONNECT' });
      expect([400, 405]).toContain(answer.status);
      if (answer.status === 405) expect(answer.headers).toHaveProperty('allow');
    }
    for (const method of ['FOO', 'get', 'Get', 'GETT', 'G', '\x00', 'GET\t'])
      expect([400, 405, 501]).toContain((await ask(good('click', bad()), { method })).status);
  });

  test.each(
    words(String.raw`/v1 /v1/ /v1/clicks /v1/click/com.acme.shop/ /v1/click/com.acme.shop/more /v1/click/a/b /v1//click
      //v1/click /v1/ctv /v1/ctv/ /v1/ctv/click /v1/ctv/impressions /v1/ctv/impression/a/b /V1/click /v1/Click
      /v1/CTV/impression /v2/click /click /api/v1/click /v1/click/../impression /v1/./click /v1/%63lick
      /v1/click%2Fcom.acme.shop /v1/click;x=1 /v1/ctv%2Fimpression /v1/__proto__ /v1/constructor
      /v1/click\com.acme.shop /v1/%00 /v1/% /% /%E0%A4 /v1/%FF`),
  )('%s is 404, whatever its query', async (path) => {
    for (const method of ['GET', 'POST'])
      expect((await ask(`${path}?${GOOD}&tid=${bad()}`, { method })).status).toBe(404);
  });

  test('nothing redirects, or says what it runs on', async () => {
    for (const at of words('/v1/click /v1/click?redirect=https://evil.example /v1/nope /v1/click/%2F%2Fevil.example')) {
      const { headers } = await ask(at);
      for (const name of ['location', 'x-powered-by', 'server']) expect(headers).not.toHaveProperty(name);
    }
  });
});

describe('HTTP', () => {
  const start = () => `GET ${good('click', bad())} HTTP/1.1\r\n${host}\r\n${token}\r\n`;
  test.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a version that does not exist', start().replace('HTTP/1.1', 'HTTP/9.9')],
    ['another protocol', start().replace('HTTP/1.1', 'HTTQ/1.1')],
    ['no target', `GET  HTTP/1.1\r\n${host}\r\n\r\n`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['NULs', '\0\0\0\0\r\n\r\n'],
    ['a space in the target', start().replace(' HTTP/1.1', ' x HTTP/1.1')],
    ['a line break in the target', start().replace(' HTTP/1.1', '&s2=\r\nx HTTP/1.1')],
    ['a NUL in the target', start().replace(' HTTP/1.1', '&s2=\x00 HTTP/1.1')],
    ['a header without a colon', `${start()}bad header\r\n\r\n`],
    ['a NUL in the name of a header', `${start()}Bad\x00: x\r\n\r\n`],
    ['a NUL in a header', `${start()}X: a\x00b\r\n\r\n`],
    ['a space before a colon', `${start()}X : y\r\n\r\n`],
    ['a length that is no number', `${start()}Content-Length: x\r\n\r\n`],
    ['a negative length', `${start()}Content-Length: -1\r\n\r\n`],
    ['two lengths', `${start()}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['length and chunks', `${start()}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ])('%s is 400', async (_, bytes) => expect(only(await sendBytes(Buffer.from(bytes, 'latin1'))).status).toBe(400));

  const upgrade = 'Connection: close, Upgrade';
  test.each<{ version?: string; headers: string[] }>([
    { version: 'HTTP/1.0', headers: [token] },
    { version: 'HTTP/1.0', headers: [host, token] },
    { headers: [token, close] },
    { headers: ['Host: ', token, close] },
    { headers: ['Host: \xff\xfe', token, close] },
    { headers: ['Host: [::1]:80', token, close] },
    { headers: [host, token, close, 'Expect: 100-continue'] },
    { headers: [host, token, close, 'Expect: something-else'] },
    { headers: [host, token, upgrade, 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhl'] },
    { headers: [host, token, `${upgrade}, HTTP2-Settings`, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'] },
    { headers: [host, token, close, 'Accept: text/html', 'Accept-Encoding: br', 'Content-Type: text/plain'] },
    { headers: [host, token, close, 'X-HTTP-Method-Override: DELETE', 'If-None-Match: *', 'Range: bytes=0-1'] },
    { headers: [host, token, close, 'Origin: https://evil.example', 'Cookie: a=b', 'X-Odd: \xff\x80'] },
    { headers: [host, `x-SERVICE-token:   ${own(TOKEN)}   `, close] },
  ])('%j is no obstacle', async (request) => {
    const tid = newTid('s2s-http-odd-');
    expect((await ask(good('click', `${tid}.`), request)).status).toBe(200);
    expect(await storedTids(`${tid}.`)).toHaveLength(1);
  });

  test('tokens of hell are invalid, not an error', async () => {
    const refused = { status: 'rejected', reason: 'invalid_token' };
    for (const odd of [
      '\xff\xfe',
      'x'.repeat(10_000),
      `${own(TOKEN)}\t${own(TOKEN)}`,
      '{token}',
      `Bearer ${own(TOKEN)}`,
    ])
      expect((await ask(good('click', bad()), { headers: [host, `X-Service-Token: ${odd}`, close] })).body).toEqual(
        refused,
      );
    for (const odd of ['%00', '%', '%FF', `${own(TOKEN)}%00`, `%20${own(TOKEN)}`, 'y'.repeat(10_000)])
      expect((await ask(good('click', bad(), `&svc_token=${odd}`), { headers: [host, close] })).body).toEqual(refused);
  });

  test('a Host that is a tracking domain does not reach the endpoints, however it is spelt', async () => {
    const domain = own('go.acme.example');
    for (const name of [domain, domain.toUpperCase(), `${domain}:80`, own('alt.acme.example'), own('go.off.example')])
      for (const endpoint of ENDPOINTS)
        expect((await ask(good(endpoint, bad()), { headers: [`Host: ${name}`, token, close] })).status).toBe(404);
    // In the absolute form of a target its host counts, not that of the header.
    expect((await ask(`http://${domain}${good('click', bad())}`)).status).toBe(404);
    const tid = fine();
    const headers = [`Host: ${domain}`, token, close];
    expect((await ask(`http://localhost${good('click', tid)}`, { headers })).status).toBe(200);
    expect(await storedTids(tid)).toContain(tid);
  });

  test('other targets are no endpoints', async () => {
    const targets = [
      'OPTIONS *',
      'GET *',
      'GET v1/click',
      'GET ?tid=x',
      'GET #',
      'GET http:///v1/click',
      'GET javascript:a',
    ];
    for (const one of targets) {
      const [method, target = ''] = one.split(' ');
      const [answer] = await sendBytes(raw(target, { method: method as string }));
      expect([one, answer?.headers['content-type']]).toEqual([one, 'application/json; charset=utf-8']);
      expect([400, 404, 405]).toContain(answer?.status);
    }
    // At the root there is the page of the dashboard, which stores nothing.
    for (const target of words('/?tid=x /# http:// http://localhost?tid=x http://[/ http://a:b@c:99999/')) {
      const [answer] = await sendBytes(raw(target));
      expect([target, answer?.status, answer?.headers['content-type']]).toEqual([
        target,
        200,
        'text/html; charset=utf-8',
      ]);
    }
  });

  test('a GET with a body is answered by its parameters, and the body is no second request', async () => {
    const smuggled = raw(good('click', bad())).toString('latin1');
    const tids = [fine(), fine(), fine()] as const;
    const sized = [host, token, `Content-Length: ${smuggled.length}`];
    const chunked = [host, token, 'Transfer-Encoding: chunked'];
    const chunks = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const answers = await sendBytes(
      Buffer.concat([
        raw(good('click', tids[0]), { headers: sized, body: smuggled }),
        raw(good('impression', tids[1]), { headers: chunked, body: chunks }),
        raw(good('ctv', tids[2])),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await storedTids('s2s-http-good')).toEqual(expect.arrayContaining([...tids]));
    const large = { headers: [host, token, close, 'Content-Length: 3000000'], body: 'x'.repeat(3_000_000) };
    expect((await ask(good('click', fine()), large)).status).toBe(200);
  });

  test('pipelined requests are answered each, in order', async () => {
    const each = (i: number): [target: string, status: number] =>
      i % 4 === 3
        ? [good('click', bad(), '&click_time=x'), 400]
        : i % 4 === 2
          ? [`/v1/nope${i}`, 404]
          : [good(ENDPOINTS[i % 3] as Endpoint, fine()), 200];
    const requests = Array.from({ length: 40 }, (_, i) => each(i));
    const bytes = requests.map(([target], i) => raw(target, { headers: [host, token, ...(i === 39 ? [close] : [])] }));
    const answers = await sendBytes(Buffer.concat(bytes));
    expect(answers.map(({ status }) => status)).toEqual(requests.map(([, status]) => status));
    const ids = answers.map(({ text }) => JSON.parse(text) as Record<string, string>);
    expect(new Set(ids.flatMap((body) => body.click_id ?? body.impression_id ?? [])).size).toBe(20);
  });

  test('garbage after a good request does not take its answer away', async () => {
    const tid = newTid('s2s-http-garbage');
    const whole = raw(good('click', tid), { headers: [host, token] });
    const answers = await sendBytes(Buffer.concat([whole, Buffer.from('nonsense\r\n\r\n')]));
    // Either the record is accepted and its sender has the answer, or it is not there at all.
    expect(answers[0]?.status).toBe((await storedTids(tid)).includes(tid) ? 200 : 400);
  });

  test('half a request, and then the end, is nothing', async () => {
    const whole = raw(good('click', bad())).toString('latin1');
    for (const share of [0.1, 0.5, 0.9, 1])
      await new Promise<void>((resolve) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.once('error', () => undefined).once('close', () => resolve());
        socket.resume().end(whole.slice(0, Math.floor((whole.length - 2) * share)));
      });
  });
});

test('in the end nothing refused is stored, no error was logged, and the service goes on', async () => {
  expect(await storedTids('s2s-http-bad')).toEqual([]);
  const failed = service
    .output()
    .split('\n')
    .filter((line) => line.includes('A request failed'));
  expect(failed.filter((line) => line.includes('"route":"/v1/'))).toEqual([]);
  for (const endpoint of ENDPOINTS) await accept(s2s, goodRequest(endpoint));
});

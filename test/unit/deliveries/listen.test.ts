/** What `adtrail listen` prints of each request, what it says of signatures, and what it answers. */
import crypto from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startListening, type Listening, type ListenOptions } from '../../../src/commands/listen';

const newSecret = () => `whsec_${crypto.randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const started: Listening[] = [];
afterAll(() => Promise.all(started.map((listening) => listening.close())));

async function listen(options: Partial<ListenOptions> = {}) {
  const written: string[] = [];
  const listening = await startListening({
    host: '127.0.0.1',
    port: 0,
    secret: undefined,
    answer: 200,
    every: 1,
    write: (text) => written.push(text),
    now: () => NOW,
    ...options,
  });
  started.push(listening);
  return { url: `http://127.0.0.1:${listening.port}`, written, port: listening.port };
}

function signed(body: string, secret = SECRET): RequestInit {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'message-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('message-1', at, body),
  };
  return { method: 'POST', headers, body };
}

test('it prints what comes, readably', async () => {
  const { url, written } = await listen();
  expect((await fetch(`${url}/pb?tid=a%20b%26c&city=K%C3%B6ln`)).status).toBe(200);
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-adtrail-test': 'true' };
  await fetch(`${url}/form`, { method: 'POST', headers: form, body: 'a=1%202&b=%1b[2J' });
  await fetch(`${url}/json`, { method: 'POST', body: '{"data":{"amount":5}}' });
  await fetch(`${url}/text`, { method: 'POST', body: 'plain' });
  expect(written).toEqual([
    '#1 03:04:05.006 GET /pb\n  tid = a b&c\n  city = Köln\n  answered 200\n\n',
    '#2 03:04:05.006 POST /form (a test)\n  a = 1 2\n  b = \\u001b[2J\n  answered 200\n\n',
    '#3 03:04:05.006 POST /json\n  {\n    "data": {\n      "amount": 5\n    }\n  }\n  answered 200\n\n',
    '#4 03:04:05.006 POST /text\n  plain\n  answered 200\n\n',
  ]);
});

test('it says whether a signature is right', async () => {
  const { url, written } = await listen({ secret: SECRET });
  for (const init of [signed('{}'), signed('{}', newSecret()), {}]) await fetch(url, init);
  const without = await listen();
  await fetch(without.url, signed('{}'));
  expect([...written, ...without.written].map((text) => /signature: [^\n]*/.exec(text)?.[0])).toEqual([
    'signature: right, webhook-id message-1',
    expect.stringMatching(/^signature: WRONG \(.+\), webhook-id message-1$/),
    'signature: none',
    'signature: not checked, webhook-id message-1',
  ]);
});

test('it answers as it is told: each request, each second one, or never', async () => {
  expect((await fetch((await listen({ answer: 410 })).url)).status).toBe(410);
  const some = await listen({ answer: 500, every: 2 });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await fetch(some.url)).status);
  expect(statuses).toEqual([200, 500, 200, 500]);
  const hanging = await listen({ answer: 'hang' });
  await expect(fetch(hanging.url, { signal: AbortSignal.timeout(300) })).rejects.toThrow();
  expect(hanging.written[0]).toContain('not answered');
});

test('it takes no more of a body than 64 kB', async () => {
  const { url, written } = await listen();
  const post = (bytes: number) => fetch(url, { method: 'POST', body: 'x'.repeat(bytes) });
  expect((await post(64 * 1024)).status).toBe(200);
  expect((await post(64 * 1024 + 1)).status).toBe(413);
  expect(written[1]).toContain('body: more than 65536 bytes');
});

test('an address that is not there, or taken, is named', async () => {
  const { port } = await listen();
  await expect(listen({ port })).rejects.toThrow(`Cannot listen at 127.0.0.1:${port}: `);
  await expect(listen({ host: '203.0.113.1', port: 9_000 })).rejects.toThrow('Cannot listen at 203.0.113.1:9000: ');
});

/** `adtrail listen`: what it prints of each request, what it says of signatures, and what it answers. */
import { spawn, type ChildProcess } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { cleanEnvironment, eventually, freePort, root } from '../support/service';

const SECRET = `whsec_${crypto.randomBytes(32).toString('base64')}`;

interface Listening {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
}

describe('adtrail listen', () => {
  let started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started) child.kill('SIGKILL');
    started = [];
  });

  function run(...args: string[]): Pick<Listening, 'child' | 'output'> {
    const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'listen', ...args], {
      env: cleanEnvironment(),
    });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return { child, output: () => output };
  }
  async function listen(...args: string[]): Promise<Listening> {
    const port = await freePort();
    const { child, output } = run('--port', String(port), ...args);
    await eventually('it listens', () => (output().includes('listening at') ? true : undefined), 30_000);
    return { child, output, url: `http://127.0.0.1:${port}` };
  }
  const shows = ({ output }: Listening, text: string) =>
    eventually(`it shows ${text}`, () => (output().includes(text) ? true : undefined));

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

  test('prints what comes, readably, and ends on Ctrl-C', async () => {
    const listening = await listen();
    const { url, child } = listening;
    expect((await fetch(`${url}/pb?tid=a%20b%26c&city=K%C3%B6ln`)).status).toBe(200);
    await shows(listening, '  answered 200');
    expect(listening.output()).toMatch(/^#1 [\d:.]+ GET \/pb\n {2}tid = a b&c\n {2}city = Köln\n {2}answered 200$/m);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-adtrail-test': 'true' };
    await fetch(`${url}/form`, { method: 'POST', headers, body: 'a=1%202&b=%1b[2J' });
    await shows(listening, '#2');
    expect(listening.output()).toMatch(/^#2 \S+ POST \/form \(a test\)\n {2}a = 1 2\n {2}b = \\u001b\[2J\n/m);
    await fetch(`${url}/json`, { method: 'POST', body: '{"data":{"amount":5}}' });
    await shows(listening, '      "amount": 5\n');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('says whether a signature is right', async () => {
    const listening = await listen('--secret', SECRET);
    await fetch(listening.url, signed('{"type":"install"}'));
    await shows(listening, 'signature: right, webhook-id message-1');
    await fetch(listening.url, signed('{"type":"install"}', `whsec_${crypto.randomBytes(32).toString('base64')}`));
    await shows(listening, 'signature: WRONG (');
    await fetch(listening.url);
    await shows(listening, 'signature: none');
    const without = await listen();
    await fetch(without.url, signed('{}'));
    await shows(without, 'signature: not checked, webhook-id message-1');
  });

  test('answers as it is told: each request, each second one, or never', async () => {
    const gone = await listen('--answer', '410');
    expect((await fetch(gone.url)).status).toBe(410);
    const some = await listen('--answer', '500', '--every', '2');
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await fetch(some.url)).status);
    expect(statuses).toEqual([200, 500, 200, 500]);
    const hanging = await listen('--answer', 'hang');
    await expect(fetch(hanging.url, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
    await shows(hanging, 'not answered');
    hanging.child.kill('SIGINT');
    expect(await once(hanging.child, 'exit')).toEqual([0, null]);
  });

  test('takes no more of a body than 64 kB', async () => {
    const listening = await listen();
    const post = (bytes: number) => fetch(listening.url, { method: 'POST', body: 'x'.repeat(bytes) });
    expect((await post(64 * 1024)).status).toBe(200);
    expect((await post(64 * 1024 + 1)).status).toBe(413);
    await shows(listening, 'body: more than 65536 bytes');
  });

  test.each([
    [['--port', '99999'], 'takes a port from 0 to 65535'],
    [['--answer', '99'], 'takes a status from 200 to 599, or hang'],
    [['--secret', 'abc'], 'adtrail: --secret takes whsec_ and Base64 of 24 to 64 bytes.'],
    [['--host', '203.0.113.1'], 'adtrail: Cannot listen at 203.0.113.1:9000: '],
  ])('%j is refused', async (args, message) => {
    const { child, output } = run(...args);
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output()).toContain(message);
  });
});

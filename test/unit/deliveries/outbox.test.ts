/** What becomes of messages, and where they may go: the rules, without a receiver. */
import type { lookup, LookupAddress, LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createAddresses } from '../../../src/deliveries/addresses';
import { blankedBody, blankedUrl } from '../../../src/deliveries/attempts';
import { Breaker } from '../../../src/deliveries/breaker';
import { createSender } from '../../../src/deliveries/sender';
import { judge } from '../../../src/deliveries/verdict';

type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void;

const NOW = Date.UTC(2026, 0, 1);
const RETRIES = [10, 60];

describe('addresses', () => {
  const none = createAddresses([]);
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.8', '::', '::1', 'fe80::1', 'fd00::1', 'ff02::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::127.0.0.1',
      'fec0::1',
      'nonsense',
    ],
  ])('%s is not allowed', (address) => {
    expect(none.isAllowed(address)).toBe(false);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
    expect(none.isAllowed(address)).toBe(true);
  });

  test('networks that are allowed are, and no others', () => {
    const some = createAddresses([
      { address: '10.0.0.0', prefix: 8 },
      { address: 'fd00::', prefix: 16 },
    ]);
    expect(
      ['10.255.0.1', '::ffff:10.0.0.1', 'fd00::1', '11.0.0.1', 'fd01::1', '192.168.0.1'].map(some.isAllowed),
    ).toEqual([true, true, true, true, false, false]);
  });

  test('a name is refused by what it resolves to, when it is connected to', async () => {
    const lookup = promisify((name: string, done: (error: Error | null, address?: unknown) => void) => {
      none.lookup(name, { all: true }, done);
    });
    await expect(lookup('localhost')).rejects.toThrow('localhost is not a public address');
  });

  test('a name that leads elsewhere the second time is looked up, and refused, for each connection', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.setHeader('Connection', 'close').end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = ['127.0.0.1', '127.0.0.2'];
    const rebinds = ((_name: string, _options: LookupOptions, done: LookupCallback) =>
      done(null, [{ address: answers.shift() as string, family: 4 }])) as unknown as typeof lookup;
    const sender = createSender(createAddresses([{ address: '127.0.0.1', prefix: 32 }], rebinds));
    const send = (path: string) =>
      sender.send({ method: 'GET', url: `http://rebinds.example:${port}${path}`, headers: {}, body: null });
    expect(await send('/first')).toMatchObject({ status: 200 });
    const error = 'the name of the host leads to no public address';
    expect(await send('/second')).toMatchObject({ status: 0, error });
    expect([requests, answers]).toEqual([['/first'], []]);
    await sender.close();
    server.close();
  });
});

describe('verdicts', () => {
  const after = (answer: { status: number; error?: string; retryAfter?: string }, attempt = 1) =>
    judge({ error: '', latencyMs: 1, ...answer }, attempt, RETRIES, NOW, 0.5);

  test.each([200, 204, 299])('%d is done', (status) => {
    expect(after({ status })).toEqual({ outcome: 'sent' });
  });

  test.each([408, 429, 500, 503, 599])('%d is tried again', (status) => {
    expect(after({ status })).toEqual({ outcome: 'retry', at: NOW + 10_500, error: `answered ${status}` });
  });

  test.each([301, 304, 400, 401, 404, 410])('%d is not', (status) => {
    expect(after({ status })).toEqual({ outcome: 'dead', error: `answered ${status}`, isGone: status === 410 });
  });

  test('no answer is tried again, each time later, and then given up', () => {
    const nothing = { status: 0, error: 'the connection was refused' };
    expect(after(nothing, 2)).toEqual({ outcome: 'retry', at: NOW + 63_000, error: nothing.error });
    expect(after(nothing, 3)).toMatchObject({ outcome: 'dead', error: 'the connection was refused; given up' });
  });

  test.each([
    ['120', 120_000],
    [new Date(NOW + 300_000).toUTCString(), 300_000],
    ['5', 10_500],
    ['soon', 10_500],
    ['999999999', 86_400_000],
  ])('Retry-After: %s waits %d ms', (retryAfter, wait) => {
    expect(after({ status: 503, retryAfter })).toMatchObject({ at: NOW + wait });
  });
});

test('a host that fails again and again is left alone, and tried by one message at a time', () => {
  let now = NOW;
  const breaker = new Breaker(() => now);
  for (let i = 0; i < 4; i++) breaker.note('a', true);
  expect(breaker.countPlaces('a', 64)).toBe(64);
  breaker.note('a', true);
  expect([breaker.countPlaces('a', 64), breaker.countPlaces('b', 64)]).toEqual([0, 64]);
  now += 1_000;
  expect(breaker.countPlaces('a', 64)).toBe(1);
  for (let i = 0; i < 1_000; i++) breaker.note('a', true);
  now += 29_999;
  expect(breaker.countPlaces('a', 64)).toBe(0);
  now += 1;
  expect(breaker.countPlaces('a', 64)).toBe(1);
  breaker.note('a', false);
  expect(breaker.countPlaces('a', 64)).toBe(64);
});

test('the log has no values that look secret', () => {
  expect(blankedUrl('https://a.example/p?tid=1&api_key=x&Token=y')).toBe(
    'https://a.example/p?tid=1&api_key=***&Token=***',
  );
  expect(blankedBody('{"a":{"secret":"x","b":1},"auth":[1]}')).toBe('{"a":{"secret":"***","b":1},"auth":"***"}');
  expect(blankedBody('tid=1&password=x')).toBe('tid=1&password=***');
  expect(blankedBody('')).toBe('');
  expect(blankedUrl('no URL')).toBe('');
});

/** The address of a client behind proxies, in all the ways in which proxies write it. */
import type { IncomingMessage } from 'node:http';
import { clientIp } from '../../../src/http/client-ip';

const PROXY = '10.0.0.1';
const read = (header: string | undefined, trustProxy = 1, peer = PROXY) =>
  clientIp(
    {
      socket: { remoteAddress: peer },
      headers: header === undefined ? {} : { 'x-forwarded-for': header },
    } as never as IncomingMessage,
    trustProxy,
  );

test.each([
  ['198.51.100.201', '198.51.100.201'],
  ['198.51.100.201:49152', '198.51.100.201'],
  ['"198.51.100.201:49152"', '198.51.100.201'],
  ['"198.51.100.201"', '198.51.100.201'],
  ['198.51.100.201:', '198.51.100.201'],
  ['198.51.100.201:_hidden', '198.51.100.201'],
  ['[198.51.100.201]:80', '198.51.100.201'],
  ['2001:db8::9', '2001:db8::9'],
  ['2001:DB8:0:0:0:0:0:9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['[2001:db8::9]:4711', '2001:db8::9'],
  ['"[2001:db8::9]:4711"', '2001:db8::9'],
  ['"[2001:db8::9]"', '2001:db8::9'],
  [' "2001:db8::9" ', '2001:db8::9'],
  // Without brackets a port cannot be told from a group.
  ['2001:db8::9:4711', '2001:db8::9:4711'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7:4711', '198.51.100.7'],
  ['[::ffff:198.51.100.7]:4711', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
  ['\t198.51.100.201:1 \t', '198.51.100.201'],
  // The last element is what the trusted proxy saw; empty ones are none.
  ['203.0.113.66, 198.51.100.201:49152', '198.51.100.201'],
  ['203.0.113.66,198.51.100.201:49152', '198.51.100.201'],
  ['203.0.113.66, , 198.51.100.201:49152,, ', '198.51.100.201'],
  ['"203.0.113.66, 198.51.100.201:49152', '198.51.100.201'],
  ['203.0.113.66, 198.51.100.201:1"', '198.51.100.201'],
])('%j is %s', (header, ip) => expect(read(header)).toBe(ip));

test.each([
  undefined,
  '',
  ' , ,',
  'unknown',
  '"unknown"',
  '_hidden',
  'localhost:80',
  '198.51.100.300:80',
  '198.51.100.1.2:80',
  '198.51.100:80',
  '0x7f.0.0.1',
  '198.51.100.07',
  '[198.51.100.201',
  '[2001:db8::9]4711',
  '[2001:db8::9]:4711 x',
  '[]:80',
  '2001:db8:::9',
  '198.51.100.201 203.0.113.9',
  '198.51.100.201;203.0.113.9',
])('%j names nobody: the peer counts', (header) => expect(read(header)).toBe(PROXY));

test('each trusted proxy is one element, however it is written, and what comes before is not believed', () => {
  const header = '203.0.113.66, "[2001:db8::9]:4711", 198.51.100.201:49152';
  expect([0, 1, 2, 3, 4].map((trusted) => read(header, trusted))).toEqual([
    PROXY,
    '198.51.100.201',
    '2001:db8::9',
    '203.0.113.66',
    '203.0.113.66',
  ]);
  expect(read('203.0.113.66, unknown, 198.51.100.201', 2)).toBe(PROXY);
  expect(read('203.0.113.66', 1, '::ffff:10.0.0.1')).toBe('203.0.113.66');
  expect(read(undefined, 1, '::ffff:10.0.0.1')).toBe(PROXY);
});

test.each(['1.', ':', '[', '"', 'a:', '%', '1.1.1.1:', ' '])('a header of a million %j names nobody', (unit) => {
  // Written once: making a text of it takes a hundred times as long as reading its end.
  const header = Buffer.from(unit.repeat(1_000_000 / unit.length)).toString('latin1');
  for (let i = 0; i < 50; i++) expect(read(header)).toBe(PROXY);
});

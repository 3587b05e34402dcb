/** The operator's own datacenter ranges, DATACENTER_RANGES: forms of a line, what a wrong line says, the version. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { loadDatacenterRanges } from '../../../src/net/datacenter';

const dir = mkdtempSync(path.join(tmpdir(), 'adtrail-cidr-'));
const builtFile = path.join(dir, 'built.json');
const extraFile = path.join(dir, 'extra.txt');

/** One built range, 198.51.100.0/24, and the operator's file. */
function load(text: string) {
  writeFileSync(builtFile, JSON.stringify({ version: 'built', ipv4: [0xc6336400, 0xc63364ff], ipv6: [] }));
  writeFileSync(extraFile, text);
  return loadDatacenterRanges({ extraFile, builtFile });
}

afterAll(() => rmSync(dir, { recursive: true }));

it('takes addresses, CIDRs, comments, blank lines, CRLF and a byte order mark', () => {
  const ranges = load(
    '\uFEFF# ours\r\n\r\n203.0.113.0/25\r\n  192.0.2.7  # one host\r\n2001:DB8:1::/48\r\n2001:db8:2::5',
  );
  const inside = [
    '203.0.113.0',
    '203.0.113.127',
    '192.0.2.7',
    '2001:db8:1::',
    '2001:db8:1:ffff::1',
    '2001:db8:2::5',
    '198.51.100.9',
  ];
  const outside = [
    '203.0.112.255',
    '203.0.113.128',
    '192.0.2.6',
    '192.0.2.8',
    '2001:db8:0:ffff::1',
    '2001:db8:2::',
    '2001:db8:2::6',
    '198.51.101.0',
  ];
  expect(inside.filter((ip) => !ranges.contains(ip))).toEqual([]);
  expect(outside.filter((ip) => ranges.contains(ip))).toEqual([]);
});

it.each([
  ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255', '2002::1'], ['2400::1', 'ffff::']],
  ['::/0', ['::', 'ffff::', '2400::1'], ['0.0.0.0', '8.8.8.8']],
  ['203.0.113.77/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['203.0.113.77/32', ['203.0.113.77', '64:ff9b::cb00:714d', '2002:cb00:714d::'], ['203.0.113.76', '203.0.113.78']],
  ['::ffff:203.0.113.0/120', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['::ffff:203.0.113.5', ['203.0.113.5'], ['203.0.113.4']],
  ['2001:db8::/33', ['2001:db8::', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'], ['2001:db8:8000::', '2001:db7:ffff::']],
  ['203.0.113.0/25\n203.0.113.128/25\n203.0.113.3', ['203.0.113.0', '203.0.113.200'], ['203.0.114.0']],
  ['', ['198.51.100.1'], ['203.0.113.1']],
])('%j holds %j and not %j', (text, inside, outside) => {
  const ranges = load(text);
  expect(inside.filter((ip) => !ranges.contains(ip))).toEqual([]);
  expect(outside.filter((ip) => ranges.contains(ip))).toEqual([]);
});

it('agrees with ipaddr.js on random CIDRs', () => {
  // A group of their own in front, so that no address holds an IPv4 one.
  const ipv6 = fc
    .array(fc.nat(0xffff), { minLength: 7, maxLength: 7 })
    .map((groups) => `2a00:${groups.map((g) => g.toString(16)).join(':')}`);
  const pair = fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4(), fc.nat(32)), fc.tuple(ipv6, ipv6, fc.nat(128)));
  fc.assert(
    fc.property(pair, ([base, other, bits]) => {
      const ranges = load(`${base}/${bits}`);
      expect(ranges.contains(base)).toBe(true);
      expect(ranges.contains(other)).toBe(
        ipaddr.parse(other).match(ipaddr.parse(base), bits) || other.startsWith('198.51.100.'),
      );
    }),
    { numRuns: 300 },
  );
});

it.each([
  'nonsense',
  '1.2.3',
  '1.2.3.4/33',
  '1.2.3.4/',
  '1.2.3.4/08',
  '1.2.3.4/-1',
  '1.2.3.4/8/8',
  '01.2.3.4',
  '::1/129',
  'fe80::1%eth0',
  '[::1]',
  '1.2.3.4-1.2.3.9',
  '::ffff:1.2.3.4/95',
  '10.0.0.0/8 x',
])('refuses the line %j by its number', (line) => {
  expect(() => load(`# first\n203.0.113.0/24\n${line}\n`)).toThrow(
    `DATACENTER_RANGES: line 3 of ${extraFile} is not an address or CIDR: "${line}"`,
  );
});

it('says so when the file is missing', () => {
  load('');
  const missing = path.join(dir, 'nowhere.txt');
  expect(() => loadDatacenterRanges({ extraFile: missing, builtFile })).toThrow(
    `DATACENTER_RANGES: cannot read ${missing} (ENOENT)`,
  );
});

it('puts the hash of the file into the version', () => {
  const text = '203.0.113.0/24\r\n';
  expect(load(text).version).toBe(`built+custom:${createHash('sha256').update(text).digest('hex').slice(0, 8)}`);
  expect(loadDatacenterRanges({ builtFile }).version).toBe('built');
});

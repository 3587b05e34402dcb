/** parseIp: strict parsing, canonical text and "public" as docs/contract/s2s.md has them. */
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { parseIp } from '../../../src/net/ip';
import { anyCharacter } from '../../support/any-character';
import { expectSame } from '../../support/expect-same';
import { rounds } from '../../support/soak';

const PUBLIC: [text: string, canonical: string][] = [
  ['8.8.8.8', '8.8.8.8'],
  ['1.0.0.0', '1.0.0.0'],
  ['9.255.255.255', '9.255.255.255'],
  ['11.0.0.0', '11.0.0.0'],
  ['100.63.255.255', '100.63.255.255'],
  ['100.128.0.0', '100.128.0.0'],
  ['126.255.255.255', '126.255.255.255'],
  ['128.0.0.0', '128.0.0.0'],
  ['169.253.255.255', '169.253.255.255'],
  ['169.255.0.0', '169.255.0.0'],
  ['172.15.255.255', '172.15.255.255'],
  ['172.32.0.0', '172.32.0.0'],
  ['192.167.255.255', '192.167.255.255'],
  ['192.169.0.0', '192.169.0.0'],
  ['223.255.255.255', '223.255.255.255'],
  // Documentation (RFC 5737, RFC 3849), and reserved blocks that the decision does not list.
  ['192.0.2.1', '192.0.2.1'],
  ['198.51.100.7', '198.51.100.7'],
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['198.18.0.1', '198.18.0.1'],
  ['192.0.0.1', '192.0.0.1'],
  ['100::1', '100::1'],
  ['64:ff9b:1::1', '64:ff9b:1::1'],
  // RFC 5952: lower case, no leading zeros, the first of the longest runs of zeros, never a single group.
  ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2a00:0:0:1:0:0:0:1', '2a00:0:0:1::1'],
  ['2606:4700:4700::1111', '2606:4700:4700::1111'],
  ['2A00::', '2a00::'],
  ['2a00:0:0:0:0:0:0:0', '2a00::'],
  ['2001:db8::192.0.2.33', '2001:db8::c000:221'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['fbff::1', 'fbff::1'],
  ['fe00::1', 'fe00::1'],
  ['fe7f::1', 'fe7f::1'],
  // IPv4 inside: mapped, NAT64, 6to4, Teredo, IPv4-compatible.
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['::FFFF:0808:0808', '8.8.8.8'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ['2002:808:808::1', '2002:808:808::1'],
  ['2001:0:4136:e378:8000:63bf:f7f7:f7f7', '2001:0:4136:e378:8000:63bf:f7f7:f7f7'],
  ['::8.8.8.8', '::808:808'],
];

const NOT_PUBLIC: [text: string, canonical: string][] = [
  ['0.0.0.0', '0.0.0.0'],
  ['0.255.255.255', '0.255.255.255'],
  ['10.0.0.0', '10.0.0.0'],
  ['10.255.255.255', '10.255.255.255'],
  ['100.64.0.0', '100.64.0.0'],
  ['100.127.255.255', '100.127.255.255'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.255.255.255', '127.255.255.255'],
  ['169.254.0.0', '169.254.0.0'],
  ['169.254.169.254', '169.254.169.254'],
  ['172.16.0.0', '172.16.0.0'],
  ['172.31.255.255', '172.31.255.255'],
  ['192.168.0.0', '192.168.0.0'],
  ['192.168.255.255', '192.168.255.255'],
  ['224.0.0.0', '224.0.0.0'],
  ['239.255.255.255', '239.255.255.255'],
  ['240.0.0.0', '240.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['::', '::'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['::1', '::1'],
  ['fc00::', 'fc00::'],
  ['FDFF:FFFF::1', 'fdff:ffff::1'],
  ['fe80::1', 'fe80::1'],
  ['febf::1', 'febf::1'],
  ['fec0::1', 'fec0::1'],
  ['feff::1', 'feff::1'],
  ['ff02::1', 'ff02::1'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['64:ff9b::192.168.1.1', '64:ff9b::c0a8:101'],
  ['2002:a00:1::1', '2002:a00:1::1'],
  ['2002:c0a8:101::', '2002:c0a8:101::'],
  // Teredo: 3f57:fefe is 192.168.1.1 inverted.
  ['2001:0:4136:e378:8000:63bf:3f57:fefe', '2001:0:4136:e378:8000:63bf:3f57:fefe'],
  ['::10.1.2.3', '::a01:203'],
];

const NOT_AN_IP = [
  '',
  ' ',
  '1',
  '1.2',
  '1.2.3',
  '1.2.3.',
  '.1.2.3',
  '1..2.3',
  '1.2.3.4.',
  '1.2.3.4.5',
  '256.1.1.1',
  '1.2.3.999',
  '01.2.3.4',
  '1.2.3.04',
  '00.0.0.0',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '1.2.3.4 ',
  ' 1.2.3.4',
  '1.2.3.4\n',
  '1.2.3.4\0',
  '1.2.3.4:80',
  '1.2.3.4/32',
  '+1.2.3.4',
  '-1.2.3.4',
  '1,2,3,4',
  '１.2.3.4',
  '1.2.3.4, 5.6.7.8',
  '::1 ',
  ' ::1',
  '::1\n',
  '[::1]',
  '[::1]:80',
  '::1/128',
  'fe80::1%eth0',
  '::1%',
  '2001:db8::1%1',
  ':',
  ':::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2:3:4:5:6:7:8',
  '1::2::3',
  '12345::',
  '::g',
  ':1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:',
  '::ffff:1.2.3',
  '::ffff:01.2.3.4',
  '::ffff:256.1.1.1',
  '::1.2.3.4:5',
  '1.2.3.4::',
  'unknown',
  'localhost',
  '{ip}',
  `${'0'.repeat(40)}::1`,
  '1'.repeat(10_000),
];

describe('parseIp', () => {
  it.each(PUBLIC)('%s is public, canonically %s', (text, ip) => {
    expect(parseIp(text)).toEqual({ ip, public: true });
  });

  it.each(NOT_PUBLIC)('%s is not public, canonically %s', (text, ip) => {
    expect(parseIp(text)).toEqual({ ip, public: false });
  });

  it.each(NOT_AN_IP.map((text) => [JSON.stringify(text).slice(0, 60), text]))('%s is not an IP address', (_, text) => {
    expect(parseIp(text)).toBeNull();
  });
});

const NOT_PUBLIC_KINDS = [
  'private',
  'loopback',
  'linkLocal',
  'carrierGradeNat',
  'multicast',
  'broadcast',
  'unspecified',
];

describe('parseIp, on random text', () => {
  it('takes any IPv4 address as it is, and agrees with ipaddr.js on which are public', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const address = ipaddr.IPv4.parse(text);
        const first = address.octets[0] ?? 0;
        const isPublic = first !== 0 && first < 240 && !NOT_PUBLIC_KINDS.includes(address.range());
        expectSame(parseIp(text), { ip: text, public: isPublic });
      }),
      { numRuns: rounds(500, 10_000) },
    );
  });

  it('gives any IPv6 address the text that ipaddr.js and the URL standard give it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const standard = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        const address = ipaddr.IPv6.parse(standard);
        const mapped = address.isIPv4MappedAddress();
        expectSame(parseIp(text)?.ip, mapped ? address.toIPv4Address().toString() : standard);
        if (!mapped) expectSame(address.toRFC5952String(), standard);
      }),
      { numRuns: rounds(500, 10_000) },
    );
  });

  it('finds the same address in every spelling of it, zeros in any place', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const short = groups.map((g) => g.toString(16)).join(':');
        const long = groups.map((g) => g.toString(16).toUpperCase().padStart(4, '0')).join(':');
        expectSame(parseIp(long), parseIp(short));
        expectSame(parseIp(parseIp(short)?.ip ?? ''), parseIp(short));
        expectSame(parseIp(short) === null, false);
      }),
      { numRuns: rounds(500, 10_000) },
    );
  });

  it('maps an IPv4-mapped address to the very result of the IPv4 address', () => {
    fc.assert(fc.property(fc.ipV4(), (text) => expect(parseIp(`::ffff:${text}`)).toEqual(parseIp(text))));
  });

  it('never throws, and what it takes is canonical', () => {
    const lookalike = fc.string({ unit: fc.constantFrom(...'0123456789abcfF.:x%/[] '), maxLength: 50 });
    fc.assert(
      fc.property(fc.oneof(lookalike, fc.string({ unit: anyCharacter })), (text) => {
        const parsed = parseIp(text);
        if (parsed !== null) expectSame(parseIp(parsed.ip), parsed);
      }),
      { numRuns: rounds(1_000, 20_000) },
    );
  });
});

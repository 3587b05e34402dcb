/**
 * Datacenter ranges: our list of networks against the package's data, the compact lookup against a naive scan of the
 * CSVs.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { CLOUD_NETWORKS_FILE, parseCloudNetworks, writeDatacenterRanges } from '../../../src/build/datacenter-ranges';
import { type DatacenterRanges, loadDatacenterRanges } from '../../../src/net/datacenter';
import { parseIp } from '../../../src/net/ip';

interface Row {
  readonly start: string;
  readonly end: string;
  readonly asn: number;
}

const CONSUMER_NETWORKS = [
  7922, 3320, 55836, 24560, 45609, 21928, 20115, 3215, 2856, 17676, 16591, 714, 29447, 35540, 174, 36183,
];

const packageDir = path.dirname(require.resolve('@ip-location-db/asn/package.json'));
const list = readFileSync(CLOUD_NETWORKS_FILE);
const networks = parseCloudNetworks(list.toString('utf8'));
const dir = mkdtempSync(path.join(tmpdir(), 'adtrail-net-'));
// The dotted files, though the build reads the numeric ones: so the two are checked against each other.
const ipv4Rows = readRows('asn-ipv4.csv');
const ipv6Rows = readRows('asn-ipv6.csv');
let ranges: DatacenterRanges;

function readRows(csv: string): Row[] {
  const rows = readFileSync(path.join(packageDir, csv), 'utf8').matchAll(/^([^,]+),([^,]+),(\d+),/gm);
  return Array.from(rows, ([, start = '', end = '', asn]) => ({ start, end, asn: Number(asn) }));
}

function toBigInt(text: string): bigint {
  return BigInt(`0x${Buffer.from(ipaddr.parse(text).toByteArray()).toString('hex')}`);
}

function toText(value: bigint, bytes: number): string {
  const array = Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * (bytes - 1 - i))) & 255n));
  return parseIp(ipaddr.fromByteArray(array).toString())?.ip ?? '';
}

/** Repeatable random addresses, and the addresses at and beside the ends of the given rows. */
function samples(count: number, bytes: number, rows: readonly Row[]): string[] {
  const max = (1n << BigInt(8 * bytes)) - 1n;
  return Array.from({ length: count }, (_, i) => {
    const hash = createHash('sha256').update(`${bytes}/${i}`).digest();
    const random = BigInt(`0x${hash.subarray(0, bytes).toString('hex')}`);
    if (i % 2 === 0) return toText(random, bytes);
    const row = rows[Number(random % BigInt(rows.length))];
    const edge = toBigInt((i % 4 === 1 ? row?.start : row?.end) ?? '') + ((random >> 7n) % 3n) - 1n;
    return toText(edge < 0n ? 0n : edge > max ? max : edge, bytes);
  });
}

beforeAll(() => {
  const builtFile = path.join(dir, 'ranges.json');
  writeDatacenterRanges(builtFile);
  ranges = loadDatacenterRanges({ builtFile });
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('cloud-networks.csv', () => {
  it('names only networks that the package has', () => {
    const known = new Set([...ipv4Rows, ...ipv6Rows].map((row) => row.asn));
    expect([...networks.keys()].filter((asn) => !known.has(asn))).toEqual([]);
    expect(networks.size).toBeGreaterThan(100);
  });

  it('names no consumer network or carrier', () => {
    expect(CONSUMER_NETWORKS.filter((asn) => networks.has(asn))).toEqual([]);
  });

  it.each([
    ['a repeated number', '1,A\n1,B'],
    ['a word', 'AS1,A'],
    ['no operator', '1,'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseCloudNetworks(text)).toThrow('cloud-networks.csv: wrong or repeated line');
  });
});

describe('contains', () => {
  it.each([
    ['3.5.140.1', 'AWS'],
    ['2600:1f18::1', 'AWS'],
    ['34.64.1.1', 'Google Cloud'],
    ['8.8.8.8', 'Google'],
    ['20.50.2.1', 'Azure'],
    ['1.1.1.1', 'Cloudflare'],
    ['104.16.0.1', 'Cloudflare'],
    ['2606:4700:4700::1111', 'Cloudflare'],
    ['88.198.1.1', 'Hetzner'],
    ['2a01:4f8::1', 'Hetzner'],
    ['2400:6180::1', 'DigitalOcean'],
    ['51.158.0.1', 'Scaleway'],
    ['64:ff9b::305:8c01', 'AWS in NAT64'],
    ['2002:305:8c01::1', 'AWS in 6to4'],
    ['2001:0:4136:e378:8000:63bf:fcfa:73fe', 'AWS in Teredo'],
    ['::ffff:305:8c01', 'AWS, IPv4-mapped'],
  ])('%s (%s) is true', (ip) => {
    expect(ranges.contains(ip)).toBe(true);
  });

  it.each([
    ['73.1.1.1', 'Comcast'],
    ['2601::1', 'Comcast'],
    ['91.0.0.1', 'Deutsche Telekom'],
    ['2003::1', 'Deutsche Telekom'],
    ['49.36.1.1', 'Jio'],
    ['2405:200::1', 'Jio'],
    ['106.192.1.1', 'Airtel'],
    ['172.225.0.1', 'iCloud Private Relay'],
    ['203.0.113.9', 'documentation'],
    ['2001:db8::1', 'documentation'],
    ['64:ff9b::4901:101', 'Comcast in NAT64'],
    ['2002:4901:101::1', 'Comcast in 6to4'],
    ['2001:0:4136:e378:8000:63bf:b6fe:fefe', 'Comcast in Teredo'],
    ['0.0.0.0', 'before the first range'],
    ['255.255.255.255', 'after the last range'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'after the last range'],
    ['', 'not an address'],
    ['3.5.140', 'not an address'],
  ])('%s (%s) is false', (ip) => {
    expect(ranges.contains(ip)).toBe(false);
  });

  it('is false at both ends of every range of consumer networks', () => {
    const consumer = [...ipv4Rows, ...ipv6Rows].filter((row) => CONSUMER_NETWORKS.includes(row.asn));
    expect(consumer.length).toBeGreaterThan(1000);
    expect(consumer.filter((row) => ranges.contains(row.start) || ranges.contains(row.end))).toEqual([]);
  });

  it.each([
    ['IPv4', 4, ipv4Rows],
    ['IPv6', 16, ipv6Rows],
  ])('agrees with a naive scan of the CSV on 400 addresses: %s', (_, bytes, rows) => {
    const listed = rows.filter((row) => networks.has(row.asn));
    // Numbers are compared sooner than bigints, where they are exact.
    const comparable = (ip: string) => (bytes === 4 ? Number(toBigInt(ip)) : toBigInt(ip));
    const scanned = listed.map((row) => [comparable(row.start), comparable(row.end)] as const);
    const ips = samples(200, bytes, rows).concat(samples(200, bytes, listed));
    const naive = ips.filter((ip) => {
      const value = comparable(ip);
      return scanned.some(([start, end]) => start <= value && value <= end);
    });
    expect(naive.length).toBeGreaterThan(40);
    expect(ips.filter((ip) => ranges.contains(ip))).toEqual(naive);
  });
});

describe('version', () => {
  it('is the package version and the hash of the list', () => {
    const manifest = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as { version: string };
    expect(ranges.version).toBe(`${manifest.version}+${createHash('sha256').update(list).digest('hex').slice(0, 8)}`);
  });
});

it('says so when the built file is missing', () => {
  expect(() => loadDatacenterRanges({ builtFile: path.join(dir, 'nowhere.json') })).toThrow(
    /^datacenter ranges: cannot read .*nowhere\.json \(ENOENT\)/,
  );
});

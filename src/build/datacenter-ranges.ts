/**
 * Build step: picks the ranges of the cloud and hosting networks out of @ip-location-db/asn and writes them compactly
 * for datacenter.ts.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseList } from '../lib/csv';
import type { DatacenterData } from '../net/datacenter';
import { type Range, flattenRanges, mergeRanges } from '../net/ranges';

/** tsc does not copy CSV files, so the list is read from the sources, whether this runs from src or from dist. */
export const CLOUD_NETWORKS_FILE = path.join(__dirname, '..', '..', 'src', 'net', 'cloud-networks.csv');
const PACKAGE_DIR = path.dirname(require.resolve('@ip-location-db/asn/package.json'));

/**
 * The list of cloud and hosting networks: operator by AS number.
 *
 * @throws Error for a row of another form and for a repeated number.
 */
export function parseCloudNetworks(text: string): Map<number, string> {
  const networks = new Map<number, string>();
  for (const { asn, operator } of parseList(text, 'cloud-networks.csv', ['asn', 'operator'])) {
    if (!/^[1-9]\d*$/.test(asn) || operator === '' || networks.has(Number(asn)))
      throw new Error(`cloud-networks.csv: wrong or repeated line ${asn},${operator}`);
    networks.set(Number(asn), operator);
  }
  return networks;
}

/**
 * Builds what docs/contract/s2s.md calls `datacenter_ip`: all ranges of the listed networks, and the version stored
 * with each CTV impression.
 */
export function buildDatacenterRanges(): DatacenterData {
  const list = readFileSync(CLOUD_NETWORKS_FILE);
  const networks = parseCloudNetworks(list.toString('utf8'));
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE_DIR, 'package.json'), 'utf8')) as { version: string };
  return {
    version: `${manifest.version}+${createHash('sha256').update(list).digest('hex').slice(0, 8)}`,
    ipv4: flattenRanges(readRanges(networks, 'asn-ipv4-num.csv'), 1),
    ipv6: flattenRanges(readRanges(networks, 'asn-ipv6-num.csv'), 4),
  };
}

/** Builds the ranges and writes them to `target`. */
export function writeDatacenterRanges(target: string): void {
  writeFileSync(target, JSON.stringify(buildDatacenterRanges()));
}

function readRanges(networks: ReadonlyMap<number, string>, csv: string): Range[] {
  const ranges: Range[] = [];
  // Rows are start,end,asn,name; only the name is ever quoted.
  for (const [, start, end, asn] of readFileSync(path.join(PACKAGE_DIR, csv), 'utf8').matchAll(
    /^(\d+),(\d+),(\d+),/gm,
  )) {
    if (start !== undefined && end !== undefined && networks.has(Number(asn)))
      ranges.push([BigInt(start), BigInt(end)]);
  }
  if (ranges.length === 0)
    throw new Error(`${csv} of @ip-location-db/asn has no range of any network in cloud-networks.csv`);
  return mergeRanges(ranges);
}

if (require.main === module) writeDatacenterRanges(path.join(__dirname, '..', 'net', 'datacenter-ranges.json'));

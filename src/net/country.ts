/** The country of an address: stored with every record as it arrives, so that it outlives the address. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize } from 'node:v8';
import { parseIpv4 } from './ipv4';
import { innerIpv4, parseIpv6 } from './ipv6';
import { lastAtOrBefore, type Words } from './ranges';

/** Where each range begins, in 32-bit words, and the place of its country in `codes`. A range ends before the next. */
export interface CountryRanges {
  readonly starts: Uint32Array;
  readonly countries: Uint8Array;
}

/** The compact file, as v8.serialize writes it. */
export interface CountryData {
  /** ISO 3166-1 alpha-2 codes; the first is empty, for addresses of no country. */
  readonly codes: readonly string[];
  readonly ipv4: CountryRanges;
  readonly ipv6: CountryRanges;
}

/** What `npm run build` wrote, whether this runs from src or from dist. */
const BUILT_FILE = path.join(__dirname, '..', '..', 'dist', 'net', 'country-ranges.bin');

let data: CountryData | undefined;

/**
 * The ISO 3166-1 alpha-2 code of a canonical address, in capitals; empty where it has none. An IPv6 address that holds
 * an IPv4 address counts by that one.
 *
 * @throws Error at the first call where the service was not built.
 */
export function findCountry(ip: string): string {
  data ??= deserialize(readFileSync(BUILT_FILE)) as CountryData;
  const ipv4 = parseIpv4(ip);
  if (ipv4 !== null) return find(data, data.ipv4, [ipv4]);
  const ipv6 = parseIpv6(ip);
  if (ipv6 === null) return '';
  const inner = innerIpv4(ipv6);
  return inner === null ? find(data, data.ipv6, ipv6) : find(data, data.ipv4, [inner]);
}

const find = ({ codes }: CountryData, { starts, countries }: CountryRanges, address: Words): string =>
  codes[countries[lastAtOrBefore(starts, address, address.length)] ?? 0] ?? '';

/** Build step: writes which country each range of addresses belongs to, by @ip-location-db/dbip-country, compactly. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serialize } from 'node:v8';
import type { CountryData, CountryRanges } from '../net/country';
import { toWords } from '../net/ranges';

const PACKAGE_DIR = path.dirname(require.resolve('@ip-location-db/dbip-country/package.json'));
const LINE = /^(\d+),(\d+),([A-Z]{2})$/gm;

export function writeCountryRanges(target: string): void {
  const codes = [''];
  const data: CountryData = {
    codes,
    ipv4: readRanges('dbip-country-ipv4-num.csv', 1, codes),
    ipv6: readRanges('dbip-country-ipv6-num.csv', 4, codes),
  };
  writeFileSync(target, serialize(data));
}

/** @throws Error where ranges are not in order, or their countries more than a byte can tell apart. */
function readRanges(csv: string, width: number, codes: string[]): CountryRanges {
  const starts: number[] = [];
  const countries: number[] = [];
  const begin = (address: bigint, country: string) => {
    if (!codes.includes(country)) codes.push(country);
    starts.push(...toWords(address, width));
    countries.push(codes.indexOf(country));
  };
  let next = 0n;
  for (const [, first = '', last = '', country = ''] of readFileSync(path.join(PACKAGE_DIR, csv), 'utf8').matchAll(
    LINE,
  )) {
    const start = BigInt(first);
    if (start < next) throw new Error(`${csv}: the range from ${first} begins before the one before it ends`);
    if (start > next) begin(next, '');
    begin(start, country);
    next = BigInt(last) + 1n;
  }
  if (next < 1n << BigInt(32 * width)) begin(next, '');
  if (codes.length > 256) throw new Error(`${csv}: more than 255 countries`);
  return { starts: Uint32Array.from(starts), countries: Uint8Array.from(countries) };
}

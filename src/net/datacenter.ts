/** Tells whether an address belongs to a cloud or hosting provider: `datacenter_ip` of the S2S rejections. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseCidrFile } from './cidr-file';
import { parseIpv4 } from './ipv4';
import { innerIpv4, parseIpv6 } from './ipv6';
import { type Words, flattenRanges, inRanges, mergeRanges } from './ranges';

/** The compact file: ranges merged and sorted, flattened to 32-bit words (see ranges.ts). */
export interface DatacenterData {
  /** Version of the package, `+`, first 8 hex digits of the SHA-256 of the list. */
  readonly version: string;
  readonly ipv4: readonly number[];
  readonly ipv6: readonly number[];
}

export interface DatacenterRanges {
  /** Takes the canonical form that `parseIp` returns; false for anything that is not an address. */
  contains(ip: string): boolean;
  /** Stored with each CTV impression. */
  readonly version: string;
}

interface Source {
  readonly version: string;
  readonly ipv4: Uint32Array;
  readonly ipv6: Uint32Array;
}

/**
 * Loads the ranges that `npm run build` wrote (`builtFile`, for tests: another place) and the operator's own,
 * `DATACENTER_RANGES` (docs/contract/s2s.md). An IPv6 address counts as it is or by the IPv4 address inside. Throws
 * an Error that says which file is wrong.
 */
export function loadDatacenterRanges(opts: { extraFile?: string | undefined; builtFile?: string }): DatacenterRanges {
  const sources = [loadBuilt(opts.builtFile ?? path.join(__dirname, 'datacenter-ranges.json'))];
  if (opts.extraFile !== undefined) sources.push(loadExtra(opts.extraFile));
  const hasIpv4 = (address: Words) => sources.some((source) => inRanges(source.ipv4, address));
  return {
    version: sources.map((source) => source.version).join('+'),
    contains(ip) {
      const ipv4 = parseIpv4(ip);
      if (ipv4 !== null) return hasIpv4([ipv4]);
      const ipv6 = parseIpv6(ip);
      if (ipv6 === null) return false;
      const inner = innerIpv4(ipv6);
      return sources.some((source) => inRanges(source.ipv6, ipv6)) || (inner !== null && hasIpv4([inner]));
    },
  };
}

function loadBuilt(file: string): Source {
  const data = JSON.parse(read(file, 'datacenter ranges').toString('utf8')) as DatacenterData;
  return { version: data.version, ipv4: Uint32Array.from(data.ipv4), ipv6: Uint32Array.from(data.ipv6) };
}

function loadExtra(file: string): Source {
  const bytes = read(file, 'DATACENTER_RANGES');
  const ranges = parseCidrFile(bytes.toString('utf8'), file);
  return {
    version: `custom:${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`,
    ipv4: Uint32Array.from(flattenRanges(mergeRanges(ranges.ipv4), 1)),
    ipv6: Uint32Array.from(flattenRanges(mergeRanges(ranges.ipv6), 4)),
  };
}

function read(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${what}: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

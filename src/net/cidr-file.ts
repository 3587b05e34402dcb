/**
 * The operator's own file of datacenter ranges, DATACENTER_RANGES (docs/contract/s2s.md): one address or CIDR a
 * line.
 */
import { parseIp } from './ip';
import { parseIpv4 } from './ipv4';
import { parseIpv6 } from './ipv6';
import { type Range, toBigInt } from './ranges';

export interface RangesByFamily {
  readonly ipv4: Range[];
  readonly ipv6: Range[];
}

/**
 * Reads the text of the file; `#` starts a comment, blank lines and CRLF are fine, bits after the prefix are ignored.
 * Throws an Error that names the line of `file` which is neither an address nor a CIDR.
 */
export function parseCidrFile(text: string, file: string): RangesByFamily {
  const ranges: RangesByFamily = { ipv4: [], ipv6: [] };
  text.split('\n').forEach((raw, i) => {
    const line = raw.replace(/#.*/s, '').trim();
    if (line === '') return;
    const parsed = parseCidr(line);
    if (parsed === null)
      throw new Error(`DATACENTER_RANGES: line ${i + 1} of ${file} is not an address or CIDR: "${line.slice(0, 100)}"`);
    ranges[parsed.family].push(parsed.range);
  });
  return ranges;
}

/** An IPv4-mapped CIDR becomes the IPv4 one, as `parseIp` does with addresses; else no lookup could ever find it. */
function parseCidr(text: string): { family: keyof RangesByFamily; range: Range } | null {
  const [, address = '', prefix] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const ip = parseIp(address)?.ip;
  if (ip === undefined) return null;
  const ipv4 = parseIpv4(ip);
  const words = ipv4 === null ? parseIpv6(ip) : [ipv4];
  if (words === null) return null;
  const size = 32 * words.length;
  const mapped = ipv4 !== null && address.includes(':');
  const bits = prefix === undefined ? size : Number(prefix) - (mapped ? 96 : 0);
  if (bits < 0 || bits > size) return null;
  const host = (1n << BigInt(size - bits)) - 1n;
  const end = toBigInt(words) | host;
  return { family: ipv4 === null ? 'ipv6' : 'ipv4', range: [end ^ host, end] };
}

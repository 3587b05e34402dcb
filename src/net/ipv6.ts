/**
 * IPv6 addresses as four unsigned 32-bit words: strict parsing, canonical text, the IPv4 address inside, and which
 * are public.
 */
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicIpv4, parseIpv4 } from './ipv4';

/** Four unsigned 32-bit words, most significant first. */
export type Ipv6 = readonly [number, number, number, number];

/** The longest text form, eight groups whose last two are an IPv4 address. */
const MAX_LENGTH = 45;

/**
 * The text forms of RFC 4291 without zone ID, brackets or port (docs/contract/s2s.md); null when `text` is anything
 * else.
 */
export function parseIpv6(text: string): Ipv6 | null {
  // ipaddr.js alone is too lenient for us: it takes zone IDs, octal and short IPv4 tails.
  if (text.length > MAX_LENGTH || !isIPv6(text) || text.includes('%')) return null;
  const hex = withoutDots(text);
  if (hex === null) return null;
  const parts = ipaddr.IPv6.parse(hex).parts;
  const word = (i: number) => (parts[i] ?? 0) * 0x10000 + (parts[i + 1] ?? 0);
  return [word(0), word(2), word(4), word(6)];
}

/** The canonical text of RFC 5952: lower case, the first of the longest runs of zero groups compressed. */
export function formatIpv6(address: Ipv6): string {
  return new ipaddr.IPv6(address.flatMap((word) => [word >>> 16, word & 0xffff])).toRFC5952String();
}

/** The IPv4 address inside an IPv4-mapped one (`::ffff:0:0/96`), else null. */
export function mappedIpv4([a, b, c, d]: Ipv6): number | null {
  return a === 0 && b === 0 && c === 0xffff ? d : null;
}

/**
 * The IPv4 address by which IPv4-mapped, NAT64, 6to4, Teredo and the deprecated IPv4-compatible addresses are checked
 * (docs/contract/s2s.md), else null.
 */
export function innerIpv4([a, b, c, d]: Ipv6): number | null {
  if (a === 0 && b === 0 && (c === 0xffff || c === 0)) return d;
  if (a === 0x0064ff9b && b === 0 && c === 0) return d;
  if (a >>> 16 === 0x2002) return (((a & 0xffff) << 16) | (b >>> 16)) >>> 0;
  // Teredo carries the client's address with every bit inverted (RFC 4380).
  if (a === 0x20010000) return ~d >>> 0;
  return null;
}

/**
 * Whether an IPv6 address is public: checked by the IPv4 address inside if there is one, else not unique-local,
 * link-local, site-local or multicast (docs/contract/s2s.md; RFC 3849 counts as public). `::` and `::1` hold 0.0.0.0
 * and 0.0.0.1, which are not.
 */
export function isPublicIpv6(address: Ipv6): boolean {
  const inner = innerIpv4(address);
  if (inner !== null) return isPublicIpv4(inner);
  const top = address[0] >>> 16;
  const uniqueLocal = (top & 0xfe00) === 0xfc00;
  const linkOrSiteLocal = (top & 0xff80) === 0xfe80;
  const multicast = (top & 0xff00) === 0xff00;
  return !uniqueLocal && !linkOrSiteLocal && !multicast;
}

/**
 * Writes an IPv4 tail as two groups, because ipaddr.js would take the IPv4-compatible `::1.2.3.4` for the IPv4-mapped
 * `::ffff:1.2.3.4`.
 */
function withoutDots(text: string): string | null {
  if (!text.includes('.')) return text;
  const tail = text.lastIndexOf(':') + 1;
  const ipv4 = parseIpv4(text.slice(tail));
  return ipv4 === null ? null : `${text.slice(0, tail)}${(ipv4 >>> 16).toString(16)}:${(ipv4 & 0xffff).toString(16)}`;
}

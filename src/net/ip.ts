/** An IP address as text from outside: strict parsing, canonical form, public or not (docs/contract/s2s.md). */
import { formatIpv4, isPublicIpv4, parseIpv4 } from './ipv4';
import { formatIpv6, isPublicIpv6, mappedIpv4, parseIpv6 } from './ipv6';

export interface ParsedIp {
  /** Canonical: the form that is stored and compared. */
  readonly ip: string;
  /** False: the address never takes part in matching, and a CTV impression with it is `invalid_ip`. */
  readonly public: boolean;
}

/**
 * Parses an address by the rule "Parsing is strict" of docs/contract/s2s.md; null when `text` is not an IP address.
 * Canonical is dotted IPv4, or IPv6 by RFC 5952; an IPv4-mapped address becomes the IPv4 address, so that the two
 * match.
 */
export function parseIp(text: string): ParsedIp | null {
  const ipv4 = parseIpv4(text);
  if (ipv4 !== null) return { ip: text, public: isPublicIpv4(ipv4) };
  const ipv6 = parseIpv6(text);
  if (ipv6 === null) return null;
  const mapped = mappedIpv4(ipv6);
  if (mapped !== null) return { ip: formatIpv4(mapped), public: isPublicIpv4(mapped) };
  return { ip: formatIpv6(ipv6), public: isPublicIpv6(ipv6) };
}

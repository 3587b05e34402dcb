/** What is stored of a person's IP address (STORE_IP): all of it, its network, or a keyed hash. */
import { createHmac } from 'node:crypto';
import { formatIpv4, parseIpv4 } from './ipv4';
import { formatIpv6, parseIpv6 } from './ipv6';

export const STORE_IP = ['full', 'truncated', 'hashed'] as const;
export type StoreIp = (typeof STORE_IP)[number];

export interface StoredIp {
  /** What is shown of the address. */
  readonly ip: string;
  /** What it is matched by, where that is something else; empty otherwise. */
  readonly hash: string;
}

/** The network of a canonical address: an IPv4 /24, an IPv6 /48, the rest zero. */
export function truncateIp(ip: string): string {
  const ipv4 = parseIpv4(ip);
  if (ipv4 !== null) return formatIpv4((ipv4 & 0xffffff00) >>> 0);
  const ipv6 = parseIpv6(ip);
  return ipv6 ? formatIpv6([ipv6[0], (ipv6[1] & 0xffff0000) >>> 0, 0, 0]) : '';
}

/**
 * What becomes of a canonical address as it is stored. Matching stays exact in every mode: a truncated address, which a
 * whole network has, is never matched by; its hash is. `secret` is the installation's: without it nobody can try out
 * all addresses.
 */
export function ipStorage(mode: StoreIp, secret: string): (ip: string) => StoredIp {
  const hash = (ip: string) => createHmac('sha256', secret).update(ip).digest('hex').slice(0, 32);
  return (ip) => {
    if (ip === '' || mode === 'full') return { ip, hash: '' };
    return mode === 'hashed' ? { ip: hash(ip), hash: '' } : { ip: truncateIp(ip), hash: hash(ip) };
  };
}

/** The address of the client, the same for limits, links and collectors (docs/contract/running.md, TRUST_PROXY). */
import type { IncomingMessage } from 'node:http';
import { parseIp } from '../net/ip';
import { parseIpv6 } from '../net/ipv6';

/** The end of X-Forwarded-For that is read: more than the addresses of as many proxies as can be trusted. */
const MAX_FORWARDED = 4_096;
/** The longest address that a proxy writes: IPv6 with a zone, in brackets and quotes, with a port. */
const MAX_ELEMENT = 100;

const ZONE = '(?:%[\\w.~%-]*)?';
/** What proxies write around an address: quotes; an IPv6 address in brackets; a zone; a port. */
const WRITTEN = new RegExp(
  `^"?\\s*(?:\\[([\\da-f:.]+)${ZONE}\\](?::\\w*)?|([\\da-f:]*(?:\\d+\\.){3}\\d+):\\w*|([\\da-f:.]+)${ZONE})\\s*"?$`,
  'i',
);

/** The address in an element of X-Forwarded-For; the element itself where there is none. */
function readElement(element: string): string {
  const [, bracketed, withPort, bare] = (element.length <= MAX_ELEMENT && WRITTEN.exec(element)) || [];
  return bracketed ?? withPort ?? bare ?? element;
}

/**
 * The client's address in canonical form. Each trusted proxy has put the address that it saw at the end of
 * X-Forwarded-For; with none trusted the header is ignored, because anybody can send one. Elements are told apart by
 * commas alone: a quote that the client sends hides nothing of what a proxy adds after it.
 */
export function clientIp(req: IncomingMessage, trustProxy: number): string {
  const peer = req.socket.remoteAddress ?? '';
  const forwarded =
    trustProxy > 0
      ? String(req.headers['x-forwarded-for'] ?? '')
          .slice(-MAX_FORWARDED)
          .split(',')
          .map((part) => part.trim())
      : [];
  const seen = [...forwarded.filter((part) => part !== ''), peer];
  const address = seen[Math.max(0, seen.length - 1 - trustProxy)] as string;
  return parseIp(readElement(address))?.ip ?? parseIp(peer)?.ip ?? peer;
}

/** What an address counts as for limits: an IPv6 client has a whole /64 to itself. */
export function limitKey(ip: string): string {
  const words = ip.includes(':') ? parseIpv6(ip) : null;
  return words ? `${words[0].toString(16)}:${words[1].toString(16)}/64` : ip;
}

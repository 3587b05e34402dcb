/**
 * Where messages may go: public addresses, and the networks of OUTBOX_ALLOW_PRIVATE. It is the resolved address that is
 * checked, where the connection is made: a name that answers differently a second time gains nothing by it.
 */
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIp } from '../net/ip';

/** What a connection that is not allowed fails with. */
export class AddressRefusedError extends Error {
  /** Whether the address was written, and not found by a name. */
  readonly isLiteral: boolean;

  constructor(host: string) {
    super(`${host} is not a public address`);
    this.isLiteral = isIP(host) !== 0;
  }
}

export interface Addresses {
  /** Whether messages may be sent to an address. */
  readonly isAllowed: (address: string) => boolean;
  /** Resolves a name for a connection; it fails where any of the addresses of the name is not allowed. */
  readonly lookup: LookupFunction;
}

/** Names are resolved by `resolve`, anew for each connection. */
export function createAddresses(
  allowed: readonly { readonly address: string; readonly prefix: number }[],
  resolve: typeof dns.lookup = dns.lookup,
): Addresses {
  const inner = new BlockList();
  for (const { address, prefix } of allowed) inner.addSubnet(address, prefix, readFamily(address));
  const isAllowed = (address: string) => isPublic(address) || inner.check(address, readFamily(address));
  return {
    isAllowed,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) callback(error, '');
        else if (addresses.some(({ address }) => !isAllowed(address))) callback(new AddressRefusedError(hostname), '');
        else if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
    },
  };
}

const readFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** What is reserved for anything else is not public, nor an IPv6 address that stands for an IPv4 one which is not. */
const isPublic = (address: string) =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast' && parseIp(address)?.public === true;

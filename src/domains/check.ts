/** Whether the DNS record of a tracking domain leads to this service (docs/contract/workspace.md). */
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseIp } from '../net/ip';

/** The part of node:dns that a check asks. */
export interface DomainResolver {
  resolveCname(name: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

export interface DomainRecord {
  readonly type: 'CNAME' | 'A' | 'AAAA';
  readonly value: string;
}

export interface DomainCheck {
  readonly ok: boolean;
  /** Whether DNS said anything that others can see as well. */
  readonly isKnown: boolean;
  /** What the domain has now. */
  readonly records: readonly DomainRecord[];
  /** The record to set. */
  readonly expected: string;
  /** What the service's host resolves to, for a domain that cannot have a CNAME. */
  readonly addresses: readonly string[];
  readonly msg: string;
}

const WITHIN_MS = 3_000;
/** An answer that shows nothing takes so long, whatever DNS knows of the name. */
const NOTHING_MS = 1_500;
/** A chain of names is no longer than this. */
const MAX_NAMES = 5;
/** At most this many records of each type are shown. */
const MAX_RECORDS = 10;
/** What DNS says of a name that is not there, or has no record of the type. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * `host` is the name or address by which this service is reached. Nothing but DNS is asked. A name that leads to
 * addresses inside is answered like one that nobody knows: whoever may check a domain must not learn what is inside.
 */
export async function checkDomain(resolver: DomainResolver, name: string, host: string): Promise<DomainCheck> {
  const expected = isIP(host) === 0 ? `CNAME ${host}` : `${isIP(host) === 6 ? 'AAAA' : 'A'} ${host}`;
  const failed = (msg: string): DomainCheck => ({
    ok: false,
    isKnown: false,
    records: [],
    expected,
    addresses: [],
    msg,
  });
  if (isOfThisMachine(host))
    return failed(`${host} is known on this machine only. Set PUBLIC_URL to the public name of the service.`);
  const nothing = sleep(NOTHING_MS, undefined, { ref: false });
  const late = sleep(WITHIN_MS, undefined, { ref: false }).then(() => undefined);
  const found = await Promise.race([look(resolver, name, host), late]).catch(() => undefined);
  if (!found) return failed('DNS did not answer within 3 seconds. Please try again.');
  const { chain, own, addresses } = shown(found, host);
  if (chain.length + own.length === 0) await nothing;
  const records = [...chain.map((value) => ({ type: 'CNAME' as const, value })), ...own];
  const ok = chain.includes(host) || own.some(({ value }) => addresses.includes(value));
  return { ok, isKnown: true, records, expected, addresses, msg: describeCheck(ok, records, name, expected) };
}

function describeCheck(ok: boolean, records: readonly DomainRecord[], name: string, expected: string): string {
  if (ok) return `${name} leads to this service.`;
  if (records.length === 0) return `${name} has no record yet. Set ${expected}; it may take an hour to be seen.`;
  return `${name} leads elsewhere. Set ${expected} in place of what is there; it may take an hour to be seen.`;
}

interface Found {
  readonly chain: readonly string[];
  readonly own: readonly DomainRecord[];
  readonly addresses: readonly string[];
}

/** What everybody on the Internet can see, and that the name leads to the service by name. */
function shown({ chain, own, addresses }: Found, host: string): Found {
  const outside = own.filter(({ value }) => isPublic(value));
  const isSeen = own.length > 0 && outside.length === own.length;
  return {
    chain: isSeen || chain.includes(host) ? chain : [],
    own: isSeen ? outside : [],
    addresses: addresses.filter(isPublic),
  };
}

const isPublic = (address: string) => parseIp(address)?.public === true;

async function look(resolver: DomainResolver, name: string, host: string) {
  const [chain, own, ofHost] = await Promise.all([
    resolveNames(resolver, name),
    resolveAddresses(resolver, name),
    isIP(host) === 0 ? resolveAddresses(resolver, host) : [{ value: host }],
  ]);
  return { chain, own, addresses: ofHost.map(({ value }) => value) };
}

async function resolveNames(resolver: DomainResolver, name: string): Promise<string[]> {
  const names: string[] = [];
  let next: string | undefined = name;
  while (next !== undefined && names.length < MAX_NAMES) {
    next = (await orNothing(resolver.resolveCname(next)))[0]?.toLowerCase().replace(/\.$/, '');
    if (next !== undefined) names.push(next);
  }
  return names;
}

async function resolveAddresses(resolver: DomainResolver, name: string): Promise<DomainRecord[]> {
  const [four, six] = await Promise.all([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
  return [
    ...four.slice(0, MAX_RECORDS).map((value) => ({ type: 'A' as const, value })),
    ...six.slice(0, MAX_RECORDS).map((value) => ({ type: 'AAAA' as const, value })),
  ];
}

const orNothing = (asked: Promise<string[]>) =>
  asked.catch((error: NodeJS.ErrnoException) => {
    if (NOTHING.has(error.code ?? '')) return [];
    throw error;
  });

const isOfThisMachine = (host: string) => /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1?)$/i.test(host);

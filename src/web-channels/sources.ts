/** Which service a referrer or a utm_source means, from the list in sources.csv. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'tldts';
import { parseList } from '../lib/csv';

/** The two networks whose paid traffic has its own channel. */
export type Network = 'meta' | 'google';
export type SourceKind =
  'search' | 'social' | 'video' | 'ai' | 'email' | 'sms' | 'push' | 'display' | 'affiliate' | 'referral';

export interface KnownSource {
  /** The source key, for example `google`. */
  readonly source: string;
  readonly kind: SourceKind;
  readonly network: Network | undefined;
}

const KINDS: ReadonlySet<string> = new Set([
  'search',
  'social',
  'video',
  'ai',
  'email',
  'sms',
  'push',
  'display',
  'affiliate',
  'referral',
] satisfies SourceKind[]);

/**
 * Reads the list: what stands in its first column to what it means. Throws on a line of another form and on a repeated
 * match.
 */
export function parseSources(text: string): Map<string, KnownSource> {
  const list = new Map<string, KnownSource>();
  for (const row of parseList(text, 'sources.csv', ['match', 'source', 'kind', 'network'])) {
    const { match, source, kind, network } = row;
    const isLegal = match !== '' && source !== '' && KINDS.has(kind) && ['', 'meta', 'google'].includes(network);
    if (!isLegal || list.has(match))
      throw new Error(`sources.csv: wrong or repeated line ${Object.values(row).join()}`);
    list.set(match, { source, kind: kind as SourceKind, network: (network || undefined) as Network | undefined });
  }
  return list;
}

const list = parseSources(readFileSync(path.join(__dirname, 'sources.csv'), 'utf8'));
const words = new Map<string, KnownSource>();
for (const [match, known] of list) {
  if (!words.has(known.source)) words.set(known.source, known);
  if (!/[.:]/.test(match)) words.set(match, known);
}

/**
 * The registrable domain of a host by the public suffix list; an address or a name without a suffix stands for itself.
 */
export function registrableDomain(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host;
}

/** The service at a host, given in lower case; the longest match counts. */
export function sourceOfHost(host: string): KnownSource | undefined {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const known = list.get(rest);
    if (known) return known;
  }
  const { publicSuffix, isIcann } = parse(host);
  if (!publicSuffix || !isIcann || host === publicSuffix) return undefined;
  return list.get(`${host.slice(0, -publicSuffix.length).replace(/^(www|m)\./, '')}*`);
}

/** The service with an Android package. */
export const sourceOfApp = (packageName: string): KnownSource | undefined => list.get(`app:${packageName}`);

/** The service that a utm_source means, given in lower case: by name, by host, or by name with `ads` behind it. */
export function sourceOfWord(utmSource: string): KnownSource | undefined {
  const word = utmSource.replace(/[\s-]+/g, '_');
  return (
    words.get(word) ?? (utmSource.includes('.') ? sourceOfHost(utmSource) : words.get(word.replace(/_?ads?$/, '')))
  );
}

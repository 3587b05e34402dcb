/** The click IDs that ad networks add to the addresses of landing pages, each as its vendor documents it. */
import { sourceOfWord, type KnownSource } from './sources';

export interface ClickId {
  /** The parameter as its vendor spells it, for example `gclid`. */
  readonly parameter: string;
  readonly value: string;
  readonly of: KnownSource;
}

/**
 * Parameter to source key. fbclid is added to organic links too, so by itself it is no sign of an ad (docs/contract.md,
 * Web report).
 */
const SOURCE_OF_PARAMETER = {
  gclid: 'google',
  gbraid: 'google',
  wbraid: 'google',
  dclid: 'doubleclick',
  fbclid: 'facebook',
  ttclid: 'tiktok',
  twclid: 'twitter',
  li_fat_id: 'linkedin',
  ScCid: 'snapchat',
  rdt_cid: 'reddit',
  epik: 'pinterest',
  qclid: 'quora',
  msclkid: 'bing',
  yclid: 'yandex',
  tblci: 'taboola',
  dicbo: 'outbrain',
  obclid: 'outbrain',
  cto_pld: 'criteo',
  irclickid: 'impact',
  cjevent: 'cj',
  awc: 'awin',
  sscid: 'shareasale',
  ranSiteID: 'rakuten',
  tduid: 'tradedoubler',
  admitad_uid: 'admitad',
} as const;

const byName = new Map(
  Object.entries(SOURCE_OF_PARAMETER).map(([parameter, source]) => {
    const of = sourceOfWord(source);
    if (!of) throw new Error(`sources.csv lacks ${source}, which ${parameter} belongs to`);
    return [parameter.toLowerCase(), { parameter, of }];
  }),
);

/** The click IDs among the parameters of an address, whose names are in lower case, in the order of the table above. */
export function clickIdsOf(parameters: ReadonlyMap<string, string>): ClickId[] {
  const found: ClickId[] = [];
  for (const [name, { parameter, of }] of byName) {
    const value = parameters.get(name);
    if (value) found.push({ parameter, value, of });
  }
  return found;
}

/** The service whose ad was clicked for sure, by the ID alone. */
export const adOf = (id: ClickId | undefined): KnownSource | undefined =>
  id?.parameter === 'fbclid' ? undefined : id?.of;

/**
 * Whether an ID counts beside a utm_source: Google's only where the source is Google's or absent, the others unless the
 * source is another known service, since marketers choose their own names for what they know.
 */
export function agrees(id: ClickId, utmSource: string, known: KnownSource | undefined): boolean {
  if (utmSource === '') return true;
  if (id.of.network === 'google') return known?.network === 'google';
  return (
    known === undefined ||
    known.source === id.of.source ||
    (id.of.network !== undefined && known.network === id.of.network)
  );
}

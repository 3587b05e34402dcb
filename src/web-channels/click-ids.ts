/** The click IDs that ad networks add to the addresses of landing pages, each as its vendor documents it. */
import { sourceOfWord, type KnownSource } from './sources';

export interface ClickId {
  /** The parameter as its vendor spells it, for example `gclid`; empty, like the value, where others prove the ad. */
  readonly parameter: string;
  readonly value: string;
  readonly of: KnownSource;
}

/**
 * Parameter to source key. fbclid is added to organic links too, so alone it is no sign of an ad
 * (docs/contract/web-report.md).
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
  ndclid: 'nextdoor',
  ldtag_cl: 'line',
  rb_clickid: 'vk',
  gdt_vid: 'wechat',
  msclkid: 'bing',
  yclid: 'yandex',
  ymclid: 'yandex',
  bd_vid: 'baidu',
  qhclickid: '360_search',
  sznclid: 'seznam',
  vmcid: 'yahoo',
  tblci: 'taboola',
  dicbo: 'outbrain',
  obclid: 'outbrain',
  cto_pld: 'criteo',
  auctid: 'teads',
  aleid: 'applovin',
  irclickid: 'impact',
  cjevent: 'cj',
  awc: 'awin',
  zanpid: 'awin',
  sscid: 'shareasale',
  ranSiteID: 'rakuten',
  tduid: 'tradedoubler',
  admitad_uid: 'admitad',
  ps_xid: 'partnerstack',
  rfsn: 'refersion',
} as const;

/** The parameters that hold ad click IDs, as their vendors spell them. */
export const CLICK_ID_PARAMETERS: readonly string[] = Object.keys(SOURCE_OF_PARAMETER);

function readSource(source: string): KnownSource {
  const found = sourceOfWord(source);
  if (!found) throw new Error(`sources.csv lacks ${source}, whose click ID is known`);
  return found;
}

const byName = new Map(
  Object.entries(SOURCE_OF_PARAMETER).map(([parameter, source]) => [
    parameter.toLowerCase(),
    { parameter, of: readSource(source) },
  ]),
);

/** Yahoo! JAPAN's ads have a yclid too, which begins with the name of the product. */
const YAHOO_JAPAN = /^(?:YSS|YJAD)\./;
const yahoo = readSource('yahoo');
const google = readSource('google');

/**
 * The click IDs among the parameters of an address, whose names are in lower case, in the order of the table above.
 * Where Google may not add a click ID it still adds `gad_source` and `gad_campaignid`, which are its ads' alone.
 */
export function findClickIds(parameters: ReadonlyMap<string, string>): ClickId[] {
  const found: ClickId[] = [];
  for (const [name, { parameter, of }] of byName) {
    const value = parameters.get(name);
    if (value) found.push({ parameter, value, of: name === 'yclid' && YAHOO_JAPAN.test(value) ? yahoo : of });
  }
  if (parameters.has('gad_source') && parameters.has('gad_campaignid'))
    found.push({ parameter: '', value: '', of: google });
  return found;
}

/** The service whose ad was clicked for sure, by the ID alone. */
export const findAdSource = (id: ClickId | undefined): KnownSource | undefined =>
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

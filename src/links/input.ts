/** Reads the address of a link that somebody opened. Whatever is in it, nothing here refuses: a person wants to get on. */
import { deviceId } from '../ingest/device-id';
import { displayIdOfLink } from '../projects/links';

/** At most so much of a parameter is stored and passed on, in characters. */
const MAX_CHARACTERS = 256;

/** Ad click IDs by their columns, in the spellings that networks use. */
const AD_CLICK_IDS = {
  gclid: ['gclid'], gbraid: ['gbraid'], wbraid: ['wbraid'], dclid: ['dclid'], fbclid: ['fbclid'], ttclid: ['ttclid'], msclkid: ['msclkid'], twclid: ['twclid'],
  li_fat_id: ['li_fat_id'], sccid: ['ScCid', 'sccid'], epik: ['epik'], rdt_cid: ['rdt_cid'],
};

/** The columns that hold a parameter as it was sent, and the names it is read by: the first that is sent wins. */
export const STORED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      's2', 's3', 's4', 'ad_set_id', 'ad_set_name', 'ad_id', 'ad_name', 'keyword_id', 'keyword_name',
      'utm_source', 'utm_medium', 'utm_campaign', 'utm_id', 'utm_content', 'utm_term',
    ].map((name) => [name, [name]]),
  ),
  ...AD_CLICK_IDS,
};

export interface LinkInput {
  /** The campaign that the link names; undefined when it names none. */
  readonly displayId: string | undefined;
  /** In full length, since an ID is made of it; empty for none. */
  readonly tid: string;
  readonly gaid: string | null;
  readonly idfa: string | null;
  /** The values of STORED, in its order; empty where not sent. */
  readonly stored: readonly string[];
  /** The UTM parameters to pass on, whatever their names. */
  readonly utm: ReadonlyMap<string, string>;
}

/** The first so many characters, counted as code points: no half of a surrogate pair stays. */
export function cut(text: string, characters = MAX_CHARACTERS): string {
  return text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');
}

/** Reads path and query of a link on `domain`. Of a repeated parameter the first counts; one sent empty counts as not sent. */
export function readLink(domain: string, target: string): LinkInput {
  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
  const read = (names: readonly string[]) => names.map((name) => query.get(name)).find(Boolean) ?? '';
  const utm = new Map<string, string>();
  for (const [name, value] of query) if (/^utm_\w{1,32}$/.test(name) && value && !utm.has(name)) utm.set(name, cut(value));
  return {
    displayId: displayIdOfLink(`https://${domain}${target}`, () => true),
    tid: read(['tid', 'click_id']),
    gaid: deviceId(read(['gaid'])) ?? null,
    idfa: deviceId(read(['idfa'])) ?? null,
    stored: Object.values(STORED).map((names) => cut(read(names))),
    utm,
  };
}

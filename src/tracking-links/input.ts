/**
 * Reads the address of a link that somebody opened. Nothing here is refused: a person waits for a redirect.
 */
import { deviceId } from '../ingest/device-id';
import { pairsOf } from '../query-string';
import { displayIdOfLink } from '../configuration/campaign-url';

/** At most so much of a parameter is stored and passed on, in characters. */
export const MAX_CHARACTERS = 256;

/** Parameters that only links have, by the names they are stored under, in the spellings that they are read by. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'ad_set_id',
      'ad_set_name',
      'ad_id',
      'ad_name',
      'keyword_id',
      'keyword_name',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_id',
      'utm_content',
      'utm_term',
      'gclid',
      'gbraid',
      'wbraid',
      'dclid',
      'fbclid',
      'ttclid',
      'msclkid',
      'twclid',
      'li_fat_id',
      'epik',
      'rdt_cid',
    ].map((name) => [name, name]),
  ),
  sccid: 'ScCid',
};

export interface LinkInput {
  /** The campaign that the link names; undefined when it names none. */
  readonly displayId: string | undefined;
  /** In full length, since an ID is made of it; empty for none. */
  readonly tid: string;
  readonly gaid: string | null;
  readonly idfa: string | null;
  /** The values of s2, s3 and s4; empty where not sent. */
  readonly passthrough: readonly string[];
  /** The parameters that only links have, by name, as far as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** All UTM parameters, which are passed on. */
  readonly utm: ReadonlyMap<string, string>;
}

/** The first characters, counted as code points, so that no surrogate pair is cut in half. */
export function cut(text: string, characters = MAX_CHARACTERS): string {
  return text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');
}

/**
 * Reads path and query of a link on `domain`. Of a repeated parameter the first counts; one sent empty counts as not
 * sent.
 */
export function readLink(domain: string, target: string): LinkInput {
  const mark = target.indexOf('?');
  const sent = new Map<string, string>();
  const utm = new Map<string, string>();
  for (const [name, value] of mark === -1 ? [] : pairsOf(target.slice(mark + 1))) {
    if (!sent.has(name)) sent.set(name, value);
    if (/^utm_\w{1,32}$/.test(name) && value && !utm.has(name)) utm.set(name, cut(value));
  }
  const read = (name: string) => sent.get(name) ?? '';
  return {
    displayId: displayIdOfLink(`https://${domain}${target}`, () => true),
    tid: read('tid') || read('click_id'),
    gaid: deviceId(read('gaid')) ?? null,
    idfa: deviceId(read('idfa')) ?? null,
    passthrough: ['s2', 's3', 's4'].map((name) => cut(read(name))),
    parameters: Object.fromEntries(
      Object.entries(PARAMETERS).flatMap(([name, spelling]) => (read(spelling) ? [[name, cut(read(spelling))]] : [])),
    ),
    utm,
  };
}

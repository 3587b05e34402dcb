/**
 * Reads the address of a link that somebody opened. Nothing here is refused: a person waits for a redirect.
 */
import { deviceId } from '../ingest/device-id';
import { displayIdOfLink, parameterName, parametersOfLink } from '../configuration/campaign-url';
import { parseUrl } from '../lib/parse-url';
import { splitPairs } from '../lib/query-string';
import { hasUnreplacedMacro } from '../lib/unreplaced-macro';
import { CLICK_ID_PARAMETERS } from '../web-channels/click-ids';

/** At most so much of a parameter is stored, in characters. */
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

/** Ad click IDs and what else the web report knows an ad by, in lower case and as their vendors spell them. */
const OF_ADS = new Map(
  [...CLICK_ID_PARAMETERS, 'gad_source', 'gad_campaignid'].map((parameter) => [parameter.toLowerCase(), parameter]),
);
/** The name under which web pages get a parameter, whose name is in lower case; undefined if they do not. */
export const nameForTarget = (name: string) => (/^utm_\w{1,32}$/.test(name) ? name : OF_ADS.get(name));

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
  /** UTM parameters and ad click IDs, which web pages get: encoded as they came. */
  readonly passedOn: ReadonlyMap<string, string>;
}

/** The first characters, counted as code points, so that no surrogate pair is cut in half. */
export function cut(text: string, characters = MAX_CHARACTERS): string {
  return text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');
}

/** No host name is longer. */
const MAX_HOST = 253;

/**
 * The host of the page on which a link was opened, or the ID of the app, from the header Referer: without `www.`, and
 * empty where there is none, or where the link was opened on its own domain.
 */
export function readReferrer(header: string, domain: string): string {
  const url = header === '' || header.length > 8_192 ? undefined : parseUrl(header);
  if (!url || !['http:', 'https:', 'android-app:'].includes(url.protocol)) return '';
  const host = url.hostname.toLowerCase().replace(/^www\./, '');
  return host.length > MAX_HOST || host === domain || !/^[\w.:[\]-]+$/.test(host) ? '' : host;
}

/** An encoded value as it may stand in any URL; what it decodes to stays, in whatever charset it is. */
const toUrlPart = (encoded: string) =>
  encoded.replace(/%(?![\da-f]{2})|[^\w.~:/?@!$'()[\]*,;=+%-]/gi, (character) => encodeURIComponent(character));

/**
 * Reads path and query of a link on `domain`. Names of parameters are read in any case. Of a repeated parameter the
 * first counts; one sent empty, or with a macro that was never replaced, counts as not sent.
 */
export function readLink(domain: string, target: string): LinkInput {
  const mark = target.indexOf('?');
  const sent = new Map<string, string>();
  const passedOn = new Map<string, string>();
  for (const parameter of mark === -1 ? [] : parametersOfLink(target.slice(mark))) {
    for (const [name, value] of splitPairs(parameter)) {
      const key = parameterName(name).toLowerCase();
      if (value === '') continue;
      if (!sent.has(key) && !hasUnreplacedMacro(value)) sent.set(key, value);
      const passed = nameForTarget(key);
      if (passed !== undefined && !passedOn.has(passed))
        passedOn.set(passed, toUrlPart(parameter.slice(parameter.indexOf('=') + 1)));
    }
  }
  const read = (name: string) => sent.get(name) ?? '';
  return {
    displayId: displayIdOfLink(`https://${domain}${target}`, () => true),
    tid: read('tid') || read('click_id'),
    gaid: deviceId(read('gaid')) ?? null,
    idfa: deviceId(read('idfa')) ?? null,
    passthrough: ['s2', 's3', 's4'].map((name) => cut(read(name))),
    parameters: Object.fromEntries(
      Object.entries(PARAMETERS).flatMap(([name, spelling]) => {
        const value = read(spelling.toLowerCase());
        return value ? [[name, cut(value)]] : [];
      }),
    ),
    passedOn,
  };
}

/**
 * Reads what the address of a page says of the ad that led there: UTM parameters, click IDs, and the network's own IDs.
 */
import { splitPairs } from '../lib/query-string';
import { normaliseText } from '../lib/text';
import { findClickIds, type ClickId } from './click-ids';

export interface Utm {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly id: string;
  readonly content: string;
  readonly term: string;
}

/** Every text is empty where the address does not have it. */
export interface Landing {
  readonly host: string;
  readonly utm: Utm;
  readonly clickIds: readonly ClickId[];
  /** The ad network's IDs (docs/contract/web-report.md, IDs of network groupings). */
  readonly networkCampaignId: string;
  readonly adSetId: string;
  readonly adId: string;
}

const isNumber = (text: string) => /^\d+$/.test(text);

/** An ampersand that was written for HTML, `&amp;` or `&#38;`, leaves this before the name that follows it. */
const ESCAPED_AMPERSAND = /^(?:(?:amp|#?38|#?x26);)+/;

/**
 * The parameters of the query, and of the fragment those that the query lacks: it is a query itself, or a route with
 * one. Names in any case, values tidied; a repeated parameter counts as first sent, an empty one as not sent.
 */
function readParameters({ search, hash }: URL): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const text of [search.slice(1), hash.slice(Math.max(1, hash.indexOf('?') + 1))])
    for (const [name, sent] of text === '' ? [] : splitPairs(text)) {
      const key = normaliseText(name).toLowerCase().replace(ESCAPED_AMPERSAND, '');
      const value = normaliseText(sent);
      if (value !== '' && !parameters.has(key)) parameters.set(key, value);
    }
  return parameters;
}

/**
 * Reads the address of a page, which is a URL already. A link of a campaign that was opened without a redirect, as a
 * deep link of the website is, names it in `c` and counts like `utm_id`; `isCampaign` knows the project's display IDs.
 */
export function readLanding(url: URL, isCampaign: (displayId: string) => boolean): Landing {
  const parameters = readParameters(url);
  const first = (...names: string[]) =>
    names.map((name) => parameters.get(name)).find((value) => value !== undefined) ?? '';
  const c = first('c');
  const id = first('utm_id') || (c !== '' && isCampaign(c) ? c : '');
  const utm: Utm = {
    source: first('utm_source'),
    medium: first('utm_medium'),
    campaign: first('utm_campaign'),
    id,
    content: first('utm_content'),
    term: first('utm_term'),
  };
  return {
    host: url.hostname,
    utm,
    clickIds: parameters.size > 0 ? findClickIds(parameters) : [],
    networkCampaignId: first('gad_campaignid', 'campaign_id') || id,
    adSetId: first('ad_set_id', 'adset_id', 'adgroup_id') || (isNumber(utm.term) ? utm.term : ''),
    adId: first('ad_id') || (isNumber(utm.content) ? utm.content : ''),
  };
}

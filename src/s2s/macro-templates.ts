/**
 * How ad networks and trackers write the URLs of their clicks and impressions: which macro goes into which parameter
 * (docs/contract/s2s.md). The dashboard makes URLs to paste of it, and a refused macro is told with who writes it so.
 * Only macros stand here that their documentation names; `source` is where.
 */
import type { Kind, ParameterName, PARAMETERS } from './parameters';

/** The parameters that an endpoint reads: any other does not compile. */
type ParametersFor<K extends Kind> = {
  [N in ParameterName]: K extends keyof (typeof PARAMETERS)[N]['endpoints'] ? N : never;
}[ParameterName];
type Macros<K extends Kind> = Readonly<Partial<Record<ParametersFor<K>, string>>>;
/** Parameters that tracking links keep, too. */
type LinkMacros = Readonly<Partial<Record<'tid' | 's2' | 's3' | 's4', string>>>;

interface Template {
  readonly name: string;
  readonly sort: 'network' | 'tracker';
  /** Requests between servers. */
  readonly click?: Macros<'click'>;
  readonly impression?: Macros<'impression'>;
  /** For a tracking link, where people are sent through it. */
  readonly link?: LinkMacros;
  /** What it wants to hear of installs, as a template of a postback; capitals are to be replaced by hand. */
  readonly postback?: string;
  /** What else is to be known. */
  readonly note?: string;
  readonly source: string;
}

const MOLOCO = {
  tid: '{{mtid}}',
  gaid: '{{device.gaid}}',
  idfa: '{{device.idfa}}',
  ip: '{{device.ip}}',
  ua: '{{device.user_agent}}',
  s2: '{{campaign.id}}',
  s3: '{{adgroup.id}}',
  s4: '{{creative.cr_id}}',
} as const;
const APPLOVIN = {
  tid: '{EVENT_ID}',
  gaid: '{IDFA}',
  idfa: '{IDFA}',
  ip: '{DEVICE_IP}',
  s2: '{CAMPAIGN_ID}',
  s3: '{CREATIVE_SET_ID}',
  s4: '{APP_ID}',
} as const;
const TIKTOK = {
  tid: '__CALLBACK_PARAM__',
  gaid: '__GAID__',
  idfa: '__IDFA__',
  ip: '__IP__',
  ua: '__UA1__',
  s2: '__CAMPAIGN_ID__',
  s3: '__AID__',
  s4: '__CID__',
} as const;
const TRACKIER = {
  tid: '{click_id}',
  gaid: '{gaid}',
  idfa: '{idfa}',
  ip: '{ip}',
  ua: '{user_agent}',
  s2: '{publisher_id}',
  s3: '{camp_id}',
  s4: '{source}',
} as const;
const MINTEGRAL = {
  tid: '{click_id}',
  gaid: '{gaid}',
  idfa: '{idfa}',
  s2: '{affiliate_id}',
  s3: '{uuid}',
  s4: '{creative_id}',
} as const;

export const MACRO_TEMPLATES = {
  meta: {
    name: 'Meta',
    sort: 'network',
    link: { s2: '{{campaign.id}}', s3: '{{adset.id}}', s4: '{{ad.id}}' },
    note: 'Put it into the website URL of the ad. Meta calls no other server, and has no macro of a click.',
    source: 'https://doc.eulerian.com/p/O8AeUNCcprPL2E/Understanding-how-end-to-end-dynamic-trafficking-works',
  },
  google_ads: {
    name: 'Google Ads',
    sort: 'network',
    link: { s2: '{campaignid}', s3: '{adgroupid}', s4: '{creative}' },
    note: 'Put it into the final URL; Google adds the gclid itself.',
    source: 'https://developers.google.com/google-ads/api/docs/reporting/valuetrack-mapping',
  },
  applovin: {
    name: 'AppLovin',
    sort: 'network',
    click: APPLOVIN,
    impression: APPLOVIN,
    note: 'Its ID of the ad is the same for the impression and the click: each counts once.',
    source: 'https://support.axon.ai/en/growth/promoting-your-apps/tracking/tracking-url-macros',
  },
  tiktok: {
    name: 'TikTok',
    sort: 'network',
    click: TIKTOK,
    impression: TIKTOK,
    note: 'TikTok calls servers of the measurement partners that it has approved: ask it first.',
    source: 'https://ads.tiktok.com/help/article?aid=6669666107177041925',
  },
  snapchat: {
    name: 'Snapchat',
    sort: 'network',
    link: { s2: '{{campaign.id}}', s3: '{{adSet.id}}', s4: '{{ad.id}}' },
    source: 'https://help.godatafeed.com/hc/en-us/articles/360051303951',
  },
  moloco: {
    name: 'Moloco',
    sort: 'network',
    click: MOLOCO,
    impression: MOLOCO,
    source: 'https://help.moloco.com/hc/en-us/articles/8203544704535-How-Moloco-validates-AppsFlyer-tracking-links',
  },
  mintegral: {
    name: 'Mintegral',
    sort: 'network',
    click: MINTEGRAL,
    impression: MINTEGRAL,
    source: 'https://helpcenter.mintegral.com/en/docs/integration-parameter',
  },
  mgid: {
    name: 'MGID',
    sort: 'network',
    link: { tid: '{click_id}', s2: '{campaign_id}', s3: '{widget_id}', s4: '{teaser_id}' },
    source: 'https://help.mgid.com/macros.-setting-up-non-standard-markup-for-links-to-track-traffic',
  },
  outbrain_dsp: {
    name: 'Outbrain DSP',
    sort: 'network',
    link: { tid: '{postbackid}' },
    note: 'The URL of its postback stands in the conversion that you define there.',
    source: 'https://intercom.help/outbrain_dsp/en/articles/8226128-setting-up-postback-calls',
  },
  taboola: {
    name: 'Taboola',
    sort: 'network',
    link: { tid: '{click_id}' },
    postback: 'https://trc.taboola.com/actions-handler/log/3/s2s-action?click-id={tid}&name=EVENT_NAME',
    note: 'EVENT_NAME is that of the conversion in Realize.',
    source: 'https://developers.taboola.com/pixel/docs/the-postback-url',
  },
  affise: {
    name: 'Affise',
    sort: 'tracker',
    click: { tid: '{clickid}', ip: '{ip}', ua: '{device_ua}', s2: '{pid}', s3: '{offer_id}', s4: '{sub1}' },
    postback: 'https://YOUR_AFFISE_DOMAIN/postback?clickid={tid}&action_id={postback_id}&status=1',
    source: 'https://affise.zendesk.com/hc/en-us/articles/360020852653',
  },
  binom: {
    name: 'Binom',
    sort: 'tracker',
    click: { tid: '{clickid}', ip: '{ip}', ua: '{user_agent}', s2: '{campaign}', s3: '{trafficsource}' },
    link: { tid: '{clickid}', s2: '{campaign}', s3: '{trafficsource}' },
    postback: 'https://YOUR_BINOM_DOMAIN/click.php?cnv_id={tid}&payout=PAYOUT',
    source: 'https://docs.binom.org/create-offer.php',
  },
  cake: {
    name: 'CAKE',
    sort: 'tracker',
    link: { tid: '#reqid#', s2: '#affid#', s3: '#oid#', s4: '#s1#' },
    note: 'A token that CAKE leaves begins the fragment of the URL: it and what follows never arrive.',
    source: 'https://cakemarketing.screenstepslive.com/s/getcake/a/261680-tokens-in-the-offer-link-cake-for-networks',
  },
  everflow: {
    name: 'Everflow',
    sort: 'tracker',
    link: { tid: '{transaction_id}', s2: '{source_id}', s3: '{sub1}' },
    source: 'https://helpdesk.everflow.io/customer/your-guide-to-parameters-macros',
  },
  keitaro: {
    name: 'Keitaro',
    sort: 'tracker',
    link: { tid: '{subid}' },
    postback: 'https://YOUR_KEITARO_DOMAIN/POSTBACK_KEY/postback?subid={tid}&status=lead',
    source: 'https://docs.keitaro.io/en/conversions-and-postback/postback.html',
  },
  redtrack: {
    name: 'RedTrack',
    sort: 'tracker',
    link: { tid: '{clickid}' },
    postback: 'https://YOUR_REDTRACK_DOMAIN/postback?clickid={tid}',
    source: 'https://help.redtrack.io/knowledgebase/kb/basic-setup-9785/supported-dynamic-parameters',
  },
  trackier: {
    name: 'Trackier',
    sort: 'tracker',
    click: TRACKIER,
    impression: TRACKIER,
    source: 'https://help.trackier.com/en/articles/8107248-macros-for-advertiser-tracking-impression-url',
  },
  tune: {
    name: 'TUNE (HasOffers)',
    sort: 'tracker',
    click: {
      tid: '{transaction_id}',
      gaid: '{google_aid}',
      idfa: '{ios_ifa}',
      s2: '{affiliate_id}',
      s3: '{offer_id}',
      s4: '{source}',
    },
    source: 'https://support.appsflyer.com/hc/en-us/articles/207034806',
  },
  voluum: {
    name: 'Voluum',
    sort: 'tracker',
    link: { tid: '{clickid}' },
    postback: 'https://YOUR_VOLUUM_DOMAIN/postback?cid={tid}&payout=PAYOUT&txid={postback_id}',
    source: 'https://doc.voluum.com/en/tracking_conversions_postback.html',
  },
} as const satisfies Readonly<Record<string, Template>>;

export type MacroTemplateId = keyof typeof MACRO_TEMPLATES;

/** One of the templates, as any of them. */
export const readTemplate = (id: MacroTemplateId): Template => MACRO_TEMPLATES[id];
export const listTemplates = () => Object.keys(MACRO_TEMPLATES) as MacroTemplateId[];

/** Names of networks and trackers, by each of their macros. */
const namesByMacro: ReadonlyMap<string, readonly string[]> = groupNames();

function groupNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const id of listTemplates()) {
    const { name, click, impression, link } = readTemplate(id);
    const macros = new Set([click, impression, link].flatMap((part) => Object.values(part ?? {})));
    for (const macro of macros) names.set(macro, [...(names.get(macro) ?? []), name]);
  }
  return names;
}

/** Who writes the macro that a value still has, the longest of those that it may be: `{{ad.id}}` before `{ad.id}`. */
export function findMacro(value: string): { readonly macro: string; readonly names: readonly string[] } | undefined {
  const [longest] = [...namesByMacro]
    .filter(([macro]) => value.includes(macro))
    .sort(([one], [other]) => other.length - one.length);
  return longest && { macro: longest[0], names: longest[1] };
}

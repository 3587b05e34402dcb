/** Puts a visit into a channel and names its source: the rules of docs/contract/web-report.md in their order. */
import { findAdSource, agrees, type ClickId } from './click-ids';
import type { Landing } from './landing';
import {
  registrableDomain,
  sourceOfApp,
  sourceOfHost,
  sourceOfWord,
  type KnownSource,
  type Network,
  type SourceKind,
} from './sources';
import { parseUrl } from '../lib/parse-url';

export const CHANNELS = [
  'direct',
  'organic_search',
  'paid_search',
  'organic_social',
  'paid_social',
  'meta',
  'google',
  'email',
  'sms',
  'push',
  'affiliate',
  'display',
  'video',
  'referral',
  'ai',
  'other',
] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Touch {
  readonly channel: Channel;
  /** In lower case; empty for direct visits and where nothing names it. */
  readonly source: string;
  /** The ad click ID that counts; undefined where there is none. */
  readonly clickId: ClickId | undefined;
}

/** What is a project's own: its pages, since a visit from there comes from nowhere else, and its campaigns. */
export interface OwnSites {
  /** Hosts of tracking domains, in lower case. */
  readonly domains: ReadonlySet<string>;
  /** Registrable domain of the website; empty for none. */
  readonly website: string;
  /** Whether a campaign has this display ID. */
  readonly isCampaign: (displayId: string) => boolean;
}

interface Referrer {
  readonly source: string;
  readonly known: KnownSource | undefined;
}

/** The channel and source of a visit that began at `landing`, coming from `referrer` as the browser gave it. */
export function classify(landing: Landing, referrer: string, own: OwnSites): Touch {
  const utmSource = landing.utm.source.toLowerCase();
  const from = readReferrer(referrer, landing.host, own);
  const bySource = utmSource === '' ? undefined : sourceOfWord(utmSource);
  const clickId = landing.clickIds.find((id) => agrees(id, utmSource, bySource));
  // The source is known by its name, else by the click ID, else by where the visitor came from.
  const known = bySource ?? clickId?.of ?? (utmSource === '' ? from?.known : undefined);
  const medium = landing.utm.medium.toLowerCase().replace(/[\s-]+/g, '_');
  const channel =
    adChannel(medium, known, clickId) ??
    namedChannel(medium, known) ??
    listedChannel(known, from) ??
    restChannel(landing, from);
  return { channel, source: utmSource || (clickId?.of.source ?? from?.source ?? ''), clickId };
}

const isPaid = (medium: string) => /^(cpc|ppc|cpm|cpv|cpa|retargeting|paid.*)$/.test(medium);

function adChannel(medium: string, known: KnownSource | undefined, clickId: ClickId | undefined): Channel | undefined {
  const ad = findAdSource(clickId);
  if (!ad && !isPaid(medium)) return undefined;
  const network: Network | undefined = ad ? ad.network : (known?.network ?? clickId?.of.network);
  return network ?? paidChannel(medium, ad ?? known);
}

const PAID_BY_KIND: Partial<Record<SourceKind, Channel>> = {
  search: 'paid_search',
  social: 'paid_social',
  video: 'video',
  display: 'display',
  affiliate: 'affiliate',
};
const PAID_BY_WORD: readonly (readonly [RegExp, Channel])[] = [
  [/social/, 'paid_social'],
  [/search/, 'paid_search'],
  [/video|^cpv$/, 'video'],
  [/display|banner|^cpm$|^retargeting$/, 'display'],
  [/affiliate|^cpa$/, 'affiliate'],
  [/^(cpc|ppc)$/, 'paid_search'],
];

/**
 * A medium that says what kind of ad it was counts first (`paid_social`), then what the source is, then how it was
 * paid.
 */
function paidChannel(medium: string, known: KnownSource | undefined): Channel {
  const byWord = PAID_BY_WORD.find(([word]) => word.test(medium))?.[1];
  const bySource = known && PAID_BY_KIND[known.kind];
  return (
    (medium.startsWith('paid_') || medium.startsWith('paids') ? (byWord ?? bySource) : (bySource ?? byWord)) ?? 'other'
  );
}

const NAMED: Readonly<Record<string, Channel>> = {
  email: 'email',
  e_mail: 'email',
  mail: 'email',
  newsletter: 'email',
  sms: 'sms',
  mms: 'sms',
  push: 'push',
  web_push: 'push',
  webpush: 'push',
  mobile_push: 'push',
  push_notification: 'push',
  notification: 'push',
  affiliate: 'affiliate',
  affiliates: 'affiliate',
  display: 'display',
  banner: 'display',
  video: 'video',
  referral: 'referral',
  social: 'organic_social',
  social_media: 'organic_social',
  social_network: 'organic_social',
  organic_social: 'organic_social',
  organic_search: 'organic_search',
};
const ORGANIC_BY_KIND: Readonly<Record<SourceKind, Channel>> = {
  search: 'organic_search',
  social: 'organic_social',
  video: 'video',
  ai: 'ai',
  email: 'email',
  sms: 'sms',
  push: 'push',
  display: 'display',
  affiliate: 'affiliate',
  referral: 'referral',
};

function namedChannel(medium: string, known: KnownSource | undefined): Channel | undefined {
  if (medium === 'organic')
    return known?.kind === 'social' || known?.kind === 'video' ? ORGANIC_BY_KIND[known.kind] : 'organic_search';
  return Object.hasOwn(NAMED, medium) ? NAMED[medium] : undefined;
}

/** A bare fbclid is among the known: Meta adds it to organic links, so it says `facebook`, which is social. */
function listedChannel(known: KnownSource | undefined, from: Referrer | undefined): Channel | undefined {
  const kind = known?.kind ?? from?.known?.kind;
  return kind && ORGANIC_BY_KIND[kind];
}

function restChannel({ utm }: Landing, from: Referrer | undefined): Channel {
  if (from) return 'referral';
  return Object.values(utm).some((value) => value !== '') ? 'other' : 'direct';
}

/** Where the visitor came from; undefined for nowhere, for the project's own pages and for what is no address. */
function readReferrer(referrer: string, landingHost: string, own: OwnSites): Referrer | undefined {
  const url = parseUrl(referrer);
  if (!url) return undefined;
  const { protocol, hostname } = url;
  // An app's package is the host of its android-app: address; like all hosts of such addresses it keeps its case.
  const host = hostname.toLowerCase();
  if (host === '') return undefined;
  if (protocol === 'android-app:') {
    const known = sourceOfApp(host);
    return { source: known?.source ?? host, known };
  }
  if ((protocol !== 'https:' && protocol !== 'http:') || isOwn(host, landingHost, own)) return undefined;
  const known = sourceOfHost(host);
  return { source: known?.source ?? registrableDomain(host), known };
}

function isOwn(host: string, landingHost: string, own: OwnSites): boolean {
  if (host === landingHost || own.domains.has(host)) return true;
  const site = registrableDomain(host);
  return site === own.website || site === registrableDomain(landingHost);
}

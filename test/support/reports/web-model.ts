/**
 * The reference model of web reports (docs/contract/web-report.md): from the events as sent to the rows and totals of
 * a report, in
 * plain TypeScript, one visitor and one event after the other. It shares nothing with the service but the
 * classification
 * of a landing page, which has a table of its own.
 */
import { classify, type OwnSites } from '../../../src/web-channels/classify';
import { readLanding } from '../../../src/web-channels/landing';

export interface ModelEvent {
  readonly event_id: string;
  readonly type: 'page_view' | 'event';
  readonly time: string;
  readonly visitor_id: string;
  readonly session_id: string;
  readonly url: string;
  readonly name?: string;
  readonly user_id?: string;
  readonly referrer?: string;
  readonly revenue?: number;
  readonly ua?: string;
  readonly ip?: string;
}

export interface ModelCampaign {
  readonly display_id: string;
  readonly name: string;
  readonly network?: string;
  readonly network_campaign_id?: string;
  readonly utm_ids?: readonly string[];
  /** Pauses in milliseconds; events later than `from` do not count, until `until`. */
  readonly pauses?: readonly { readonly from: number; readonly until: number | null }[];
}

export interface ModelQuery {
  readonly from: string;
  readonly to: string;
  readonly group_by: 'campaign' | 'channel' | 'source' | 'network_campaign' | 'ad_set' | 'ad';
  readonly attribution: 'last_touch' | 'first_touch';
  readonly network?: string;
  readonly channel?: string;
  readonly source?: string;
  readonly utm_source?: string;
  readonly search?: string;
  readonly events?: readonly string[];
}

export const SIGNUPS = [
  'signup',
  'sign_up',
  'signed_up',
  'register',
  'registration',
  'complete_registration',
  'account_created',
];
export const PURCHASES = [
  'purchase',
  'order_completed',
  'order_complete',
  'checkout_completed',
  'payment_completed',
  'completed_purchase',
];
const day = (ms: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(ms);

export interface Touch {
  readonly channel: string;
  readonly source: string;
  readonly utm_source: string;
  readonly utm_medium: string;
  readonly key: string;
  readonly network_campaign: string;
  readonly ad_set: string;
  readonly ad: string;
}
export const DIRECT: Touch = {
  channel: 'direct',
  source: '',
  utm_source: '',
  utm_medium: '',
  key: '',
  network_campaign: '',
  ad_set: '',
  ad: '',
};

export function readTouch(event: ModelEvent, own: OwnSites): Touch {
  const landing = readLanding(new URL(event.url), own.isCampaign);
  const { channel, source } = classify(landing, event.referrer ?? '', own);
  if (channel === 'direct') return DIRECT;
  return {
    channel,
    source,
    utm_source: landing.utm.source,
    utm_medium: landing.utm.medium,
    key: landing.utm.id || landing.utm.campaign,
    network_campaign: landing.networkCampaignId,
    ad_set: landing.adSetId,
    ad: landing.adId,
  };
}

export interface Credited {
  readonly event: ModelEvent;
  readonly ms: number;
  readonly last_touch: Touch;
  readonly first_touch: Touch;
}

/** Every event of one visitor with the touches that it is credited to. */
export function credit(events: readonly ModelEvent[], own: OwnSites): Credited[] {
  const known = events.map((event) => ({ event, ms: Date.parse(event.time), touch: readTouch(event, own) }));
  const before = (a: (typeof known)[0], b: (typeof known)[0], aLast: boolean, bLast: boolean) =>
    a.ms - b.ms || Number(aLast) - Number(bLast) || (a.event.event_id < b.event.event_id ? -1 : 1);
  const sessions = new Map<string, (typeof known)[0]>();
  for (const one of known) {
    const first = sessions.get(one.event.session_id);
    if (!first || before(one, first, one.touch === DIRECT, first.touch === DIRECT) < 0)
      sessions.set(one.event.session_id, one);
  }
  const touches = [...sessions.values()]
    .filter((one) => one.touch !== DIRECT)
    .sort((a, b) => before(a, b, false, false));
  return known.map((one) => {
    const isTouch = touches.includes(one);
    const sofar = touches.filter(
      (touch) => touch.ms < one.ms || (touch.ms === one.ms && (!isTouch || touch.event.event_id <= one.event.event_id)),
    );
    return {
      event: one.event,
      ms: one.ms,
      last_touch: sofar.at(-1)?.touch ?? DIRECT,
      first_touch: sofar[0]?.touch ?? DIRECT,
    };
  });
}

export const readKeys = (campaign: ModelCampaign) =>
  [campaign.display_id, campaign.network_campaign_id ?? '', ...(campaign.utm_ids ?? [])].filter((key) => key !== '');

/** The report over the events in the order in which they were accepted; `isBot` says which user agents are bots'. */
export function modelReport(
  accepted: readonly ModelEvent[],
  campaigns: readonly ModelCampaign[],
  own: OwnSites,
  isBot: (ua: string) => boolean,
  query: ModelQuery,
) {
  const byId = new Map<string, ModelEvent>();
  for (const event of accepted) if (!byId.has(event.event_id)) byId.set(event.event_id, event);
  const visitors = new Map<string, ModelEvent[]>();
  for (const event of byId.values())
    if (!isBot(event.ua ?? '')) visitors.set(event.visitor_id, [...(visitors.get(event.visitor_id) ?? []), event]);
  const readCampaign = (key: string) =>
    key === '' ? undefined : campaigns.find((campaign) => readKeys(campaign).includes(key));
  const readId = (touch: Touch) => {
    const campaign = readCampaign(touch.key);
    const merged = campaign?.network === 'META' ? campaign.network_campaign_id : undefined;
    return {
      campaign: merged ?? touch.key,
      channel: touch.channel,
      source: touch.source,
      network_campaign: touch.network_campaign,
      ad_set: touch.ad_set,
      ad: touch.ad,
    }[query.group_by];
  };
  const counts = (touch: Touch, ms: number) => {
    if (readCampaign(touch.key)?.pauses?.some((pause) => ms > pause.from && (pause.until === null || ms < pause.until)))
      return false;
    const channel = query.channel ?? query.network;
    if (channel && touch.channel !== channel) return false;
    if (query.source && touch.source !== query.source) return false;
    if (query.utm_source && touch.utm_source !== query.utm_source) return false;
    return !query.search || readId(touch).toLowerCase().includes(query.search.toLowerCase());
  };
  const rows = new Map<string, { credited: Credited; touch: Touch }[]>();
  const all: { credited: Credited; touch: Touch }[] = [];
  for (const events of visitors.values()) {
    for (const credited of credit(events, own)) {
      const touch = credited[query.attribution];
      const on = day(credited.ms);
      if (on < query.from || on > query.to || !counts(touch, credited.ms)) continue;
      const entry = { credited, touch };
      all.push(entry);
      rows.set(readId(touch), [...(rows.get(readId(touch)) ?? []), entry]);
    }
  }
  const metrics = (entries: typeof all) => {
    const events = entries.map((entry) => entry.credited.event);
    const named = (names: readonly string[]) =>
      events.filter((event) => event.type === 'event' && names.includes((event.name ?? '').toLowerCase()));
    const unique = (values: string[]) => new Set(values).size;
    const people = unique(events.map((event) => event.visitor_id));
    const signups = named(SIGNUPS);
    const purchases = named(PURCHASES);
    // In thousandths, so that sums are exact.
    const revenue = purchases.reduce((sum, event) => sum + Math.round((event.revenue ?? 0) * 1000), 0) / 1000;
    return {
      visitors: people,
      sessions: unique(events.map((event) => JSON.stringify([event.visitor_id, event.session_id]))),
      page_views: events.filter((event) => event.type === 'page_view').length,
      signups: signups.length,
      unique_signup_users: unique(signups.map((event) => event.user_id || event.visitor_id)),
      conversion:
        people === 0 ? 0 : Math.round((unique(signups.map((event) => event.visitor_id)) / people) * 10_000) / 100,
      purchases: purchases.length,
      revenue: Math.round(revenue * 100) / 100,
      custom_events: Object.fromEntries(
        (query.events ?? []).map((name) => [
          name,
          { count: events.filter((event) => event.type === 'event' && event.name === name).length },
        ]),
      ),
    };
  };
  const readSource = (entries: typeof all) => {
    const people = new Map<string, Set<string>>();
    for (const { touch, credited } of entries)
      people.set(touch.source, (people.get(touch.source) ?? new Set()).add(credited.event.visitor_id));
    return [...people].sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))[0]?.[0] || null;
  };
  const isCampaign = query.group_by === 'campaign';
  return {
    rows: [...rows].map(([id, entries]) => ({
      id: id === '' ? null : id,
      source: isCampaign ? readSource(entries) : null,
      merged: isCampaign
        ? campaigns.some((campaign) => campaign.network === 'META' && campaign.network_campaign_id === id) &&
          new Set(entries.map(({ touch }) => touch.key)).size > 1
        : null,
      paused: isCampaign ? (readCampaign(id)?.pauses?.some((pause) => pause.until === null) ?? false) : null,
      ...metrics(entries),
    })),
    totals: metrics(all),
  };
}

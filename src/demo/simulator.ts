/** 60 days of believable traffic, the same for the same options (pure). */
import { simulateEvents, newcomer, type Newcomer, type Sent } from './app-traffic';
import { MINUTE_MS } from '../lib/time';
import { Calendar, DAYS } from './calendar';
import { CAMPAIGNS, whereabouts, type NetworkCampaign } from './market';
import { Random } from './random';
import { visitorEvents } from './web-traffic';

export interface SimulationOptions {
  readonly seed: number;
  /** The moment at which the traffic ends, in milliseconds. */
  readonly until: number;
  /** Approximate number of installs; everything else is in proportion. */
  readonly installs: number;
}

/** A click or an impression that a partner's server reports. */
export interface Touch {
  readonly time: number;
  readonly tid: string;
  readonly gaid: string;
  readonly ip: string;
  readonly ua: string;
}

export interface Traffic {
  readonly clicks: readonly Touch[];
  readonly impressions: readonly Touch[];
  readonly spend: readonly Sent[];
  /** In the order of time. */
  readonly appEvents: readonly Sent[];
  /** In the order of time. */
  readonly webEvents: readonly Sent[];
}

/** The partner's campaign runs since so long: servers may report touches of the last 24 hours only. */
const PARTNER_MINUTES = 20 * 60;
/** Numbers of those whom the partner shows ads to: none of the others has them. */
const FIRST_TOUCH = { click: 1_000_000, impression: 2_000_000 };
const VISITORS_PER_INSTALL = 1.35;
const TOUCHES_PER_INSTALL = 0.12;
/** Share of the partner's clicks that lead to an install. */
const CONVERSION = 0.25;

const byTime = (a: Sent, b: Sent) =>
  (a.time as string) < (b.time as string) ? -1 : (a.time as string) > (b.time as string) ? 1 : 0;

export function simulate({ seed, until, installs }: SimulationOptions): Traffic {
  const random = new Random(seed);
  const calendar = new Calendar(until);
  const clicks = touches(random, until, Math.round(installs * TOUCHES_PER_INSTALL), 'click');
  const impressions = touches(random, until, Math.round(installs * TOUCHES_PER_INSTALL), 'impression');
  const found = Array.from({ length: installs }, (_, i) => newcomer(random, calendar, i + 1)).filter(
    ({ time }) => time <= until,
  );
  const users = [...found, ...clicks.flatMap((click) => clicked(random, click))];
  return {
    clicks,
    impressions,
    spend: simulateSpend(random, calendar, found),
    appEvents: users.flatMap((user) => simulateEvents(random, calendar, user)).sort(byTime),
    webEvents: Array.from({ length: Math.round(installs * VISITORS_PER_INSTALL) }, (_, i) =>
      visitorEvents(random, calendar, i + 1),
    )
      .flat()
      .sort(byTime),
  };
}

const touches = (random: Random, until: number, count: number, kind: 'click' | 'impression'): Touch[] =>
  Array.from({ length: count }, (_, i) => ({
    time: Math.round(until - random.between(60, PARTNER_MINUTES) * MINUTE_MS),
    tid: `demo-${kind}-${i + 1}`,
    gaid: random.deviceId(),
    ...whereabouts(FIRST_TOUCH[kind] + i),
  }));

/** A person who installs the app some minutes after a click; the service finds out that the click led to it. */
function clicked(random: Random, { time, tid, gaid, ip }: Touch): Newcomer[] {
  return random.chance(CONVERSION)
    ? [{ id: `of-${tid}`, time: Math.round(time + random.between(2, 50) * MINUTE_MS), gaid, quality: 1, ip }]
    : [];
}

/** A row for each day and ad, with what its network charged for the installs of the campaign. */
function simulateSpend(random: Random, calendar: Calendar, users: readonly Newcomer[]): Sent[] {
  const installs = new Map(
    CAMPAIGNS.map(({ id }) => [id, users.filter(({ attribution }) => attribution?.network_campaign_id === id).length]),
  );
  const weights = Array.from({ length: DAYS }, (_, day) => calendar.weighDay(day));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.flatMap((weight, day) =>
    CAMPAIGNS.flatMap((campaign) =>
      spendOfDay(random, campaign, calendar.readDate(day), ((installs.get(campaign.id) ?? 0) * weight) / total),
    ),
  );
}

function spendOfDay(random: Random, campaign: NetworkCampaign, date: string, installs: number): Sent[] {
  const ads = campaign.adSets.flatMap((adSet) => adSet.ads.map((ad) => ({ adSet, ad })));
  return ads.map(({ adSet, ad }) => {
    const share = (installs / ads.length) * random.between(0.7, 1.3);
    const clicks = Math.round(share * random.between(8, 14));
    return {
      date,
      network: campaign.network,
      account: campaign.account,
      campaign_id: campaign.id,
      campaign_name: campaign.name,
      ad_set_id: adSet.id,
      ad_set_name: adSet.name,
      ad_id: ad.id,
      ad_name: ad.name,
      impressions: clicks * (30 + random.below(30)),
      clicks,
      spend: (share * campaign.costPerInstall).toFixed(2),
      currency: 'EUR',
    };
  });
}

/** Users of the demo's app: how each is found, comes back less and less, and sometimes pays (pure). */
import { DAY_MS, MINUTE_MS } from '../lib/time';
import type { Calendar } from './calendar';
import { CAMPAIGNS, ORGANIC_WEIGHT, whereabouts, type NetworkCampaign } from './market';
import type { Random } from './random';

/** An event or row as it is sent. */
export type Sent = Readonly<Record<string, unknown>>;

/** A user of the app who has just installed it. */
export interface Newcomer {
  readonly id: string;
  readonly time: number;
  readonly gaid?: string;
  readonly idfa?: string;
  readonly quality: number;
  readonly ip: string;
  /** What the network says of the install; undefined where the service finds out. */
  readonly attribution?: Sent;
}

const SIGNUP = 0.35;
/** Share of users who come back on the first day after the install; on day N it is divided by the root of N. */
const RETURN = 0.4;
const UNINSTALL = 0.12;
const PAYMENT = 0.045;
const REFUND = 0.1;
const EVENTS = [
  { name: 'view_item', weight: 6 },
  { name: 'add_to_cart', weight: 3 },
  { name: 'share', weight: 1 },
];
const AD_TYPE = 'video';

/** A user whom a campaign of a network brought, or nobody. */
export function newcomer(random: Random, calendar: Calendar, number: number): Newcomer {
  const time = calendar.moment(random);
  const source = random.pick<{ weight: number; campaign?: NetworkCampaign }>([
    ...CAMPAIGNS.map((campaign) => ({ weight: campaign.weight, campaign })),
    { weight: ORGANIC_WEIGHT },
  ]);
  const device = random.chance(0.35) ? { idfa: random.deviceId() } : { gaid: random.deviceId() };
  const attribution = source.campaign && attributionTo(random, source.campaign, time);
  return {
    id: `demo-${number}`,
    time,
    ...device,
    quality: source.campaign?.quality ?? 1.2,
    ip: whereabouts(-number).ip,
    ...(attribution ? { attribution } : {}),
  };
}

function attributionTo(random: Random, campaign: NetworkCampaign, time: number): Sent {
  const adSet = campaign.adSets[random.below(campaign.adSets.length)] as NetworkCampaign['adSets'][number];
  const ad = adSet.ads[random.below(adSet.ads.length)] as { id: string; name: string };
  return {
    network: campaign.network,
    network_campaign_id: campaign.id,
    touch_type: random.chance(0.85) ? 'click' : 'impression',
    touched_at: iso(time - random.between(1, 90) * MINUTE_MS),
    ad_set_id: adSet.id,
    ad_set_name: adSet.name,
    ad_id: ad.id,
    ad_name: ad.name,
    ad_type: AD_TYPE,
  };
}

export const iso = (time: number) => new Date(time).toISOString();

/** Everything that a user does until the end of the demo, in the order of time. */
export function simulateEvents(random: Random, calendar: Calendar, user: Newcomer): Sent[] {
  const happened: { time: number; fields: Sent }[] = [
    { time: user.time, fields: { type: 'install', ...(user.attribution ? { attribution: user.attribution } : {}) } },
  ];
  const add = (time: number, fields: Sent) => happened.push({ time: Math.round(time), fields });
  const isKnown = random.chance(SIGNUP * user.quality);
  if (isKnown) add(user.time + random.between(1, 30) * MINUTE_MS, { type: 'signup' });
  visit(random, user, user.time + MINUTE_MS, add);
  const installDay = Math.floor((user.time - calendar.start) / DAY_MS);
  for (let day = 1; calendar.start + (installDay + day) * DAY_MS < calendar.until; day++) {
    if (!random.chance((RETURN * user.quality) / Math.sqrt(day))) continue;
    const time = calendar.momentOfDay(random, installDay + day);
    add(time, { type: 'open' });
    visit(random, user, time, add);
  }
  if (random.chance(UNINSTALL)) add(Math.max(...happened.map(({ time }) => time)) + DAY_MS, { type: 'uninstall' });
  const identity = {
    ...(user.gaid ? { app_id: 'com.example.shop', gaid: user.gaid } : { app_id: 'id1234567890', idfa: user.idfa }),
    install_id: user.id,
    ip: user.ip,
    ...(isKnown ? { user: { id: `user-of-${user.id}` } } : {}),
  };
  return happened
    .filter(({ time }) => time <= calendar.until)
    .sort((a, b) => a.time - b.time)
    .map(({ time, fields }, i) => ({ event_id: `${user.id}-${i}`, time: iso(time), ...identity, ...fields }));
}

/** What a user does while the app is open. */
function visit(random: Random, user: Newcomer, time: number, add: (time: number, fields: Sent) => void): void {
  if (random.chance(0.8)) add(time + MINUTE_MS, { type: 'event', name: random.pick(EVENTS).name });
  if (!random.chance(PAYMENT * user.quality)) return;
  const paid = { amount: Math.round(100 * (5 + 60 * random.next() ** 3)) / 100, currency: 'EUR' };
  add(time + 5 * MINUTE_MS, { type: 'payment', ...paid });
  if (random.chance(REFUND)) add(time + random.between(1, 5) * DAY_MS, { type: 'refund', ...paid });
}

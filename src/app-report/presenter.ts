/** Figures and campaigns as the rows that docs/contract/ describes (App reporting campaign row; pure). */
import { type Decimal, ZERO } from '../lib/decimal';
import { formatCount, formatMoney, formatPercent, formatRatio, toPercent } from '../lib/format';
import { trackingLink } from '../configuration/campaign-url';
import type { Columns, Figures } from './figures';
import type { View } from './input';
import { countClicks, countStarts } from './order';
import type { CampaignRow, NetworkAccountRow } from './queries';
import { REVENUE_DAYS, type Count } from './questions';

/** What the shape of every row depends on. */
export interface Shaping {
  readonly view: View;
  readonly currency: string;
  readonly columns: Columns;
  readonly costs: ReadonlySet<string>;
  readonly hasDateFilter: boolean;
}

type Fields = Record<string, unknown>;

/** Leaves out what is undefined. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** What rows of every level have. */
function metrics(figures: Figures, isNetworks: boolean, shaping: Shaping): Fields {
  const { view, currency } = shaping;
  const { counts, spend, revenue } = figures;
  const starts = countStarts(figures, view);
  const signups = counts.signups ?? 0;
  const perSpend = (count: number | undefined) => (count ? formatMoney(spend.div(count), currency) : undefined);
  return present({
    clicks: formatCount(countClicks(figures, isNetworks)),
    installs: formatCount(view === 'retargeting' ? 0 : (counts.installs ?? 0)),
    'sign-ups': formatCount(signups),
    conversion: formatPercent(signups, starts),
    revenue: formatMoney(revenue, currency),
    spend: formatMoney(spend, currency),
    revenue_event_count: formatCount(figures.payments),
    roas: spend.eq(0) ? undefined : formatRatio(revenue, spend),
    cost_per_install: view === 'user_acquisition' ? perSpend(counts.installs) : undefined,
    cost_per_reinstall: view === 'retargeting' ? perSpend(counts.reinstalls) : undefined,
    cost_per_signup: perSpend(signups),
    ...eventColumns(figures, shaping),
    retention: retention(figures, 'retention', [1, 7, 14, 30]),
    rolling_retention: retention(figures, 'rolling_retention', [1, 7]),
  });
}

function eventColumns(figures: Figures, { columns, costs, currency }: Shaping): Fields {
  const { spend } = figures;
  const cost = (name: string, count: number): [string, string][] =>
    costs.has(name) && count > 0 ? [[name, formatMoney(spend.div(count), currency)]] : [];
  const events = columns.events.map((name) => ({
    name,
    ...(figures.events.get(name) ?? { count: 0, amount: undefined }),
  }));
  const payments = columns.payments.map((name) => ({
    name,
    ...(figures.paymentTypes.get(name) ?? { count: 0, total: ZERO }),
  }));
  return {
    custom_events: toObject(
      events.map(({ name, count, amount }) => [
        name,
        present({
          count: formatCount(count),
          amount: amount === undefined ? undefined : formatMoney(amount, currency),
        }),
      ]),
    ),
    payment_events: toObject(
      payments.map(({ name, count, total }) => [
        name,
        { count: formatCount(count), total: formatMoney(total, currency) },
      ]),
    ),
    cost_per_custom_events: toObject(events.flatMap(({ name, count }) => cost(name, count))),
    cost_per_payment_events: toObject(payments.flatMap(({ name, count }) => cost(name, count))),
  };
}

/** An object whose names may be any text, `__proto__` too. */
const toObject = (entries: readonly (readonly [string, unknown])[]): Fields => Object.fromEntries(entries);

function retention(
  { counts }: Figures,
  kind: 'retention' | 'classic_retention' | 'rolling_retention',
  days: readonly number[],
): Fields {
  return Object.fromEntries(
    days.map((day) => {
      const mature = counts[`ended_d${day}` as Count] ?? 0;
      return [`d${day}`, mature === 0 ? '-' : toPercent(counts[`${kind}_of_d${day}` as Count] ?? 0, mature)];
    }),
  );
}

function daywiseRevenue({ counts, cohortRevenue }: Figures, currency: string): Fields {
  return Object.fromEntries(
    REVENUE_DAYS.map((day, i) => [
      `d${day}`,
      counts[`ended_d${day}`] ? formatMoney(cohortRevenue[i] as Decimal, currency) : '-',
    ]),
  );
}

/** Which of the platforms a campaign has: those of its store listings, else of its project's apps. */
export function listPlatforms(
  campaign: CampaignRow,
  project: { readonly ios: boolean; readonly android: boolean },
): { ios: boolean; android: boolean } {
  const hasListings = campaign.ios_listing !== null || campaign.android_listing !== null;
  return hasListings
    ? { ios: campaign.ios_listing !== null, android: campaign.android_listing !== null }
    : { ios: project.ios, android: project.android };
}

/** Lower-case code of the ad network, else of the partner; undefined for neither. */
export const networkCode = ({ network, partner }: CampaignRow) =>
  (network ?? partner?.replaceAll(' ', '_'))?.toLowerCase();

/** An ad network owns the campaigns that its sync brought; it counts their clicks, unless those lead to the web. */
export const isNetworks = ({ network, network_campaign_id, web_to_app }: CampaignRow) =>
  network !== null && network_campaign_id !== null && !web_to_app;

export const presentLink = (campaign: CampaignRow) =>
  trackingLink({
    domain: campaign.domain,
    displayId: campaign.display_id,
    deeplink: campaign.deeplink,
    isShortlink: campaign.is_shortlink,
  });

export function campaignRow(
  campaign: CampaignRow,
  figures: Figures,
  account: NetworkAccountRow | undefined,
  platforms: { ios: boolean; android: boolean },
  adSets: readonly Fields[],
  shaping: Shaping,
): Fields {
  const { counts } = figures;
  const { network, web_to_app: webToApp } = campaign;
  const counted = isNetworks(campaign);
  const isRetargeting = shaping.view === 'retargeting';
  return present({
    id: campaign.id,
    active: campaign.active,
    created_at: campaign.created_at.toISOString(),
    display_id: campaign.display_id,
    link: presentLink(campaign),
    name: campaign.name,
    ...metrics(figures, counted, shaping),
    reinstalls: isRetargeting ? formatCount(counts.reinstalls ?? 0) : undefined,
    reengagements: isRetargeting ? formatCount(counts.reengagements ?? 0) : undefined,
    uninstalls: formatCount(counts.uninstalls ?? 0),
    suspicious_installs: formatCount(counts.suspicious ?? 0),
    click_through_attribution: formatCount(counts.click_through ?? 0),
    view_through_attribution: formatCount(counts.view_through ?? 0),
    meta: network === 'META',
    meta_web_to_app: network === 'META' && webToApp,
    google: network === 'GOOGLE',
    google_web_to_app: network === 'GOOGLE' && webToApp,
    tiktok: network === 'TIKTOK',
    snapchat: network === 'SNAPCHAT',
    linkedin: network === 'LINKEDIN',
    ad_network_code: networkCode(campaign),
    ...platforms,
    activity_in_last_x_days: (counted ? figures.reported : figures.tracked).recent + (counts.recent_starts ?? 0),
    active_users: counts.active_users ?? 0,
    has_date_filter: shaping.hasDateFilter,
    domain: campaign.domain_id === null ? null : { id: campaign.domain_id, name: campaign.domain },
    custom_store_listing: campaign.android_listing ?? campaign.ios_listing,
    classic_retention: retention(figures, 'classic_retention', [1, 7, 14, 30]),
    daywise_revenue: daywiseRevenue(figures, shaping.currency),
    network_account: account ? presentAccount(account) : null,
    adSets: adSets.length > 0 ? adSets : undefined,
  });
}

const presentAccount = ({
  id,
  name,
  email,
  status,
  capi_configured,
  account_name,
  external_customer_id,
}: NetworkAccountRow) =>
  present({
    id,
    name: name ?? '',
    email: email ?? '',
    status,
    capi_configured,
    account_name: account_name ?? undefined,
    external_customer_id,
  });

export function adSetRow(
  figures: Figures,
  campaign: CampaignRow,
  platforms: { ios: boolean; android: boolean },
  parts: { readonly ads: readonly Fields[]; readonly keywords: readonly Fields[] },
  shaping: Shaping,
): Fields {
  return present({
    id: figures.ad_set,
    name: figures.names.adSet,
    ...metrics(figures, isNetworks(campaign), shaping),
    suspicious_installs: formatCount(figures.counts.suspicious ?? 0),
    daywise_revenue: daywiseRevenue(figures, shaping.currency),
    ...platforms,
    adCreatives: parts.ads.length > 0 ? parts.ads : undefined,
    keywords: parts.keywords.length > 0 ? parts.keywords : undefined,
  });
}

export function adRow(figures: Figures, campaign: CampaignRow, shaping: Shaping): Fields {
  return {
    id: figures.ad,
    name: figures.names.ad,
    type: figures.names.adType,
    deeplink: campaign.deeplink === null ? 0 : campaign.id,
    ...metrics(figures, isNetworks(campaign), shaping),
  };
}

export function keywordRow(figures: Figures, campaign: CampaignRow, shaping: Shaping): Fields {
  return {
    id: figures.keyword,
    name: figures.names.keyword,
    ...metrics(figures, isNetworks(campaign), shaping),
    suspicious_installs: formatCount(figures.counts.suspicious ?? 0),
  };
}

/** What the metrics and dimensions of queries are called (docs/contract.md, Queries). */
export type Kind = 'count' | 'money' | 'percent' | 'ratio' | 'seconds';

export interface MetricText {
  readonly label: string;
  readonly kind: Kind;
  /** Whether more of it is good news, bad news or neither. */
  readonly better: 'more' | 'less' | 'neither';
  readonly about?: string;
}

const count = (label: string, about?: string): MetricText => ({ label, kind: 'count', better: 'more', about });
const money = (label: string, about?: string): MetricText => ({ label, kind: 'money', better: 'more', about });
const cost = (label: string, about?: string): MetricText => ({ label, kind: 'money', better: 'less', about });
const percent = (label: string, about?: string): MetricText => ({ label, kind: 'percent', better: 'more', about });
const neither = (text: MetricText): MetricText => ({ ...text, better: 'neither' });

export const metrics: Readonly<Record<string, MetricText>> = {
  clicks: count('Clicks', 'Tracked clicks, or those that the ad network counted for its own campaigns'),
  impressions: count('Impressions', 'As the ad network counted them'),
  installs: count('Installs'),
  reinstalls: count('Reinstalls'),
  reengagements: count('Re-engagements'),
  click_through: count('Click-through', 'Installs that are credited to a click'),
  view_through: count('View-through', 'Installs that are credited to an impression'),
  suspicious: { ...count('Suspicious', 'Installs with a sign of fraud'), better: 'less' },
  signups: count('Sign-ups'),
  uninstalls: { ...count('Uninstalls'), better: 'less' },
  payments: count('Payments'),
  revenue: money('Revenue', 'Payments less refunds'),
  spend: neither(money('Spend', 'As the ad networks reported it')),
  active_users: count('Active users', 'Distinct installs with any event'),
  arpu: money('ARPU', 'Revenue per install'),
  cpi: cost('CPI', 'Spend per install of a campaign'),
  cpa: cost('CPA', 'Spend per sign-up of a campaign'),
  roas: { label: 'ROAS', kind: 'ratio', better: 'more', about: 'Revenue that campaigns are credited with, per spend' },
  profit: money('Profit', 'Revenue that campaigns are credited with, less spend'),
  blended_cpi: cost('Blended CPI', 'Spend per install, organic ones too'),
  blended_roas: { label: 'Blended ROAS', kind: 'ratio', better: 'more', about: 'All revenue per spend' },
  conversion: percent('Conversion', 'Sign-ups per install, or visitors with a sign-up per visitors'),
  visitors: count('Visitors'),
  sessions: count('Sessions'),
  page_views: count('Page views'),
  bounce_rate: { ...percent('Bounce rate', 'Sessions with a single event'), better: 'less' },
  session_seconds: { label: 'Session length', kind: 'seconds', better: 'more' },
  purchases: count('Purchases'),
};

const RETENTIONS: Readonly<Record<string, string>> = {
  retention: 'Active by day',
  classic_retention: 'Retention D',
  rolling_retention: 'Rolling retention D',
};

/** The text of any metric, those by day or by event too. */
export function metricText(name: string): MetricText {
  const fixed = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  if (fixed) return fixed;
  const [, kind = '', day = ''] = /^([a-z_]+)_d(\d+)$/.exec(name) ?? [];
  const retention = RETENTIONS[kind];
  if (retention) return percent(kind === 'retention' ? `${retention} ${day}` : `${retention}${day}`);
  if (kind === 'ltv') return money(`LTV D${day}`, `Revenue per install up to day ${day}`);
  if (kind === 'roas') return { label: `ROAS D${day}`, kind: 'ratio', better: 'more' };
  const [, of = '', event = ''] = /^(event|event_users|event_amount):(.+)$/s.exec(name) ?? [];
  if (of === 'event_amount') return money(`${event} amount`);
  return count(of === 'event_users' ? `${event} users` : event || name);
}

export const dimensions: Readonly<Record<string, string>> = {
  campaign: 'Campaign',
  campaign_name: 'Campaign name',
  network: 'Network',
  partner: 'Partner',
  channel: 'Channel',
  ad_set: 'Ad set',
  ad: 'Ad',
  keyword: 'Keyword',
  platform: 'Platform',
  country: 'Country',
  touch_type: 'Touch',
  app: 'App',
  rule: 'Rule',
  os_version: 'OS version',
  app_version: 'App version',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  hour: 'Hour',
  source: 'Source',
  medium: 'Medium',
  network_campaign: 'Network campaign',
  page: 'Page',
  landing_page: 'Landing page',
  exit_page: 'Exit page',
  referrer: 'Referrer',
  device: 'Device',
  browser: 'Browser',
  os: 'OS',
};

/** What a dimension is called. */
export const dimensionText = (name: string): string => dimensions[name] ?? name;

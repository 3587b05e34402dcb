/** The metrics and dimensions of app queries: what each is computed from, and which of them mean something together. */
import { count, money, PERCENT, ratio, type Definition, type Metric, type Source } from './metrics';

/** What is counted where; each knows its own dimensions. */
type Fact = 'starts' | 'cohorts' | 'happenings' | 'clicks' | 'spend';

/** Metrics with a fixed name. `starts` are installs, or reinstalls and re-engagements in the retargeting view. */
const APP_METRICS: Readonly<Record<string, Definition>> = {
  clicks: count('clicks', 'clicks'),
  impressions: count('impressions', 'spend'),
  installs: count('installs', 'starts'),
  reinstalls: count('reinstalls', 'starts'),
  reengagements: count('reengagements', 'starts'),
  click_through: count('click_through', 'starts'),
  view_through: count('view_through', 'starts'),
  suspicious: count('suspicious', 'starts'),
  signups: count('signups', 'happenings'),
  uninstalls: count('uninstalls', 'happenings'),
  payments: count('payments', 'happenings'),
  active_users: count('users_of:active_users', 'happenings'),
  revenue: money('revenue', 'happenings'),
  spend: money('spend', 'spend'),
  arpu: ratio('revenue', 'starts', ['happenings', 'starts']),
  cpi: ratio('spend', 'starts', ['spend', 'starts']),
  cpa: ratio('spend', 'signups', ['spend', 'happenings']),
  roas: ratio('revenue', 'spend', ['happenings', 'spend']),
  conversion: ratio('signups', 'starts', ['happenings', 'starts'], { factor: PERCENT }),
};

const RETENTIONS = { retention: 'retained', classic_retention: 'classic', rolling_retention: 'rolling' } as const;
const MAX_DAY = 90;

/** What is legal besides the fixed names, as error messages show it. */
const APP_PATTERNS = [
  'retention_dN, classic_retention_dN, rolling_retention_dN (N 1 to 90)',
  'ltv_dN, roas_dN (N 0 to 90)',
  'event:<name>, event_users:<name>, event_amount:<name>',
];

function appMetric(name: string): Metric | undefined {
  const fixed = Object.hasOwn(APP_METRICS, name) ? APP_METRICS[name] : undefined;
  const definition = fixed ?? byDay(name) ?? byEvent(name);
  return definition && { name, ...definition };
}

function byDay(name: string): Definition | undefined {
  const [, kind = '', text = ''] = /^([a-z_]+)_d(0|[1-9]\d?)$/.exec(name) ?? [];
  const day = Number(text);
  if (day > MAX_DAY) return undefined;
  if (kind in RETENTIONS && day >= 1)
    return ratio(`${RETENTIONS[kind as keyof typeof RETENTIONS]}_${day}`, `mature_${day}`, ['cohorts'], {
      factor: PERCENT,
    });
  if (kind === 'ltv') return ratio(`revenue_${day}`, 'cohort', ['cohorts']);
  if (kind === 'roas') return ratio(`revenue_${day}`, 'cohort_spend', ['cohorts', 'spend']);
  return undefined;
}

function byEvent(name: string): Definition | undefined {
  const [, kind = '', event = ''] = /^(event|event_users|event_amount):(.+)$/s.exec(name) ?? [];
  if (kind === 'event') return count(`event:${event}`, 'happenings');
  if (kind === 'event_users') return count(`users_of:event:${event}`, 'happenings');
  if (kind === 'event_amount') return money(`amount:${event}`, 'happenings');
  return undefined;
}

/** By campaign and what belongs to it: known of everything. */
export const CAMPAIGN = ['campaign', 'network', 'partner', 'channel', 'ad_set', 'ad', 'keyword', 'platform'];
/** Known of installs, reinstalls and re-engagements, and of what happens on them. */
export const INSTALL = ['touch_type', 'app', 'rule', 'os_version', 'app_version'];
/** Known of clicks, too. */
export const COUNTRY = ['country'];
const TIME = ['day', 'week', 'month'];
const START = ['install_day', 'install_week', 'install_month'];

/** Dimensions that only the decision on the install of a journey knows. */
export const OF_DECISIONS: readonly string[] = ['app', 'rule'];
/** Dimensions that only the install event of a journey knows. */
export const OF_DEVICES: readonly string[] = ['country', 'os_version', 'app_version'];

const DIMENSIONS_OF: Readonly<Record<Fact, readonly string[]>> = {
  starts: [...CAMPAIGN, ...COUNTRY, ...INSTALL, ...TIME, 'hour', ...START, 'day_n'],
  cohorts: [...CAMPAIGN, ...COUNTRY, ...INSTALL, ...TIME, ...START],
  happenings: [...CAMPAIGN, ...COUNTRY, ...INSTALL, ...TIME, ...START, 'day_n'],
  clicks: [...CAMPAIGN, ...COUNTRY, ...TIME, 'hour'],
  spend: [...CAMPAIGN, ...TIME],
};

export const TIMES = [...TIME, 'hour', ...START, 'day_n'];

export const APP: Source = {
  metricNames: [...Object.keys(APP_METRICS), ...APP_PATTERNS],
  metric: appMetric,
  dimensions: [...CAMPAIGN, ...COUNTRY, ...INSTALL, ...TIMES],
  filters: ['campaign_name', ...CAMPAIGN, ...COUNTRY, ...INSTALL],
  times: TIMES,
  hasDimension: ({ facts }, dimension) =>
    dimension === 'campaign_name' || facts.every((fact) => DIMENSIONS_OF[fact as Fact].includes(dimension)),
};

/** The metrics and dimensions of web queries: what each is computed from, and which of them mean something together. */
import { count, money, PERCENT, ratio, type Definition, type Metric, type Source } from './metrics';

/** What is counted where; each knows its own dimensions. */
type Fact = 'visits' | 'spend';

/** A part that begins so is how often an event of the name after it happened. */
const EVENT = 'event:';

const METRICS: Readonly<Record<string, Definition>> = {
  visitors: count('visitors', 'visits'),
  sessions: count('sessions', 'visits'),
  page_views: count('page_views', 'visits'),
  bounce_rate: ratio('bounces', 'sessions', ['visits'], { factor: PERCENT }),
  session_seconds: ratio('seconds', 'sessions', ['visits']),
  signups: count('signups', 'visits'),
  purchases: count('purchases', 'visits'),
  revenue: money('revenue', 'visits'),
  conversion: ratio('signup_visitors', 'visitors', ['visits'], { factor: PERCENT }),
  spend: money('spend', 'spend'),
  cpa: ratio('spend', 'signups', ['spend', 'visits']),
  // As the web report has it.
  roas: ratio('revenue', 'spend', ['visits', 'spend'], { decimals: 4 }),
};

function metric(name: string): Metric | undefined {
  const fixed = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
  if (fixed) return { name, ...fixed };
  return name.startsWith(EVENT) && name !== EVENT ? { name, ...count(name, 'visits') } : undefined;
}

/** Of the touch that is credited, and of the campaign that was spent on. */
const CAMPAIGN = ['campaign', 'channel', 'network_campaign', 'ad_set', 'ad'];
const TOUCH = ['source', 'medium'];
/** Of the session, and of the event itself. */
const OF_VISITS: readonly string[] = [
  'referrer',
  'landing_page',
  'exit_page',
  'page',
  'country',
  'device',
  'browser',
  'os',
];
const DAYS = ['day', 'week', 'month'];
const TIMES = [...DAYS, 'hour'];

const DIMENSIONS_OF: Readonly<Record<Fact, readonly string[]>> = {
  visits: [...CAMPAIGN, ...TOUCH, ...OF_VISITS, ...TIMES],
  spend: [...CAMPAIGN, ...DAYS],
};

export const WEB: Source = {
  metricNames: [...Object.keys(METRICS), 'event:<name>'],
  metric,
  dimensions: [...CAMPAIGN, ...TOUCH, ...OF_VISITS, ...TIMES],
  filters: ['campaign_name', ...CAMPAIGN, ...TOUCH, ...OF_VISITS],
  times: TIMES,
  hasDimension: ({ facts }, dimension) =>
    dimension === 'campaign_name' || facts.every((fact) => DIMENSIONS_OF[fact as Fact].includes(dimension)),
};

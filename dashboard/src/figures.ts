/**
 * Which metrics pages ask for. What is set against spend (ROAS, CPI, CPA, profit) is what campaigns are credited with,
 * so that all pages and totals agree; organic installs are a row, or a note, of their own. What mixes both is called
 * blended, and stands only where somebody chooses it.
 */
import type { Question } from './api/queries';
import { dayAge, type Period } from './period';

export type Source = Question['source'];

/** Those that need spend: what organic installs do is not in them. */
export const OF_CREDITED = ['roas', 'cpi', 'cpa', 'profit'] as const;

const HEADS: Readonly<Record<Source, readonly string[]>> = {
  app: ['installs', 'clicks', 'signups', 'conversion', 'revenue', 'spend', 'roas', 'cpi'],
  web: ['visitors', 'sessions', 'page_views', 'bounce_rate', 'signups', 'conversion', 'purchases', 'revenue'],
};

/** The figures at the head of a page; those of apps convert by cohort. */
export const headFigures = (source: Source, conversion: string): readonly string[] =>
  HEADS[source].map((name) => (name === 'conversion' && source === 'app' ? conversion : name));

/** How much of the figures at the head is organic: of those that count organic installs too. */
export const ORGANIC_FIGURES = ['installs', 'signups', 'revenue'] as const;

const TOP = ['installs', 'revenue', 'spend', 'roas'];
const TOP_OF_VISITS = ['visitors', 'signups', 'revenue', 'conversion'];

/** What lists of the overview show by a dimension. Nobody tells what was spent in a country. */
export const topMetrics = (source: Source, dimension: string): readonly string[] => {
  if (source === 'web') return TOP_OF_VISITS;
  return dimension === 'country' ? ['installs', 'signups', 'revenue', 'arpu'] : TOP;
};

/** What a list of campaigns, or of what they consist of, can show, in this order; the first ones by themselves. */
export const CAMPAIGN_METRICS = [
  { name: 'spend', shown: true },
  { name: 'revenue', shown: true },
  { name: 'profit', shown: true },
  { name: 'roas', shown: true },
  { name: 'roas_d7' },
  { name: 'roas_d14' },
  { name: 'roas_d30' },
  { name: 'roas_d90' },
  { name: 'installs', shown: true },
  { name: 'cpi', shown: true },
  { name: 'clicks', shown: true },
  { name: 'impressions' },
  { name: 'signups', shown: true },
  { name: 'conversion_d7' },
  { name: 'cpa' },
  { name: 'arpu' },
  { name: 'ltv_d7' },
  { name: 'ltv_d14' },
  { name: 'ltv_d30' },
  { name: 'ltv_d90' },
  { name: 'payments' },
  { name: 'classic_retention_d1' },
  { name: 'classic_retention_d7' },
  { name: 'uninstalls' },
  { name: 'view_through' },
  { name: 'suspicious' },
] as const;

/** The day N of what is asked of a cohort that all metrics of a question share; undefined of other metrics. */
export function readHorizon(metric: string): number | undefined {
  const day = /^(?:ltv|roas)_d(\d+)$/.exec(metric)?.[1];
  return day === undefined ? undefined : Number(day);
}

/** What tells of installs up to a day how much of their cost they have paid back, and how many are old enough. */
export const cohortMetrics = (day: number): string[] => [`roas_d${day}`, `ltv_d${day}`, `mature_d${day}`];

/** What a campaign consists of. */
export const partMetrics = (dimension: string): readonly string[] =>
  dimension === 'country'
    ? ['installs', 'signups', 'conversion_d7', 'revenue', 'arpu']
    : ['installs', 'signups', 'conversion_d7', 'spend', 'revenue', 'roas', 'arpu'];

/** What is known of each hour of a day; everything of visits but spend. */
const HOURLY = ['installs', 'clicks', 'click_through', 'view_through', 'suspicious'];
const OF_SPEND: readonly string[] = ['spend', 'impressions', ...OF_CREDITED];
export const isHourly = (source: Source, metric: string): boolean =>
  source === 'web' ? !OF_SPEND.includes(metric) : HOURLY.includes(metric);

/** What hours add up to: nobody is counted in two of them. */
const ADDITIVE = [...HOURLY, 'page_views', 'signups', 'purchases', 'revenue'];
export const isSumOfHours = (source: Source, metric: string): boolean =>
  isHourly(source, metric) && ADDITIVE.includes(metric);

/** The greatest of these days for which about half of the days of a period are old enough; else the last one. */
export function chooseDay(days: readonly number[], period: Pick<Period, 'from' | 'days'>, today: string): number {
  const age = dayAge(period.from, today);
  return days.find((day) => age - day >= period.days / 2) ?? (days.at(-1) as number);
}

/** Conversion by cohort, as long after the install as the period allows. */
export const conversionMetric = (period: Pick<Period, 'from' | 'days'>, today: string): string =>
  `conversion_d${chooseDay([7, 3, 1, 0], period, today)}`;

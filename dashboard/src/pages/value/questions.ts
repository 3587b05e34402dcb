/** What the page of a value asks the service. */
import type { Question } from '../../api/queries';
import type { Source } from '../../drill';
import { headFigures } from '../../figures';
import type { Period } from '../../period';

export interface Subject {
  readonly source: Source;
  readonly dimension: string;
  readonly value: string;
}

/** What installs alone have: nothing else is known of it. */
const OF_INSTALLS = ['touch_type', 'rule'];
/** What clicks alone have. */
const OF_CLICKS = ['device', 'os', 'referrer'];
/** What ad networks do not tell: without what is spent. */
const WITHOUT_SPEND = ['country', 'app', 'os_version', 'app_version'];
const SPEND = ['spend', 'roas', 'cpi'];

/** At the head of the page; by default the curve shows the first. `conversion`: of apps, which cohorts tell it. */
export function figures({ source, dimension }: Subject, conversion: string): readonly string[] {
  const all = headFigures(source, conversion);
  if (source === 'web') return all;
  if (OF_INSTALLS.includes(dimension)) return ['installs', 'signups', conversion, 'revenue', 'arpu'];
  if (!WITHOUT_SPEND.includes(dimension)) return all;
  return [...all.filter((one) => !SPEND.includes(one)), 'arpu'];
}

/** Whether its installs are followed: what they pay, and whether they stay. */
export const hasCohorts = ({ source, dimension }: Subject) =>
  source === 'app' && ![...OF_INSTALLS, ...OF_CLICKS].includes(dimension);
/** Whether it is told what its installs cost. */
export const hasCost = ({ dimension }: Subject) => !WITHOUT_SPEND.includes(dimension);

const PARTS = {
  app: ['campaign', 'country', 'channel', 'network', 'partner', 'platform', 'ad_set', 'ad', 'touch_type'],
  web: ['campaign', 'channel', 'source', 'country', 'device', 'browser', 'landing_page', 'exit_page', 'page'],
};
/** What its figures can be broken down by. */
export const parts = ({ source, dimension }: Subject): readonly string[] =>
  PARTS[source].filter((one) => one !== dimension);

export function partMetrics({ source, dimension }: Subject, by: string): readonly string[] {
  if (source === 'web') return ['visitors', 'sessions', 'bounce_rate', 'signups', 'conversion', 'revenue'];
  const lacksSpend = [dimension, by].some((one) => WITHOUT_SPEND.includes(one) || OF_INSTALLS.includes(one));
  const spend = lacksSpend ? [] : ['spend', 'roas'];
  return ['installs', 'signups', 'conversion_d7', 'revenue', 'arpu', ...spend];
}

const of = ({ source, dimension, value }: Subject, { from, to }: Period): Question => ({
  source,
  metrics: [],
  filters: [['is', dimension, [value]]],
  from,
  to,
});

const ROWS = 100;
export const partsQuestion = (subject: Subject, period: Period, by: string, sort: string): Question => ({
  ...of(subject, period),
  metrics: [...partMetrics(subject, by)],
  dimensions: [by],
  order_by: [[sort.replace(/^-/, ''), sort.startsWith('-') ? 'desc' : 'asc']],
  include: ['totals', ...(subject.source === 'app' ? (['organic'] as const) : [])],
  limit: ROWS,
});

/** What the list of campaigns asks the service. */
import type { Question, Report } from '../../api/queries';
import type { Period } from '../../period';
import type { Filter } from '../../search';

/** Metrics that a column can show, in their order; the first ones are there by themselves. */
export const METRICS = [
  { name: 'spend', shown: true },
  { name: 'revenue', shown: true },
  { name: 'profit', shown: true },
  { name: 'roas', shown: true },
  { name: 'installs', shown: true },
  { name: 'cpi', shown: true },
  { name: 'clicks', shown: true },
  { name: 'impressions' },
  { name: 'signups', shown: true },
  { name: 'conversion' },
  { name: 'cpa' },
  { name: 'arpu' },
  { name: 'payments' },
  { name: 'classic_retention_d1' },
  { name: 'classic_retention_d7' },
  { name: 'ltv_d7' },
  { name: 'roas_d7' },
  { name: 'uninstalls' },
  { name: 'view_through' },
  { name: 'suspicious' },
] as const;

/** Needed to tell what loses money, whatever is shown. */
const ALWAYS = ['installs', 'spend', 'revenue', 'profit', 'roas'];
/** As many as an answer can have. */
const MAX_ROWS = 10_000;

export const FILTERS = ['network', 'partner', 'platform', 'country', 'channel', 'campaign_name'];

export const isByCountry = (filters: readonly Filter[] = []) =>
  filters.some(([, dimension]) => dimension === 'country');

/** The metrics to ask for: those of the columns, and what the page itself needs. */
export const listMetrics = (columns: readonly string[]): string[] =>
  METRICS.map(({ name }) => name).filter((name) => columns.includes(name) || ALWAYS.includes(name));

interface Asked {
  readonly period: Period;
  readonly metrics: readonly string[];
  readonly filters: readonly Filter[] | undefined;
}

/** All campaigns with anything in the period; the dimensions after the first say what each is. */
export const listQuestion = ({ period, metrics, filters = [] }: Asked): Question => ({
  source: 'app',
  metrics: [...metrics],
  dimensions: ['campaign', 'network', 'partner', 'channel'],
  filters: filters.map((filter) => [...filter]),
  from: period.from,
  to: period.to,
  ...period.comparison,
  order_by: [[isByCountry(filters) ? 'installs' : 'spend', 'desc']],
  limit: MAX_ROWS,
  include: ['totals', 'organic'],
});

/** The ad sets of a campaign, or the ads of one of its ad sets. */
export const partsQuestion = ({ period, metrics, filters = [] }: Asked, path: readonly string[]): Question => {
  const [campaign = '', adSet] = path;
  return {
    source: 'app',
    metrics: [...metrics],
    dimensions: [adSet === undefined ? 'ad_set' : 'ad'],
    filters: [
      ...filters.map((filter) => [...filter]),
      ['is', 'campaign', [campaign]],
      ...(adSet === undefined ? [] : [['is', 'ad_set', [adSet]]]),
    ],
    from: period.from,
    to: period.to,
    limit: 500,
    include: [],
  };
};

export type Figures = Readonly<Record<string, number | null | undefined>>;

/** Figures by the names of the metrics: those of the answer, which may be of the question before. */
export function readFigures(report: Report, values: readonly (number | null)[] | undefined): Figures {
  const { metrics = [] } = report.query as { metrics?: string[] };
  return Object.fromEntries(metrics.map((name, at) => [name, values?.[at]]));
}

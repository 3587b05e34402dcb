/** What the list of campaigns asks the service. */
import type { Question, Report } from '../../api/queries';
import { CAMPAIGN_METRICS, cohortMetrics, readHorizon } from '../../figures';
import type { Period } from '../../period';
import type { Filter } from '../../search';

/** Needed to tell what spends, whatever is shown. */
const ALWAYS = ['installs', 'spend', 'revenue'];
/** As many as an answer can have. */
const MAX_ROWS = 10_000;

export const FILTERS = ['network', 'partner', 'platform', 'country', 'channel', 'campaign_name'];

export const isByCountry = (filters: readonly Filter[] = []) =>
  filters.some(([, dimension]) => dimension === 'country');

/** The metrics to ask for: those of the columns, and what the page itself needs. */
export const listMetrics = (columns: readonly string[]): string[] =>
  CAMPAIGN_METRICS.map(({ name }) => name).filter(
    (name) => readHorizon(name) === undefined && (columns.includes(name) || ALWAYS.includes(name)),
  );

/** The days by which installs are looked at: each is a question of its own, about those that are old enough for it. */
export const listDays = (columns: readonly string[], horizon: number): number[] => [
  ...new Set([horizon, ...columns.flatMap((name) => readHorizon(name) ?? [])]),
];

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
  order_by: [[isByCountry(filters) ? 'installs' : 'spend', 'desc']],
  limit: MAX_ROWS,
  include: ['totals'],
});

/** The same by campaign alone, by which changes are measured. */
export const changeQuestion = (question: Question): Question => ({
  ...question,
  dimensions: ['campaign'],
  include: question.include?.filter((one) => one !== 'totals') ?? [],
});

/** How much of their cost the installs of each campaign had paid back by a day. */
export const cohortQuestion = ({ period, filters = [] }: Omit<Asked, 'metrics'>, day: number): Question => ({
  source: 'app',
  metrics: cohortMetrics(day),
  dimensions: ['campaign'],
  filters: filters.map((filter) => [...filter]),
  from: period.from,
  to: period.to,
  limit: MAX_ROWS,
  include: ['totals'],
});

/** The same of what no campaign is credited with: one row. */
export const ofOrganic = (question: Question): Question => ({
  ...question,
  filters: [...(question.filters ?? []), ['is', 'campaign', ['organic']]],
  include: ['organic'],
});

/** The ad sets of a campaign, or the ads of one of its ad sets; with a day, what these had paid back by it. */
export const partsQuestion = (
  { period, metrics, filters = [] }: Asked,
  path: readonly string[],
  day?: number,
): Question => {
  const [campaign = '', adSet] = path;
  return {
    source: 'app',
    metrics: day === undefined ? [...metrics] : cohortMetrics(day),
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

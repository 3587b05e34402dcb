/** The statements of queries: the steps that a question needs, each a file of clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery, readStepwiseQuery, type Steps } from '../db/sql';
import type { Statement } from '../reporting/query-budget';
import type { Query, Range } from './input';
import { storableDay } from '../time';
import { OF_INSTALLS, type Fact } from './metrics';

/** What is known of the project whose figures are asked for. */
export interface ProjectRow extends Row {
  timezone: string;
  currency: string;
  /** Whether journeys were derived with all that queries read. */
  is_derived: boolean;
  /** Receipt time, in milliseconds, up to which everything accepted is in the figures; null before the first. */
  complete_until: number | null;
}

export interface ResultRow extends Row {
  dimensions: string[];
  labels: string[];
  metrics: (number | null)[];
  /** Of all pages. */
  total: number;
  left_out: string[];
}

const projectText = readQuery('sql', 'query.project');

export const readProject = async (db: Queryable, projectId: number) =>
  (await db.rows<ProjectRow>(projectText, [projectId]))[0] as ProjectRow;

/** What a question is about, as its statement binds it. */
export interface Parameters {
  readonly project_id: number;
  readonly today: string;
  readonly timezone: string;
  readonly currency: string;
}

const EXPRESSIONS = { passes: 'query.passes', moved: 'query.moved', key_of: 'query.key-of' };

/** The files that answer a question: what it does not ask for is left out, since each step costs its planning. */
function stepsOf(query: Query): Steps {
  const { metrics, dimensions, filters } = query;
  const asked = new Set<Fact>(metrics.flatMap((metric) => metric.facts));
  const used = [...dimensions, ...filters.map((filter) => filter.dimension)];
  const parts = partsOf(query);
  const needs = (pattern: RegExp) => parts.some((part) => pattern.test(part));
  const isHourly = dimensions.includes('hour');
  const amounts = [
    ...(needs(/^(revenue|revenue_\d+|amount:.*)$/s) ? ['query.step-money'] : []),
    ...(needs(/^(spend|cohort_spend)$/) ? ['query.step-spent'] : []),
  ];
  const facts = [
    ...(needs(/^(starts|cohort|mature_\d+)$/) || asked.has('starts') ? ['query.step-starts'] : []),
    ...(needs(/^(signups|uninstalls|payments|users_of:.*|event:.*)$/s) ? ['query.step-happenings'] : []),
    ...(asked.has('clicks') ? [isHourly ? 'query.step-clicks-by-hour' : 'query.step-clicks'] : []),
    ...(needs(/^impressions$/) || (asked.has('clicks') && !isHourly) ? ['query.step-ad-network'] : []),
    ...(amounts.length > 0 ? ['query.step-converted'] : []),
  ];
  return {
    campaigns: 'query.step-campaigns',
    journey_rows: used.some((dimension) => OF_INSTALLS.includes(dimension))
      ? 'query.step-journey-rows-with-installs'
      : 'query.step-journey-rows',
    journeys: 'query.step-journeys',
    spend: 'query.step-spend',
    ...(amounts.length > 0 ? { amounts, priced: 'app-report.step-priced' } : {}),
    facts,
    grouped: 'query.step-grouped',
    measured: 'query.step-measured',
    sortable: 'query.step-sortable',
  };
}

const statement = (name: 'query.page' | 'query.rows', query: Query): Statement => ({
  name,
  text: readStepwiseQuery('clickhouse', name, stepsOf(query), EXPRESSIONS),
});

/** One page of rows, with their number over all pages. */
export const pageStatement = (query: Query) => statement('query.page', query);
/** All rows, for files. */
export const rowsStatement = (query: Query) => statement('query.rows', query);

/** Everything that the metrics are computed from. */
const partsOf = ({ metrics }: Query) => [
  ...new Set(metrics.flatMap(({ part, divisor }) => [part, divisor]).filter((part) => part !== '')),
];

const daysOf = (parts: readonly string[], pattern: RegExp) =>
  [...new Set(parts.flatMap((part) => pattern.exec(part)?.[1] ?? []).map(Number))].sort((a, b) => a - b);
const namesOf = (parts: readonly string[], pattern: RegExp) => [
  ...new Set(parts.flatMap((part) => pattern.exec(part)?.[1] ?? [])),
];

/** The parameters of a statement, for the days of the question or of the range that it is compared with. */
export function bind(
  query: Query,
  about: Parameters,
  range: Range & { readonly days?: number; readonly years?: number } = query,
) {
  const parts = partsOf(query);
  const cohortDays = daysOf(parts, /^revenue_(\d+)$/);
  const orders = [...query.orderBy];
  while (orders.length < 3) orders.push({ name: '', descending: false });
  const used = [...query.dimensions, ...query.filters.map((filter) => filter.dimension)];
  return {
    ...about,
    view: query.view,
    from: storableDay(range.from),
    to: storableDay(range.to),
    moved_days: range.days ?? 0,
    moved_years: range.years ?? 0,
    organic: query.include.includes('organic'),
    dimensions: query.dimensions,
    metrics: query.metrics.map((metric) => metric.name),
    filter_dimensions: query.filters.map((filter) => filter.dimension),
    filter_operators: query.filters.map((filter) => filter.operator),
    filter_values: query.filters.map((filter) => filter.values),
    by_platform: used.includes('platform'),
    by_keyword: used.includes('keyword'),
    // What happens is counted once, under the name of what it is.
    parts: parts.map((part) => (part === 'users_of:active_users' ? 'active_users' : part)),
    events: namesOf(parts, /^(?:users_of:)?event:(.*)$/s),
    priced_events: namesOf(parts, /^amount:(.*)$/s),
    retention_days: daysOf(parts, /^mature_(\d+)$/),
    cohort_days: cohortDays,
    cohort_day: Math.max(0, ...cohortDays),
    numerators: query.metrics.map((metric) => metric.part),
    divisors: query.metrics.map((metric) => metric.divisor),
    factors: query.metrics.map((metric) => metric.factor),
    decimals: query.metrics.map((metric) => metric.decimals),
    order: orders.map((one) => one.name),
    descending: orders.map((one) => one.descending),
    only: [] as string[][],
    limit: query.limit,
    offset: query.offset,
  };
}

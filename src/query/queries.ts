/** The statements of queries: the steps that a question needs, each a file of clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery, readStepwiseQuery, type Files, type Steps } from '../db/sql';
import type { Statement } from '../reporting/query-budget';
import type { Query, Range } from './input';
import { storableDay } from '../time';
import { pauseParams, type PauseRow } from '../web-report/queries';
import { CAMPAIGN, COUNTRY, INSTALL, OF_DECISIONS, OF_DEVICES, TIMES } from './app-metrics';
import { passesOf } from './passes';
import { webExpressions, webSteps } from './web-steps';

/** What is known of the project whose figures are asked for. */
export interface ProjectRow extends Row {
  timezone: string;
  currency: string;
  /** Whether what the source is derived from was derived with all that queries read. */
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

const projectTexts = { app: readQuery('sql', 'query.project'), web: readQuery('sql', 'query.project-of-web') };

export const readProject = async (db: Queryable, projectId: number, source: Query['source']) =>
  (await db.rows<ProjectRow>(projectTexts[source], [projectId]))[0] as ProjectRow;

/** What a question is about, as its statement binds it. */
export interface Parameters {
  readonly project_id: number;
  readonly today: string;
  readonly timezone: string;
  readonly currency: string;
  /** Of web queries: when campaigns were paused, which does not count. */
  readonly pauses: readonly PauseRow[];
}

/** The functions that app queries use; what a question does not ask for costs no planning. */
function appExpressions(query: Query): Files {
  const groupsBy = (some: readonly string[]) => query.dimensions.some((dimension) => some.includes(dimension));
  return {
    passes: passesOf(query.filters),
    moved: 'query.moved',
    campaign_key_of: groupsBy(CAMPAIGN) ? 'query.campaign-key-of' : 'query.no-campaign-key',
    install_key_of: groupsBy([...COUNTRY, ...INSTALL]) ? 'query.install-key-of' : 'query.no-install-key',
    time_key_of: groupsBy(TIMES) ? 'query.time-key-of' : 'query.no-time-key',
    key_of: 'query.key-of',
  };
}

/** The files that answer a question: what it does not ask for is left out, since each step costs its planning. */
function appSteps(query: Query): Steps {
  const { metrics, dimensions } = query;
  const asked = new Set(metrics.flatMap((metric) => metric.facts));
  const used = usedOf(query);
  const parts = partsOf(query);
  const asksFor = (some: readonly string[]) => used.some((dimension) => some.includes(dimension));
  const needs = (pattern: RegExp) => parts.some((part) => pattern.test(part));
  // Of which the clicks by day know nothing.
  const isOfClicks = dimensions.includes('hour') || used.includes('country');
  const amounts = [
    ...(needs(/^(revenue|revenue_\d+|amount:.*)$/s) ? ['query.step-money'] : []),
    ...(needs(/^(spend|cohort_spend)$/) ? ['query.step-spent'] : []),
  ];
  const facts = [
    ...(needs(/^(starts|cohort|mature_\d+)$/) || asked.has('starts') ? ['query.step-starts'] : []),
    ...(needs(/^(signups|uninstalls|payments|users_of:.*|event:.*)$/s) ? ['query.step-happenings'] : []),
    ...(asked.has('clicks') ? [isOfClicks ? 'query.step-clicks-themselves' : 'query.step-clicks'] : []),
    ...(needs(/^impressions$/) || (asked.has('clicks') && !isOfClicks) ? ['query.step-ad-network'] : []),
    ...(amounts.length > 0 ? ['query.step-converted'] : []),
  ];
  const plain = asksFor(OF_DECISIONS) ? 'query.step-journey-rows-decided' : 'query.step-journey-rows';
  const journeys: Steps = {
    ...(asksFor(OF_DEVICES)
      ? { plain_rows: plain, journey_rows: 'query.step-journey-rows-of-devices' }
      : { journey_rows: plain }),
    journeys: 'query.step-journeys',
  };
  const reads = (...files: readonly string[]) => [...amounts, ...facts].some((file) => files.includes(file));
  return {
    campaigns: 'query.step-campaigns',
    ...(reads('query.step-starts', 'query.step-happenings', 'query.step-money') ? journeys : {}),
    ...(reads('query.step-ad-network', 'query.step-spent') ? { spend: 'query.step-spend' } : {}),
    ...(amounts.length > 0 ? { amounts, priced: 'app-report.step-priced' } : {}),
    facts,
    grouped: 'query.step-grouped',
    measured: 'query.step-measured',
    sortable: 'query.step-sortable',
  };
}

const statement = (name: 'query.page' | 'query.rows', query: Query, { pauses }: Parameters): Statement => ({
  name,
  text:
    query.source === 'app'
      ? readStepwiseQuery('clickhouse', name, appSteps(query), appExpressions(query))
      : readStepwiseQuery(
          'clickhouse',
          name,
          webSteps(partsOf(query)),
          webExpressions(query.filters, pauses.length > 0),
        ),
});

/** One page of rows, with their number over all pages. */
export const pageStatement = (query: Query, about: Parameters) => statement('query.page', query, about);
/** All rows, for files. */
export const rowsStatement = (query: Query, about: Parameters) => statement('query.rows', query, about);

/** The dimensions of rows and filters. */
const usedOf = ({ dimensions, filters }: Query) => [...dimensions, ...filters.map((filter) => filter.dimension)];

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
  { pauses, ...about }: Parameters,
  range: Range & { readonly days?: number; readonly years?: number } = query,
) {
  const parts = partsOf(query);
  const cohortDays = daysOf(parts, /^revenue_(\d+)$/);
  const orders = [...query.orderBy];
  while (orders.length < 3) orders.push({ name: '', descending: false });
  const used = usedOf(query);
  return {
    ...about,
    ...pauseParams(pauses),
    view: query.view,
    model: query.model,
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

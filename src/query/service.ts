/** Answers a question: a page of rows, the same of a range to compare with, totals (docs/contract.md, Queries). */
import type { Postgres } from '../db/postgres';
import { UnavailableError } from '../errors';
import type { QueryBudget } from '../reporting/query-budget';
import { addDays, dayIn } from '../time';
import { readPauses } from '../web-report/queries';
import { resolved, type Query } from './input';
import type { Metric } from './metrics';
import { bind, pageStatement, readProject, type Parameters, type ResultRow } from './queries';

export interface QueryOptions {
  readonly postgres: Postgres;
  /** @throws UnavailableError when the derived tables lack something of the project. */
  readonly mustBeComplete: Readonly<Record<Query['source'], (projectId: number) => Promise<void>>>;
  /** Brings what web queries read up to what has been acknowledged. */
  readonly catchUp: () => Promise<void>;
  /** Brings campaigns and exchange rates in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
  readonly now: () => number;
}

export interface Answer {
  readonly results: readonly {
    readonly dimensions: readonly string[];
    readonly labels: readonly string[];
    readonly metrics: readonly (number | null)[];
    readonly comparison?: readonly (number | null)[];
  }[];
  readonly totals?: readonly (number | null)[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** What a statement is about besides the question, and up to when everything accepted is in the figures. */
export interface Prepared {
  readonly about: Parameters;
  readonly completeUntil: string | null;
}

/**
 * Brings what the question reads up to date, before it takes its place among the reports.
 *
 * @throws UnavailableError while the figures lack something of the project.
 */
export async function prepare(options: QueryOptions, projectId: number, source: Query['source']): Promise<Prepared> {
  const { postgres, mustBeComplete, catchUp, syncConfiguration, now } = options;
  if (source === 'web') await catchUp();
  const [project, pauses] = await Promise.all([
    readProject(postgres, projectId, source),
    source === 'web' ? readPauses(postgres, projectId) : [],
    mustBeComplete[source](projectId),
    syncConfiguration(),
  ]);
  if (!project.is_derived)
    throw new UnavailableError(`What queries of source ${source} read is not derived yet for project ${projectId}`);
  const { timezone, currency, complete_until } = project;
  return {
    about: { project_id: projectId, today: dayIn(timezone, now()), timezone, currency, pauses },
    completeUntil: complete_until === null ? null : new Date(complete_until).toISOString(),
  };
}

/** @throws OverBudgetError when it takes more than a report may, UnavailableError when an engine does not answer. */
export async function answer(budget: QueryBudget, { about, completeUntil }: Prepared, query: Query): Promise<Answer> {
  const rows = await budget.rows<ResultRow>(pageStatement(query, about), bind(query, about));
  const compared = await comparisonOf(budget, query, about, rows);
  const totals = query.include.includes('totals') ? await totalsOf(budget, query, about) : undefined;
  const unconverted = [...new Set([...rows.flatMap((row) => row.left_out), ...(totals?.left_out ?? [])])].sort();
  return {
    results: rows.map(({ dimensions, labels, metrics }) => ({
      dimensions,
      labels,
      metrics,
      ...(compared ? { comparison: compared.get(keyOf(dimensions)) ?? nothing(query.metrics) } : {}),
    })),
    ...(totals ? { totals: totals.metrics } : {}),
    meta: {
      rows: await countOf(budget, query, about, rows),
      currency: about.currency,
      timezone: about.timezone,
      ...(unconverted.length > 0 ? { unconverted_currencies: unconverted } : {}),
      complete_until: completeUntil,
      ...maturity(query, about),
    },
    query: resolved(query),
  };
}

const keyOf = (dimensions: readonly string[]) => JSON.stringify(dimensions);

/** The metrics of a row of which there is nothing. */
const nothing = (metrics: readonly Metric[]) => metrics.map(({ divisor }) => (divisor === '' ? 0 : null));

/** A page beyond the last row does not say how many there are. */
async function countOf(budget: QueryBudget, query: Query, about: Parameters, rows: readonly ResultRow[]) {
  if (rows[0]) return rows[0].total;
  if (query.offset === 0) return 0;
  const first = { ...query, limit: 1, offset: 0 };
  const [row] = await budget.rows<ResultRow>(pageStatement(first, about), bind(first, about));
  return row?.total ?? 0;
}

/** The metrics of the same rows in the range to compare with, by their dimensions. */
async function comparisonOf(
  budget: QueryBudget,
  query: Query,
  about: Parameters,
  rows: readonly ResultRow[],
): Promise<Map<string, (number | null)[]> | undefined> {
  if (!query.compare) return undefined;
  if (rows.length === 0) return new Map();
  const before = await budget.rows<ResultRow>(pageStatement(query, about), {
    ...bind(query, about, query.compare),
    only: rows.map((row) => row.dimensions),
    limit: rows.length,
    offset: 0,
  });
  return new Map(before.map((row) => [keyOf(row.dimensions), row.metrics]));
}

/** Over all rows, computed as one group: those of whom a row counts are counted once. */
async function totalsOf(budget: QueryBudget, query: Query, about: Parameters) {
  const whole: Query = { ...query, dimensions: [], orderBy: [], limit: 1, offset: 0 };
  // By days since the start every install would count once a day.
  if (query.dimensions.includes('day_n')) return { metrics: query.metrics.map(() => null), left_out: [] };
  const [row] = await budget.rows<ResultRow>(pageStatement(whole, about), {
    ...bind(whole, about),
    // Spend by keyword or platform is of other rows than spend in general.
    by_platform: bind(query, about).by_platform,
    by_keyword: bind(query, about).by_keyword,
  });
  return row ?? { metrics: nothing(query.metrics), left_out: [] };
}

/** The last day whose installs count for all cohort metrics of the question. */
function maturity(query: Query, about: Parameters): Record<string, string> {
  const { retention_days, cohort_days } = bind(query, about);
  const greatest = Math.max(-1, ...retention_days, ...cohort_days);
  return greatest < 0 ? {} : { cohorts_mature_until: addDays(about.today, -greatest - 1) };
}

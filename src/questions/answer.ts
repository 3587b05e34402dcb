/** Answers a question: a page of rows, the same of a range to compare with, totals (docs/contract/queries.md). */
import type { Postgres, Row } from '../db/postgres';
import { UnavailableError } from '../errors';
import type { QueryBudget } from '../reporting/query-budget';
import { addDays, dayIn } from '../lib/time';
import { readPauses } from '../figures/pauses';
import { resolved, unknownIn, type Query } from './query-input';
import type { Statement } from '../figures/compile';
import { withValues } from '../figures/literals';
import type { Metric } from '../figures/model';
import { readProject, buildStatement, type Parameters, type Part } from './statements';

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
  /** The statement of the rows, values written in, over views of `analytics`. */
  readonly sql?: string;
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

/** A row of the answer. */
interface Result {
  readonly dimensions: readonly string[];
  readonly labels: readonly string[];
  readonly metrics: readonly (number | null)[];
}

/** The rows of a part of the answer; where it is a page, with the number of all rows and the currencies left out. */
async function readRows(budget: QueryBudget, query: Query, about: Parameters, part: Part) {
  const { text, params, columns, mayLack } = buildStatement(query, about, part);
  type Extended = Row & { total?: number; left_out?: string[]; unknown?: string[] };
  const rows = await budget.rows<Extended>({ name: 'query', text }, params);
  return {
    rows: rows.map((row) => toResult(row, columns)),
    total: rows[0]?.total,
    leftOut: rows[0]?.left_out ?? [],
    unknown: (rows[0]?.unknown ?? []).filter((name) => name !== ''),
    mayLack,
  };
}

function toResult(row: Row, { dimensions, labels, metrics }: Statement['columns']): Result {
  const values = dimensions.map((name) => String(row[name]));
  return {
    dimensions: values,
    labels: labels.map((name, at) => (name === undefined ? (values[at] as string) : String(row[name]))),
    metrics: metrics.map((name) => row[name] as number | null),
  };
}

/** @throws OverBudgetError when it takes more than a report may, UnavailableError when an engine does not answer. */
export async function answer(budget: QueryBudget, { about, completeUntil }: Prepared, query: Query): Promise<Answer> {
  const wantsTotals = query.include.includes('totals');
  // Both at once: together they take as long as the slower one.
  const [page, sums] = await Promise.all([
    readRows(budget, query, about, { isPage: true }),
    wantsTotals ? readTotals(budget, query, about) : undefined,
  ]);
  const compared = await readComparison(budget, query, about, page.rows);
  // Without rows the totals tell whether there is nothing, or nothing that is known.
  const totals = sums ?? (page.mayLack && page.rows.length === 0 ? await readTotals(budget, query, about) : undefined);
  const unknown = new Set([
    ...unknownIn(query),
    ...page.unknown,
    ...(compared?.unknown ?? []),
    ...(totals?.unknown ?? []),
  ]);
  const unconverted = [...new Set([...page.leftOut, ...(totals?.leftOut ?? [])])].sort();
  return {
    results: page.rows.map((row) => ({
      ...row,
      ...(compared
        ? { comparison: compared.rows.get(encodeDimensions(row.dimensions)) ?? nothing(query.metrics, unknown) }
        : {}),
    })),
    ...(wantsTotals ? { totals: totals?.rows[0]?.metrics ?? nothing(query.metrics, unknown) } : {}),
    meta: {
      rows: page.total ?? (await countRows(budget, query, about)),
      currency: about.currency,
      timezone: about.timezone,
      ...(unconverted.length > 0 ? { unconverted_currencies: unconverted } : {}),
      ...(unknown.size > 0
        ? { unknown: query.metrics.map(({ name }) => name).filter((name) => unknown.has(name)) }
        : {}),
      complete_until: completeUntil,
      ...maturity(query, about),
    },
    query: resolved(query),
    ...(query.include.includes('sql') ? { sql: shownSql(query, about) } : {}),
  };
}

/** The statements that an answer is made of, but for a page of its comparison, which reads the same tables. */
export function listStatements(query: Query, about: Parameters): Pick<Statement, 'text' | 'params'>[] {
  const parts: Part[] = [{ isPage: true }, totalsPart(query)];
  return parts.map((part) => {
    const { text, params } = buildStatement(query, about, part);
    return { text, params };
  });
}

/** What a reader of the project would run to get the same rows. */
function shownSql(query: Query, about: Parameters): string {
  const { text, params } = buildStatement(query, about, { place: 'analytics' });
  return withValues(text, params);
}

const encodeDimensions = (dimensions: readonly string[]) => JSON.stringify(dimensions);

/** The metrics of a row of which there is nothing. */
const nothing = (metrics: readonly Metric[], unknown: ReadonlySet<string>) =>
  metrics.map(({ name, divisor }) => (divisor || unknown.has(name) ? null : 0));

/** A page beyond the last row does not say how many there are. */
async function countRows(budget: QueryBudget, query: Query, about: Parameters): Promise<number> {
  if (query.offset === 0) return 0;
  return (await readRows(budget, query, about, { isPage: true, limit: 1, offset: 0 })).total ?? 0;
}

/** The metrics of the same rows in the range to compare with, by their dimensions. */
async function readComparison(budget: QueryBudget, query: Query, about: Parameters, rows: readonly Result[]) {
  const { compare } = query;
  if (!compare) return undefined;
  if (rows.length === 0) return { rows: new Map<string, readonly (number | null)[]>(), unknown: [] };
  const before = await readRows(budget, query, about, {
    isPage: true,
    range: compare,
    moved: compare,
    only: rows.map((row) => row.dimensions),
    limit: rows.length,
    offset: 0,
  });
  return { ...before, rows: new Map(before.rows.map((row) => [encodeDimensions(row.dimensions), row.metrics])) };
}

/** Over all rows, computed as one group: those of whom a row counts are counted once. */
async function readTotals(budget: QueryBudget, query: Query, about: Parameters) {
  // By days since the start every install would count once a day.
  if (query.dimensions.includes('day_n'))
    return { rows: [{ metrics: query.metrics.map(() => null) }], leftOut: [], unknown: [] };
  return readRows(budget, query, about, totalsPart(query));
}

const totalsPart = ({ dimensions }: Query): Part => ({ isPage: true, totalsOver: dimensions, limit: 1, offset: 0 });

/** The last day whose installs count for all cohort metrics of the question. */
function maturity(query: Query, about: Parameters): Record<string, string> {
  const greatest = Math.max(-1, ...query.metrics.flatMap(({ day }) => day ?? []));
  return greatest < 0 ? {} : { cohorts_mature_until: addDays(about.today, -greatest - 1) };
}

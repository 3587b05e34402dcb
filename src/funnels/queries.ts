/** The queries behind funnels, one function per statement of sql/queries and clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery, type Steps } from '../db/sql';
import { storableDay } from '../lib/time';
import type { QueryBudget } from '../reporting/query-budget';
import type { Funnel } from './input';

export interface ProjectRow extends Row {
  timezone: string;
  settled: number | null;
}
const projectText = readQuery('sql', 'funnels.project');
export const readProject = async (db: Queryable, projectId: number) =>
  (await db.rows<ProjectRow>(projectText, [projectId]))[0] as ProjectRow;

export interface FunnelRow extends Row {
  dimensions: string[];
  labels: string[];
  /** By step. */
  installs: number[];
  /** In milliseconds from the step before, from the second step on, as far as anybody came. */
  medians: number[];
  means: number[];
}

const STEPS: Steps = {
  members: 'funnels.step-members',
  chosen: 'funnels.step-chosen',
  happened: 'funnels.step-happened',
  attempts: 'funnels.step-attempts',
};
const rowsStatement = { name: 'funnels.rows', text: readQuery('clickhouse', 'funnels.rows', STEPS) };
const countStatement = { name: 'funnels.count-rows', text: readQuery('clickhouse', 'funnels.count-rows', STEPS) };

export interface Asked {
  readonly projectId: number;
  readonly timezone: string;
  readonly funnel: Funnel;
}

/** @param dimensions what rows are grouped by: those of the question, or none for all in one */
function toParams({ projectId, timezone, funnel }: Asked, dimensions: readonly string[]) {
  const used = [...dimensions, ...funnel.filters.map(({ dimension }) => dimension)];
  return {
    project_id: projectId,
    timezone,
    from: storableDay(funnel.from),
    to: storableDay(funnel.to),
    types: funnel.steps.map(({ type }) => type),
    names: funnel.steps.map(({ name }) => name),
    window: funnel.windowSeconds,
    is_strict: funnel.order === 'strict',
    dimensions,
    operators: funnel.filters.map(({ operator }) => operator),
    filtered: funnel.filters.map(({ dimension }) => dimension),
    wanted: funnel.filters.map(({ values }) => values),
    uses_country: used.includes('country'),
    limit: funnel.limit,
  };
}

export const readRows = (budget: QueryBudget, asked: Asked, dimensions: readonly string[]) =>
  budget.rows<FunnelRow>(rowsStatement, toParams(asked, dimensions));

export const countRows = async (budget: QueryBudget, asked: Asked) =>
  (await budget.rows<Row & { rows: number }>(countStatement, toParams(asked, asked.funnel.dimensions)))[0]?.rows ?? 0;

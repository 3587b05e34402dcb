/** Answers a question about a funnel: rows, all of them together, and what is known of the time (docs/contract/). */
import type { Postgres } from '../db/postgres';
import { addDays, dayIn } from '../lib/time';
import type { QueryBudget } from '../reporting/query-budget';
import { resolved, type Funnel } from './input';
import { countRows, readProject, readRows, type FunnelRow, type ProjectRow } from './queries';

export interface FunnelOptions {
  readonly postgres: Postgres;
  /** @throws UnavailableError when installs of the project are not decided yet that were before. */
  readonly mustBeComplete: (projectId: number) => Promise<void>;
  /** Brings the campaigns in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
  readonly now: () => number;
}

/** What is known of the project, before the work takes its place among the reports. */
export async function prepare(
  { postgres, mustBeComplete, syncConfiguration }: FunnelOptions,
  projectId: number,
): Promise<ProjectRow> {
  const [project] = await Promise.all([
    readProject(postgres, projectId),
    mustBeComplete(projectId),
    syncConfiguration(),
  ]);
  return project;
}

interface StepFigures {
  readonly installs: number;
  readonly conversion: number | null;
  readonly conversion_from_previous: number | null;
  readonly median_seconds: number | null;
  readonly average_seconds: number | null;
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100);
const seconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms) / 1000);

/** The first step has no time: it begins. */
function presentSteps({ installs, medians, means }: Pick<FunnelRow, 'installs' | 'medians' | 'means'>): StepFigures[] {
  const first = installs[0] ?? 0;
  return installs.map((count, at) => ({
    installs: count,
    conversion: percent(count, first),
    conversion_from_previous: percent(count, at === 0 ? first : (installs[at - 1] ?? 0)),
    median_seconds: at === 0 ? null : seconds(medians[at - 1]),
    average_seconds: at === 0 ? null : seconds(means[at - 1]),
  }));
}

/** The last day whose attempts have had their whole window. */
const findMatureDay = (funnel: Funnel, timezone: string, now: number) =>
  addDays(dayIn(timezone, now - funnel.windowSeconds * 1000), -1);

/** @throws OverBudgetError when it takes more than a report may. */
export async function answer(
  budget: QueryBudget,
  projectId: number,
  { timezone, settled }: ProjectRow,
  funnel: Funnel,
  now: number,
) {
  const asked = { projectId, timezone, funnel };
  const [all] = await readRows(budget, asked, []);
  const hasRows = funnel.dimensions.length > 0;
  const rows = hasRows ? await readRows(budget, asked, funnel.dimensions) : all ? [all] : [];
  const isCut = hasRows && rows.length === funnel.limit;
  return {
    results: rows.map((row) => ({ dimensions: row.dimensions, labels: row.labels, steps: presentSteps(row) })),
    totals: presentSteps(all ?? { installs: funnel.steps.map(() => 0), medians: [], means: [] }),
    meta: {
      rows: isCut ? await countRows(budget, asked) : rows.length,
      timezone,
      complete_until: settled === null ? null : new Date(settled).toISOString(),
      windows_ended_until: findMatureDay(funnel, timezone, now),
    },
    query: resolved(funnel),
  };
}

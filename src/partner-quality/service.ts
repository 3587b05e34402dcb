/** How good the traffic of each partner of a project is. */
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { QueryBudget } from '../reporting/query-budget';
import { storableDay } from '../lib/time';
import type { QualityInput } from './input';
import * as queries from './queries';
import { MANY_INSTALLS, SLOTS } from './slots';

export interface QualityOptions {
  readonly postgres: Postgres;
  /** @throws UnavailableError when the derived tables lack something of the project. */
  readonly mustBeComplete: (projectId: number) => Promise<void>;
  /** Brings the campaigns in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
}

export interface Prepared {
  readonly project: queries.ProjectRow;
  readonly partners: readonly queries.PartnerRow[];
}

export interface Quality extends Prepared {
  readonly touches: readonly queries.TouchesRow[];
  readonly requests: readonly queries.RequestsRow[];
  readonly installs: readonly queries.InstallsRow[];
}

/**
 * The partners that are asked for, and what is known of the project, before the work takes its place among the reports.
 *
 * @throws ApiError 404 for a partner that has nothing to do with the project, UnavailableError while figures lack
 * something.
 */
export async function prepare(
  { postgres, mustBeComplete, syncConfiguration }: QualityOptions,
  projectId: number,
  { partner_id }: QualityInput,
): Promise<Prepared> {
  const [project, all] = await Promise.all([
    queries.readProject(postgres, projectId),
    queries.readPartners(postgres, projectId),
    mustBeComplete(projectId),
    syncConfiguration(),
  ]);
  const partners = partner_id === undefined ? all : all.filter(({ id }) => id === partner_id);
  if (partner_id !== undefined && partners.length === 0) throw new ApiError(404, 'Partner not found.');
  return { project, partners };
}

/** @throws OverBudgetError when it takes more than a report may. */
export async function quality(
  budget: QueryBudget,
  { project, partners }: Prepared,
  projectId: number,
  { from, to }: QualityInput,
): Promise<Quality> {
  const scope: queries.Scope = {
    project_id: projectId,
    partners: partners.map(({ id }) => id),
    from: storableDay(from),
    to: storableDay(to),
    timezone: project.timezone,
    edges: SLOTS.slice(1).map(({ from }) => from),
    many: MANY_INSTALLS,
  };
  return {
    project,
    partners,
    touches: await queries.readTouches(budget, scope),
    requests: await queries.readRequests(budget, scope),
    installs: await queries.readInstalls(budget, scope),
  };
}

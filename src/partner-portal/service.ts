/** What a partner can know of its own traffic, over all advertisers that work with it. */
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { presentPagination, type Page, type Pagination } from '../lib/page';
import type { ReportRunner } from '../reporting/report-runner';
import type { DayRange } from '../lib/parameters';
import { storableDay } from '../lib/time';
import type { ProjectDays, TrafficInput } from './input';
import * as queries from './queries';

export interface PortalOptions {
  readonly postgres: Postgres;
  readonly reports: ReportRunner;
  /** Brings the campaigns in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
}

export interface Traffic {
  readonly touches: readonly queries.TouchesRow[];
  readonly requests: readonly queries.RequestsRow[];
  readonly installs: readonly queries.InstallsRow[];
  readonly events: readonly queries.EventsRow[];
  readonly completeUntil: number | null;
}

async function mustExist(postgres: Postgres, partnerId: number): Promise<void> {
  if (!(await queries.partnerExists(postgres, partnerId))) throw new ApiError(404, 'Partner not found.');
}

/** @throws ApiError 404 when there is no such partner, or it has nothing to do with the project. */
export async function findProjects(
  postgres: Postgres,
  partnerId: number,
  projectId: number | undefined,
): Promise<queries.ProjectRow[]> {
  await mustExist(postgres, partnerId);
  const projects = await queries.readProjects(postgres, partnerId);
  if (projectId === undefined) return projects;
  const found = projects.filter(({ id }) => id === projectId);
  if (found.length === 0) throw new ApiError(404, 'Project not found.');
  return found;
}

/**
 * One page of the campaigns with `search` in their name or display ID.
 *
 * @throws ApiError 404 when there is no such partner.
 */
export async function listCampaigns(
  { postgres }: Pick<PortalOptions, 'postgres'>,
  partnerId: number,
  search: string,
  page: Page,
): Promise<{ campaigns: queries.CampaignRow[]; pagination: Pagination }> {
  await mustExist(postgres, partnerId);
  const [campaigns, total] = await Promise.all([
    queries.readCampaigns(postgres, partnerId, search, page.limit, page.offset),
    queries.countCampaigns(postgres, partnerId, search),
  ]);
  return { campaigns, pagination: presentPagination(total, page) };
}

/** @throws ApiError 404 for a partner or project that it does not have, 503 beyond the budget of a report. */
export async function traffic(options: PortalOptions, partnerId: number, input: TrafficInput): Promise<Traffic> {
  const projects = await findProjects(options.postgres, partnerId, input.project_id);
  return compute(options, partnerId, projects, input, input.granularity, input.project_id === undefined);
}

/** @throws ApiError 404 when there is no such partner, 503 beyond the budget of a report. */
export async function trafficByProject(options: PortalOptions, partnerId: number, range: DayRange) {
  const projects = await findProjects(options.postgres, partnerId, undefined);
  return { projects, traffic: await compute(options, partnerId, projects, range, 'project', false) };
}

export interface TrafficByCampaign {
  readonly campaigns: readonly queries.CampaignNameRow[];
  readonly traffic: Traffic;
}

/** @throws ApiError 404 for a partner or project that it does not have, 503 beyond the budget of a report. */
export async function trafficByCampaign(
  options: PortalOptions,
  partnerId: number,
  { project_id, ...range }: ProjectDays,
): Promise<TrafficByCampaign> {
  const projects = await findProjects(options.postgres, partnerId, project_id);
  const traffic = await compute(options, partnerId, projects, range, 'campaign', false);
  const slots = [traffic.touches, traffic.requests, traffic.installs, traffic.events].flatMap((rows) =>
    rows.map(({ slot }) => slot),
  );
  return { campaigns: await queries.readCampaignsById(options.postgres, partnerId, [...new Set(slots)]), traffic };
}

async function compute(
  { postgres, reports, syncConfiguration }: PortalOptions,
  partnerId: number,
  projects: readonly queries.ProjectRow[],
  { from, to }: DayRange,
  by: queries.TrafficScope['by'],
  anyProject: boolean,
): Promise<Traffic> {
  await syncConfiguration();
  const completeUntil = await queries.readCompleteUntil(postgres);
  const scope: queries.TrafficScope = {
    partner_id: partnerId,
    projects: projects.map(({ id }) => id),
    from: storableDay(from),
    to: storableDay(to),
    by,
    any_project: anyProject,
  };
  return reports.compute('partner-traffic', async (budget) => ({
    touches: await queries.readTouches(budget, scope),
    requests: await queries.readRequests(budget, scope),
    installs: await queries.readInstalls(budget, scope),
    events: await (by === 'campaign' ? queries.readEventsByCampaign : queries.readEvents)(budget, scope),
    completeUntil,
  }));
}

/** @throws ApiError 404 for a partner or project that it does not have, 503 beyond the budget of a report. */
export async function credited(
  options: PortalOptions,
  partnerId: number,
  input: ProjectDays & { readonly limit: number },
): Promise<{ installs: queries.CreditedRow[]; completeUntil: number | null }> {
  const { postgres, reports, syncConfiguration } = options;
  const projects = await findProjects(postgres, partnerId, input.project_id);
  await syncConfiguration();
  const completeUntil = await queries.readCompleteUntil(postgres);
  const scope = {
    partner_id: partnerId,
    projects: projects.map(({ id }) => id),
    from: storableDay(input.from),
    to: storableDay(input.to),
    limit: input.limit,
  };
  return {
    installs: await reports.compute('partner-credited', (budget) => queries.readCredited(budget, scope)),
    completeUntil,
  };
}

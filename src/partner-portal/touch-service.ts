/** What became of a single touch, and samples of what was refused: for a partner, or for a project. */
import type { Postgres } from '../db/postgres';
import { DAY_MS } from '../lib/time';
import type { Reads } from '../reporting/bounded-reads';
import { UUID_IN_ANY_CASE } from '../lib/uuid';
import type { RefusedInput } from './touch-input';
import * as queries from './touch-queries';
import { findProjects } from './service';

export interface TouchOptions {
  readonly postgres: Postgres;
  readonly clickhouse: Reads;
}

/** Who asks: a partner sees its own alone, and an advertiser those of a project. */
export type Asker = { readonly partner: number } | { readonly project: number };

const MAX_TOUCHES = 20;
const MAX_INSTALLS = 100;
const MAX_REFUSED = 20;
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** No address is matched for longer; a touch can be timed somewhat after the install that looked at it. */
const BEFORE_MS = DAY_MS;
const AFTER_MS = 30 * DAY_MS;

export interface FoundTouches {
  readonly touches: readonly queries.TouchRow[];
  readonly installs: readonly queries.ConsideredRow[];
  readonly refused: readonly queries.RefusedRow[];
  readonly campaigns: ReadonlyMap<number, queries.NamedCampaign>;
  readonly projects: ReadonlyMap<number, string>;
  readonly partners: ReadonlyMap<number, string>;
}

/** @throws ApiError 404 when there is no such partner. */
const listProjectIds = async ({ postgres }: TouchOptions, asker: Asker) =>
  'project' in asker ? [asker.project] : (await findProjects(postgres, asker.partner, undefined)).map(({ id }) => id);

/** @throws ApiError 404 when there is no such partner, 503 for what takes more than it may. */
export async function findTouches(options: TouchOptions, asker: Asker, search: string): Promise<FoundTouches> {
  const { postgres, clickhouse } = options;
  const projects = await listProjectIds(options, asker);
  const partner = 'partner' in asker ? asker.partner : 0;
  const [touches, refused] = await Promise.all([
    queries.readTouches(clickhouse, {
      projects,
      partner,
      search,
      id: UUID_IN_ANY_CASE.test(search) ? search.toLowerCase() : NO_ID,
      limit: MAX_TOUCHES,
    }),
    listRefused(options, asker, { tid: search, limit: MAX_REFUSED }, projects),
  ]);
  const installs = touches.length === 0 ? [] : await readInstalls(clickhouse, touches);
  const ids = (of: 'campaign_id' | 'project_id' | 'partner_id') => [...new Set(touches.map((touch) => touch[of]))];
  const [campaigns, places] = await Promise.all([
    queries.readCampaignNames(postgres, [
      ...new Set([...ids('campaign_id'), ...installs.map((one) => one.campaign_id)]),
    ]),
    queries.readPlaces(postgres, ids('project_id'), ids('partner_id')),
  ]);
  const named = (what: string) =>
    new Map(places.filter((one) => one.what === what).map(({ id, name }) => [id, name] as const));
  return {
    touches,
    installs,
    refused,
    campaigns: new Map(campaigns.map((one) => [one.id, one])),
    projects: named('project'),
    partners: named('partner'),
  };
}

/** Installs by which the touches were considered, whomever they are credited to. */
function readInstalls(clickhouse: Reads, touches: readonly queries.TouchRow[]): Promise<queries.ConsideredRow[]> {
  const times = touches.map(({ touch_ms }) => touch_ms);
  return queries.readConsidered(clickhouse, {
    projects: [...new Set(touches.map(({ project_id }) => project_id))],
    touches: touches.map(({ touch_id }) => touch_id),
    devices: [...new Set(touches.flatMap(({ gaid, idfa }) => [gaid, idfa]).filter((id) => id !== ''))],
    ips: [...new Set(touches.map(({ ip }) => ip).filter((ip) => ip !== ''))],
    from: Math.min(...times) - BEFORE_MS,
    until: Math.max(...times) + AFTER_MS,
    limit: MAX_INSTALLS,
  });
}

/**
 * Samples of refused requests. A partner sees the names of projects that work with it alone.
 *
 * @throws ApiError 404 for a partner or project that it does not have.
 */
export async function findRefused(options: TouchOptions, asker: Asker, input: RefusedInput) {
  const projects = await listProjectIds(options, asker);
  if ('partner' in asker && input.project_id !== undefined)
    await findProjects(options.postgres, asker.partner, input.project_id);
  return listRefused(options, asker, input, projects);
}

async function listRefused(
  { postgres }: TouchOptions,
  asker: Asker,
  input: RefusedInput,
  projects: readonly number[],
): Promise<queries.RefusedRow[]> {
  const { reason, kind, tid, id, before, limit } = input;
  const whose =
    'partner' in asker
      ? { partner: asker.partner, project: input.project_id }
      : { partner: input.partner_id, project: asker.project };
  const rows = await queries.readRefused(postgres, { ...whose, reason, kind, tid, id, before, limit });
  return rows.map((row) =>
    row.project_id !== null && projects.includes(row.project_id) ? row : { ...row, project_id: null, project: null },
  );
}

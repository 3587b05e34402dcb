/**
 * Answers who is attributed to a campaign, to what an install is attributed, and why (docs/contract/attribution.md).
 */
import type { Postgres } from '../db/postgres';
import { presentPagination } from '../lib/page';
import type { Reads } from '../reporting/bounded-reads';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import { errors } from './errors';
import type { ResultInput, UsersInput } from './input';
import * as queries from './queries';
import { attributedUser, attributionResult, explanation, LIMITS } from './presenter';

export interface Engines {
  readonly postgres: Postgres;
  readonly clickhouse: Reads;
}

/** How many installs one query asks for: their IDs can be long, and are part of the URL of the query. */
const PROFILES_PER_QUERY = 50;

/** One page of the users that a campaign is credited with, the latest first. */
export async function listAttributedUsers(
  { postgres, clickhouse }: Engines,
  snapshot: ConfigSnapshot,
  project: Project,
  input: UsersInput,
) {
  const known = snapshot.campaign(project.id, input.displayId);
  const [campaign] = known && !known.deleted ? await queries.readCampaigns(postgres, project.id, [known.id]) : [];
  if (!campaign) throw errors.notFound();
  const selection = { project: project.id, campaign: campaign.id, from: input.from, to: input.to };
  const total = await queries.countUsers(clickhouse, selection);
  const rows = await queries.readUsers(clickhouse, selection, input.page.limit, input.page.offset);
  const profiles = await readProfiles(
    clickhouse,
    project.id,
    rows.map((row) => row.install_id),
  );
  const users = rows.map((row) =>
    attributedUser(row, campaign, project.primaryDomain?.name ?? null, profiles.get(row.install_id) ?? []),
  );
  return { users, pagination: presentPagination(total, input.page) };
}

async function readProfiles(
  clickhouse: Reads,
  projectId: number,
  installs: readonly string[],
): Promise<Map<string, queries.ProfileRow[]>> {
  const profiles = new Map<string, queries.ProfileRow[]>(installs.map((id) => [id, []]));
  for (let i = 0; i < installs.length; i += PROFILES_PER_QUERY) {
    for (const row of await queries.readProfiles(clickhouse, projectId, installs.slice(i, i + PROFILES_PER_QUERY)))
      profiles.get(row.install_id)?.push(row);
  }
  return profiles;
}

/** The attribution of the latest install of a user, else of a device; undefined when none is known or decided. */
export async function findAttribution(
  { postgres, clickhouse }: Engines,
  project: Project,
  { device, user }: ResultInput,
) {
  const byUser = user === undefined ? undefined : await queries.readResult(clickhouse, project.id, ['user'], user);
  const row =
    byUser ??
    (device === undefined ? undefined : await queries.readResult(clickhouse, project.id, ['gaid', 'idfa'], device));
  if (!row) return undefined;
  const [campaign] = row.campaign_id === 0 ? [] : await queries.readCampaigns(postgres, project.id, [row.campaign_id]);
  return attributionResult(
    row,
    campaign,
    project.primaryDomain?.name ?? null,
    await queries.readUserId(clickhouse, project.id, row.install_id),
  );
}

/**
 * Why an install was credited as it was.
 *
 * @throws ApiError 404 when no such install was ever received.
 */
export async function explainInstall({ postgres, clickhouse }: Engines, projectId: number, installId: string) {
  const row = await queries.readExplanation(clickhouse, projectId, installId);
  if (row) {
    const campaigns = await queries.readCampaigns(postgres, projectId, [
      ...new Set(row.candidates.map((one) => one.campaign_id)),
    ]);
    return explanation(row, new Map(campaigns.map((one) => [one.id, one])));
  }
  if (!(await queries.wasReceived(clickhouse, projectId, installId))) throw errors.installNotFound();
  return { install_id: installId, decided: false, install: null, decision: null, candidates: [], limits: LIMITS };
}

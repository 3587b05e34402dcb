/** Lists single installs: which are on the page, and what is known of each (docs/contract/attribution.md). */
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Reads } from '../reporting/bounded-reads';
import { END_OF_TIME, placeText, type ListInput } from './input';
import { presentEvent, presentInstall } from './presenter';
import * as queries from './queries';

export interface Engines {
  readonly postgres: Postgres;
  readonly clickhouse: Reads;
}

const END = { installedMs: END_OF_TIME, installId: '' };
/** Down to the earliest install; what decided ones there are, the search says. */
const EVERYTHING: queries.Candidates = { candidates: [], after_time: 0, after_id: '' };
/** Rows that are read beyond a page at first: an install may have rows that do not count. */
const SPARE_ROWS = 50;
/** As installs.page.sql reads them. */
const ALL = -1;
const ORGANIC = 0;
const CREDITED = -2;

/**
 * One page, the latest first. What is not decided yet is listed too, unless something of the decision is asked for.
 *
 * @throws ApiError 404 when the project has no such campaign.
 */
export async function listInstalls(
  { postgres, clickhouse }: Engines,
  snapshot: ConfigSnapshot,
  projectId: number,
  input: ListInput,
) {
  const { display_id, partner_id, organic, suspicious, limit } = input;
  const before = input.before ?? END;
  const isOfDecision = [display_id, partner_id, organic, suspicious].some((one) => one !== undefined);
  const found = await findPage(clickhouse, {
    project: projectId,
    timezone: await queries.readTimezone(postgres, projectId),
    search: input.search,
    from: input.from,
    to: input.to,
    before_time: before.installedMs,
    before_id: before.installId,
    campaign: findCampaignId(snapshot, projectId, input),
    partner: partner_id ?? 0,
    suspicious: suspicious === undefined ? ALL : Number(suspicious),
    with_undecided: !isOfDecision,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    installs: await describe({ postgres, clickhouse }, projectId, page),
    next_before:
      found.length > limit && last ? placeText({ installedMs: last.installed_ms, installId: last.install_id }) : null,
  };
}

/**
 * The latest events of an install, and how many there are.
 *
 * @throws ApiError 404 when no such install was ever received.
 */
export async function listEvents({ clickhouse }: Engines, projectId: number, installId: string, limit: number) {
  const [events, total] = await Promise.all([
    queries.readEvents(clickhouse, projectId, installId, limit),
    queries.countEvents(clickhouse, projectId, installId),
  ]);
  if (total === 0) throw new ApiError(404, 'Install not found.');
  return { events: events.map(presentEvent), total };
}

function findCampaignId(snapshot: ConfigSnapshot, projectId: number, { display_id, organic }: ListInput): number {
  if (display_id !== undefined) {
    const campaign = snapshot.campaign(projectId, display_id);
    if (!campaign) throw new ApiError(404, 'Campaign not found.');
    if (organic === true) throw new ApiError(400, 'organic: must not be true together with display_id');
    return campaign.id;
  }
  return organic === undefined ? ALL : organic ? ORGANIC : CREDITED;
}

/**
 * The page of a selection. The latest rows are few and quickly found; which of them count, FINAL tells of them alone.
 * Where too few do, more are read.
 */
async function findPage(clickhouse: Reads, selection: queries.Selection): Promise<queries.PageRow[]> {
  if (selection.search !== '') return queries.findPage(clickhouse, selection, EVERYTHING);
  for (let rows = selection.limit + SPARE_ROWS; ; rows *= 4) {
    const latest = await queries.findLatest(clickhouse, selection, rows);
    const last = latest.length < rows ? undefined : latest.at(-1);
    const found = await queries.findPage(clickhouse, selection, {
      candidates: [...new Set(latest.map((row) => row.install_id))],
      after_time: last?.installed_ms ?? EVERYTHING.after_time,
      after_id: last?.install_id ?? EVERYTHING.after_id,
    });
    if (!last || found.length >= selection.limit) return found;
  }
}

async function describe({ postgres, clickhouse }: Engines, projectId: number, page: readonly queries.PageRow[]) {
  const ids = page.map((row) => row.install_id);
  const rows = new Map(
    (ids.length > 0 ? await queries.readInstalls(clickhouse, projectId, ids) : []).map((row) => [row.install_id, row]),
  );
  const numbers = (of: 'campaign_id' | 'partner_id') => [...new Set([...rows.values()].map((row) => row[of]))];
  const [campaigns, partners] = await Promise.all([
    queries.readCampaigns(postgres, projectId, numbers('campaign_id')),
    queries.readPartners(postgres, numbers('partner_id')),
  ]);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [presentInstall(row, campaigns.get(row.campaign_id), partners.get(row.partner_id))] : [];
  });
}

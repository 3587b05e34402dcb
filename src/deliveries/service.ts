/** Searches the log of what was sent, and says what waits (docs/contract/postbacks.md). */
import type { Postgres } from '../db/postgres';
import type { Reads } from '../reporting/bounded-reads';
import { DAY_MS, HOUR_MS } from '../lib/time';
import { encodeCursor } from '../lib/cursor';
import { presentAttempt, presentPending } from './presenter';
import * as queries from './queries';

export interface Engines {
  readonly postgres: Postgres;
  /** ClickHouse, each statement within the limits of a report. */
  readonly clickhouse: Reads;
  readonly now: () => number;
}

/** Whose messages they are: a project's or a partner's. */
export type Whose = { readonly project: number } | { readonly partner: number };

/** A page is looked for among the latest attempts first: mostly it is there. */
const WINDOWS_MS = [HOUR_MS, DAY_MS, 8 * DAY_MS];
/** More than these are not counted. */
const MOST_PENDING = 100_000;

/** One page of attempts, the latest first. */
export async function searchLog(
  { postgres, clickhouse, now }: Engines,
  side: 'project' | 'partner',
  selection: queries.LogSelection,
  code: string,
) {
  const { limit } = selection;
  const campaigns = code === '' ? [] : await findCampaigns(postgres, code, selection);
  const found = await findPage(clickhouse, { ...selection, campaigns, limit: limit + 1 }, now());
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const listIds = (of: 'project_id' | 'partner_id') => [...new Set(page.map((row) => row[of]))];
  const [projects, partners] = await Promise.all([
    queries.readProjectNames(postgres, listIds('project_id')),
    queries.readPartnerNames(postgres, listIds('partner_id')),
  ]);
  return {
    attempts: page.map((row) => presentAttempt(row, side, projects.get(row.project_id), partners.get(row.partner_id))),
    next_before:
      found.length > limit && last ? encodeCursor([last.attempted_ms, last.postback_id, last.attempt]) : null,
  };
}

/** A code that names no campaign has sent nothing. */
async function findCampaigns(
  postgres: Postgres,
  code: string,
  { project, partner }: queries.LogSelection,
): Promise<number[]> {
  const found = await queries.readCampaignIds(postgres, code, project, partner);
  return found.length > 0 ? found : [NO_CAMPAIGN];
}
const NO_CAMPAIGN = 0xffffffff;

async function findPage(clickhouse: Reads, selection: queries.LogSelection, now: number) {
  const newest = Math.min(selection.until, selection.before_time, now);
  // What names a message is found by an index, whenever it was sent.
  const isOfOne = selection.install_id !== '' || selection.tid !== '' || selection.postback_ids.length > 0;
  for (const window of isOfOne ? [] : WINDOWS_MS) {
    const since = newest - window;
    if (since <= selection.since) break;
    const found = await queries.readLog(clickhouse, { ...selection, since });
    if (found.length >= selection.limit) return found;
  }
  return queries.readLog(clickhouse, selection);
}

/** What waits to be sent now, by host. */
export async function readPending({ postgres }: Pick<Engines, 'postgres'>, whose: Whose) {
  const rows =
    'project' in whose
      ? await queries.readPendingOfProject(postgres, whose.project, MOST_PENDING)
      : await queries.readPendingOfPartner(postgres, whose.partner, MOST_PENDING);
  return presentPending(rows, MOST_PENDING);
}

/** Whether there is such a partner. */
export const partnerExists = async ({ postgres }: Pick<Engines, 'postgres'>, id: number) =>
  (await queries.readPartnerNames(postgres, [id])).has(id);

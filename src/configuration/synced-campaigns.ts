/**
 * Campaigns that ad networks own: they come to be when a network first names them, and have the name that it gave them
 * last, until somebody else names them (docs/contract/workspace.md and Collectors).
 */
import type { Postgres, Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';
import { change, SERVICE } from './change';
import { newDisplayId } from './display-id';

/** A campaign as its ad network names it. */
export interface NetworkCampaign {
  readonly projectId: number;
  /** Code of the ad network in capitals, for example META. */
  readonly network: string;
  readonly networkCampaignId: string;
  /** What its network calls it; null where it does not say. A new one is then called by its ID. */
  readonly name: string | null;
  /** Our ID of the account that a new campaign belongs to. */
  readonly networkAccountId?: number | null;
}

const find = readQuery('sql', 'configuration.synced-campaigns');
const create = readQuery('sql', 'configuration.create-synced-campaigns');
const rename = readQuery('sql', 'configuration.rename-synced-campaigns');

type Named = Pick<NetworkCampaign, 'projectId' | 'network' | 'networkCampaignId'>;

/** The key of a network campaign in what `syncCampaigns` returns. */
export const networkCampaignKey = ({ projectId, network, networkCampaignId }: Named) =>
  `${projectId}:${network}:${networkCampaignId}`;

/**
 * Our IDs of network campaigns by `networkCampaignKey`; those that a project does not have are created, and those that
 * are called otherwise by now renamed: of several rows about one the last that names it counts. Two at once create one,
 * because changes of the configuration happen one after the other. A deleted campaign is not found again.
 */
export async function syncCampaigns(
  postgres: Postgres,
  wanted: readonly NetworkCampaign[],
): Promise<Map<string, number>> {
  const byKey = new Map<string, NetworkCampaign>();
  for (const one of wanted) {
    const key = networkCampaignKey(one);
    if (one.name || !byKey.has(key)) byKey.set(key, one);
  }
  const all = [...byKey.values()];
  const found = await findCampaigns(postgres, all);
  if (found.size === all.length && [...found.values()].every((one) => !one.is_renamed)) return readIds(found);
  return change(postgres, SERVICE, async (db, revision) => {
    for (;;) {
      const known = await findCampaigns(db, all);
      const missing = all.filter((one) => !known.has(networkCampaignKey(one)));
      if (missing.length === 0) {
        await db.rows(rename, [JSON.stringify(renamed(known, byKey)), revision]);
        return readIds(known);
      }
      // A random display_id that is taken is as good as impossible, and costs another try.
      await db.rows(create, [JSON.stringify(missing.map(toRow)), revision]);
    }
  });
}

interface Found extends Record<string, unknown> {
  readonly id: number;
  readonly project_id: number;
  readonly network: string;
  readonly network_campaign_id: string;
  readonly is_renamed: boolean;
}

async function findCampaigns(db: Queryable, wanted: readonly NetworkCampaign[]): Promise<Map<string, Found>> {
  if (wanted.length === 0) return new Map();
  const rows = await db.rows<Found>(find, [JSON.stringify(wanted.map(toRow))]);
  return new Map(
    rows.map((row) => [
      networkCampaignKey({
        projectId: row.project_id,
        network: row.network,
        networkCampaignId: row.network_campaign_id,
      }),
      row,
    ]),
  );
}

const readIds = (found: ReadonlyMap<string, Found>) => new Map([...found].map(([key, { id }]) => [key, id]));

const renamed = (found: ReadonlyMap<string, Found>, wanted: ReadonlyMap<string, NetworkCampaign>) =>
  [...found].filter(([, one]) => one.is_renamed).map(([key, { id }]) => ({ id, name: wanted.get(key)?.name }));

const toRow = (one: NetworkCampaign) => ({
  project_id: one.projectId,
  display_id: newDisplayId(),
  name: one.name || null,
  network: one.network,
  network_campaign_id: one.networkCampaignId,
  network_account_id: one.networkAccountId ?? null,
});

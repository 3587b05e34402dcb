/**
 * Campaigns that ad networks own: they come to be when a network first names them (docs/contract.md, Workspace and
 * Collectors).
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
  /** What a new campaign is called; null for its network's ID. */
  readonly name: string | null;
  /** Our ID of the account that a new campaign belongs to. */
  readonly networkAccountId?: number | null;
}

const find = readQuery('sql', 'configuration.synced-campaigns');
const create = readQuery('sql', 'configuration.create-synced-campaigns');

type Named = Pick<NetworkCampaign, 'projectId' | 'network' | 'networkCampaignId'>;

/** The key of a network campaign in what `findOrCreateSyncedCampaigns` returns. */
export const networkCampaignKey = ({ projectId, network, networkCampaignId }: Named) =>
  `${projectId}:${network}:${networkCampaignId}`;

/**
 * Our IDs of network campaigns by `networkCampaignKey`; those that a project does not have are created. Two at once
 * create one, because changes of the configuration happen one after the other. A deleted campaign is not found again.
 */
export async function findOrCreateSyncedCampaigns(
  postgres: Postgres,
  wanted: readonly NetworkCampaign[],
): Promise<Map<string, number>> {
  // Of several rows about one campaign the first that knows its name.
  const byKey = new Map<string, NetworkCampaign>();
  for (const one of wanted) {
    const key = networkCampaignKey(one);
    if (!byKey.get(key)?.name) byKey.set(key, one);
  }
  const all = [...byKey.values()];
  const found = await findCampaigns(postgres, all);
  if (found.size === all.length) return found;
  return change(postgres, SERVICE, async (db, revision) => {
    for (;;) {
      const known = await findCampaigns(db, all);
      const missing = all.filter((one) => !known.has(networkCampaignKey(one)));
      if (missing.length === 0) return known;
      // A random display_id that is taken is as good as impossible, and costs another try.
      await db.rows(create, [JSON.stringify(missing.map(toRow)), revision]);
    }
  });
}

async function findCampaigns(db: Queryable, wanted: readonly NetworkCampaign[]): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map();
  const rows = await db.rows<{ id: number; project_id: number; network: string; network_campaign_id: string }>(find, [
    JSON.stringify(wanted.map(toRow)),
  ]);
  return new Map(
    rows.map((row) => [
      networkCampaignKey({
        projectId: row.project_id,
        network: row.network,
        networkCampaignId: row.network_campaign_id,
      }),
      row.id,
    ]),
  );
}

const toRow = (one: NetworkCampaign) => ({
  project_id: one.projectId,
  display_id: newDisplayId(),
  name: one.name || one.networkCampaignId,
  network: one.network,
  network_campaign_id: one.networkCampaignId,
  network_account_id: one.networkAccountId ?? null,
});

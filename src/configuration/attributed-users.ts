/** How many users campaigns have: the figure of the campaign list, and the set that attributed users lists. */
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';

const text = readQuery('clickhouse', 'configuration.attributed-users');

/**
 * Attributed users by campaign ID, installs and reinstalls (docs/contract/main-api.md); campaigns without any are
 * missing.
 */
export type AttributedUsers = (
  projectId: number,
  campaignIds: readonly number[],
) => Promise<ReadonlyMap<number, number>>;

export const countAttributedUsers =
  (db: ClickHouse): AttributedUsers =>
  async (project, campaigns) => {
    if (campaigns.length === 0) return new Map();
    const rows = await db.rows<{ campaign_id: number; users: number }>(text, { project, campaigns });
    return new Map(rows.map((row) => [row.campaign_id, row.users]));
  };

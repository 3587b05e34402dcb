/** Copies campaigns to ClickHouse as web reports match them, before each report: so it knows of every change. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { copyRows } from './copy-rows';
import { readRevision } from './queries';

const changed = readQuery('sql', 'configuration.changed-web-campaigns');
const copied = readQuery('clickhouse', 'configuration.copied-web-revision');
const columns = [
  'campaign_id',
  'project_id',
  'display_id',
  'name',
  'network',
  'network_campaign_id',
  'utm_ids',
  'deleted',
  'revision',
] as const;

/** A function that copies every campaign that changed since its last call. Safe to run anywhere, any time, twice. */
export function createWebCampaignSync(postgres: Postgres, clickhouse: ClickHouse): () => Promise<void> {
  let known = -1;
  return async () => {
    const revision = await readRevision(postgres);
    if (revision === known) return;
    const since = (await clickhouse.rows<{ revision: number }>(copied))[0]?.revision ?? 0;
    // The greatest revision of a campaign counts.
    await copyRows(clickhouse, 'adtrail.web_campaigns', columns, await postgres.rows(changed, [since]));
    known = revision;
  };
}

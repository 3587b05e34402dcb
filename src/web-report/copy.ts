/** Copies campaigns to ClickHouse as web reports match them, before each report: so it knows of every change. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';

const current = readQuery('sql', 'projects.revision');
const changed = readQuery('sql', 'web-report.changed-campaigns');
const copied = readQuery('clickhouse', 'web-report.copied-revision');
const columns = ['campaign_id', 'project_id', 'display_id', 'name', 'network', 'network_campaign_id', 'utm_ids', 'deleted', 'revision'] as const;
const BATCH = 10_000;

/** A function that copies every campaign that changed since its last call. Safe to run anywhere, any time, twice. */
export function campaignCopier(postgres: Postgres, clickhouse: ClickHouse): () => Promise<void> {
  let known = -1;
  return async () => {
    const revision = (await postgres.rows<{ revision: number }>(current))[0]?.revision ?? 0;
    if (revision === known) return;
    const since = (await clickhouse.rows<{ revision: number }>(copied))[0]?.revision ?? 0;
    const rows = await postgres.rows(changed, [since]);
    // In ascending revision: a copy that breaks off goes on where it stopped. The greatest revision of a campaign counts.
    for (let i = 0; i < rows.length; i += BATCH) {
      const lines = rows.slice(i, i + BATCH).map((row) => JSON.stringify(columns.map((column) => row[column])));
      await clickhouse.insert('adtrail.web_campaigns', columns, lines);
    }
    known = revision;
  };
}

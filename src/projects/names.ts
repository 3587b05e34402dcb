/** Copies the campaigns' names to ClickHouse, where the views show them beside every record. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';

const changed = readQuery('sql', 'projects.changed-names');
const copied = readQuery('clickhouse', 'projects.copied-revision');
const columns = ['campaign_id', 'project_id', 'display_id', 'name', 'partner_id', 'partner_name', 'network', 'network_campaign_id', 'active', 'deleted', 'revision'] as const;
const BATCH = 10_000;

/** Copies every campaign that changed since the last copy. Safe to run anywhere, any time, twice: the greatest revision counts. */
export async function copyNames(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  const since = (await clickhouse.rows<{ revision: number }>(copied))[0]?.revision ?? 0;
  const rows = await postgres.rows(changed, [since]);
  // In ascending revision: a copy that breaks off goes on where it stopped.
  for (let i = 0; i < rows.length; i += BATCH) {
    const lines = rows.slice(i, i + BATCH).map((row) => JSON.stringify(columns.map((column) => row[column])));
    await clickhouse.insert('adtrail.campaigns', columns, lines);
  }
}

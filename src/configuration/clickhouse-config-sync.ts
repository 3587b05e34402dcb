/** Keeps copies of the configuration in ClickHouse, for queries that need windows, switches, names and time zones. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';
import { copyRows } from './copy-rows';
import { readRevision } from './queries';

const changedNames = readQuery('sql', 'configuration.changed-names');
const copiedRevision = readQuery('clickhouse', 'configuration.copied-revision');

/** Copied as a whole, by the query that reads them: the tables are small. */
const TABLES = [
  {
    table: 'projects',
    columns: [
      'project_id',
      'name',
      'timezone',
      'currency',
      'click_window_days',
      'ip_click_window_hours',
      'view_window_hours',
      'ctv_window_hours',
      'reinstall_window_days',
      'inactivity_days',
      'revision',
    ],
    text: readQuery('sql', 'configuration.settings-copy'),
  },
  {
    table: 'partner_switches',
    columns: [
      'project_id',
      'partner_id',
      's2s_clicks',
      's2s_traffic',
      'view_through',
      'ctv_apps',
      'view_window_hours',
      'revision',
    ],
    text: readQuery('sql', 'configuration.switches-copy'),
  },
] as const;
const CAMPAIGN_COLUMNS = [
  'campaign_id',
  'project_id',
  'display_id',
  'name',
  'partner_id',
  'partner_name',
  'network',
  'network_campaign_id',
  'active',
  'deleted',
  'revision',
] as const;

/**
 * A function that brings the copies up to the present revision. Safe to run anywhere, any time, twice: of two rows with
 * one key the greater revision counts.
 */
export function createClickHouseConfigSync(postgres: Postgres, clickhouse: ClickHouse): () => Promise<void> {
  let copied = -1;
  const copyAll = async (db: Queryable, revision: number) => {
    for (const { table, columns, text } of TABLES) {
      const rows = await db.rows(text);
      await copyRows(
        clickhouse,
        `adtrail.${table}`,
        columns,
        rows.map((row) => ({ ...row, revision })),
      );
    }
    const since = (await clickhouse.rows<{ revision: number }>(copiedRevision))[0]?.revision ?? 0;
    await copyRows(clickhouse, 'adtrail.campaigns', CAMPAIGN_COLUMNS, await db.rows(changedNames, [since]));
  };
  return async () => {
    const revision = await readRevision(postgres);
    if (revision === copied) return;
    await postgres.session(async (db) => {
      await db.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await copyAll(db, await readRevision(db));
      await db.rows('COMMIT');
    });
    copied = revision;
  };
}

/** Derives the click days of every campaign and bucket in which a click is new. */
import type { ClickHouse } from '../db/clickhouse';
import type { Fresh } from './arrivals';
import * as queries from './queries';
import { groupBySettings, type ProjectSettings } from './settings';

/** So many days of clicks are derived by one statement. */
const BUCKETS_A_STATEMENT = 7;
/** Beyond so many campaigns naming them saves nothing. */
const MAX_NAMED = 2_000;

/** Derives what is new and the projects whose settings changed, as run_id number `turn`. Safe to break off and repeat. */
export async function deriveClickDays(
  db: ClickHouse,
  run_id: number,
  clicks: Fresh,
  settings: ProjectSettings,
): Promise<void> {
  const dirty =
    clicks.rows > 0
      ? await queries.readDirtyClickDays(db, { since: clicks.since, clicks: clicks.moments, all_clicks: clicks.all })
      : [];
  for (const { timezone, projects } of groupBySettings(new Set(dirty.map((row) => row.project_id)), settings)) {
    const own = dirty.filter((row) => projects.includes(row.project_id));
    const campaigns = [...new Set(own.map((row) => row.campaign_id))];
    await derive(db, { run_id, timezone, projects, campaigns: campaigns.length > MAX_NAMED ? [] : campaigns }, [
      ...new Set(own.map((row) => row.bucket)),
    ]);
  }
  for (const { timezone, projects } of groupBySettings(settings.changed, settings)) {
    const buckets = await queries.readClickBuckets(db, { projects });
    await derive(
      db,
      { run_id, timezone, projects, campaigns: [] },
      buckets.map((row) => row.bucket),
    );
  }
}

async function derive(
  db: ClickHouse,
  of: { run_id: number; timezone: string; projects: readonly number[]; campaigns: readonly number[] },
  buckets: readonly string[],
): Promise<void> {
  const sorted = [...buckets].sort();
  for (let i = 0; i < sorted.length; i += BUCKETS_A_STATEMENT) {
    await queries.deriveClickDays(db, { ...of, buckets: sorted.slice(i, i + BUCKETS_A_STATEMENT) });
  }
}

/** adtrail.daily_clicks: the clicks of a campaign received on one UTC day, by their own day and what they named. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Queryable } from '../../db/postgres';
import type { TableChanges } from '../change-tracker';
import type { Materialization } from '../materialization';
import { groupBySettings, readProjectSettings, type ProjectSettings } from '../project-settings';
import { command, query } from '../queries';
import { DERIVATIONS } from '../../tables/derivations';

const NAME = 'daily-clicks';
/** Days of receipt that one statement derives, so that its memory is bounded. */
const BUCKETS_PER_STATEMENT = 7;
/** Naming more campaigns than these costs more than it saves. */
const MAX_NAMED = 2_000;

const readDirty = query<{ project_id: number; campaign_id: number; bucket: string }>('daily-clicks.dirty');
const readBuckets = query<{ bucket: string }>('daily-clicks.buckets');
const deriveBuckets = command('daily-clicks.derive');

/**
 * A campaign's day of receipt is derived as a whole when a click of it is new, or its project has another time zone.
 */
export const createDailyClicks = (clickhouse: ClickHouse): Materialization => ({
  name: NAME,
  ...DERIVATIONS['daily-clicks'],
  isStale: async (db: Queryable) => (await readProjectSettings(db, NAME)).changed.length > 0,
  async run({ db, changes, version }) {
    const settings = await readProjectSettings(db, NAME);
    await deriveNew(clickhouse, changes.of('clicks'), settings, version);
    await deriveProjects(clickhouse, settings, version);
    await settings.store(db);
    return 'done';
  },
});

async function deriveNew(db: ClickHouse, clicks: TableChanges, settings: ProjectSettings, version: number) {
  if (clicks.rows === 0) return;
  const { since, insertTimes, all } = clicks;
  const dirty = await readDirty(db, { since, insert_times: insertTimes, all });
  for (const { timezone, projects } of groupBySettings(new Set(dirty.map((row) => row.project_id)), settings)) {
    const own = dirty.filter((row) => projects.includes(row.project_id));
    const campaigns = [...new Set(own.map((row) => row.campaign_id))];
    const named = campaigns.length > MAX_NAMED ? [] : campaigns;
    await derive(db, { version, timezone, projects, campaigns: named }, new Set(own.map((row) => row.bucket)));
  }
}

async function deriveProjects(db: ClickHouse, settings: ProjectSettings, version: number) {
  for (const { timezone, projects } of groupBySettings(settings.changed, settings)) {
    const buckets = (await readBuckets(db, { projects })).map((row) => row.bucket);
    await derive(db, { version, timezone, projects, campaigns: [] }, new Set(buckets));
  }
}

interface Scope {
  readonly version: number;
  readonly timezone: string;
  readonly projects: readonly number[];
  /** Empty for all. */
  readonly campaigns: readonly number[];
}

async function derive(db: ClickHouse, scope: Scope, buckets: ReadonlySet<string>): Promise<void> {
  const sorted = [...buckets].sort();
  for (let i = 0; i < sorted.length; i += BUCKETS_PER_STATEMENT) {
    await deriveBuckets(db, { ...scope, buckets: sorted.slice(i, i + BUCKETS_PER_STATEMENT) });
  }
}

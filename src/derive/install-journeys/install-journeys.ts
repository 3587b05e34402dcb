/** adtrail.journeys: each install, reinstall and re-engagement with what followed, derived as a whole. */
import type { ClickHouse } from '../../db/clickhouse';
import type { TableChanges } from '../change-tracker';
import { deriveInChunks, type Chunk } from '../chunks';
import type { Materialization, RunContext } from '../materialization';
import { groupBySettings, readProjectSettings, type ProjectSettings } from '../project-settings';
import type { Quarantine } from '../quarantine';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

const NAME = 'install-journeys';
/** About this many new rows make a chunk of a run, so that its memory is bounded. */
const ROWS_PER_CHUNK = 400_000;
/** Installs that are connected only over more devices than these are not taken for one person's. */
const MAX_ROUNDS = 6;

/** Devices connect an install with its reinstalls; what is known of each is read from one place. */
export function createInstallJourneys(clickhouse: ClickHouse, quarantine: Quarantine): Materialization {
  /** Beside an earlier version that is being replaced journeys may be derived without columns until it has ended. */
  let mayLackColumns = true;
  return {
    name: NAME,
    ...DERIVATIONS['install-journeys'],
    isStale: async (db) =>
      mayLackColumns || (await readProjectSettings(db, NAME)).changed.length > 0 || (await quarantine.hasRetries(NAME)),
    async run(context) {
      const settings = await readProjectSettings(context.db, NAME);
      await deriveJourneys(clickhouse, context, settings, quarantine, mayLackColumns);
      mayLackColumns = false;
      await quarantine.release(NAME, context.changes.until);
      await settings.store(context.db);
      return 'done';
    },
  };
}

async function deriveJourneys(
  db: ClickHouse,
  { changes, version }: RunContext,
  settings: ProjectSettings,
  quarantine: Quarantine,
  former: boolean,
) {
  const [events, installs] = [changes.of('app_events'), changes.of('installs')];
  const newEvents = { since: events.since, events: events.insertTimes, all_events: events.all };
  await Promise.all([
    events.rows > 0 ? queries.indexEventNames(db, newEvents) : undefined,
    queries.selectDirty(db, {
      ...newEvents,
      run_id: version,
      rows_per_chunk: ROWS_PER_CHUNK,
      since: earliest(events, installs),
      installs: installs.insertTimes,
      all_installs: installs.all,
      projects: settings.changed,
      former,
    }),
  ]);
  const chunkQueries = { ...queries, clear: queries.deleteStale };
  await deriveInChunks(db, NAME, version, chunkQueries, quarantine, async (chunk) => {
    await deriveChunk(db, chunk, settings);
  });
}

/** The earliest time at which something is new; nothing new in a table does not count. */
const earliest = (...tables: readonly TableChanges[]) =>
  tables.filter(({ rows }) => rows > 0).reduce((time, { since }) => Math.min(time, since), Date.UTC(2200, 0));

async function deriveChunk(db: ClickHouse, part: Chunk, settings: ProjectSettings): Promise<void> {
  await queries.collect(db, { ...part, round: 0 });
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    await queries.expandByDevice(db, { ...part, round });
    if ((await queries.countRound(db, { ...part, round }))[0]?.rows === 0) break;
    await queries.collect(db, { ...part, round });
  }
  const [rows] = await Promise.all([queries.readProjects(db, part), queries.findRootInstalls(db, part)]);
  const projects = rows.map((row) => row.project_id);
  for (const { timezone, inactivityDays, projects: together } of groupBySettings(projects, settings)) {
    await queries.derive(db, { ...part, timezone, inactivity_days: inactivityDays, projects: together });
  }
  await queries.deleteStale(db, part);
}

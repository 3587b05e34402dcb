/** Derives the journeys of every install of which something is new (docs/architecture.md). */
import type { ClickHouse } from '../db/clickhouse';
import type { Fresh } from './arrivals';
import * as queries from './queries';
import { groupBySettings, type ProjectSettings } from './settings';

/** About so many new rows of events make a part of a run_id, so that its memory is bounded. */
const ROWS_A_PART = 400_000;
/** Installs that share devices over more corners than these are not one device. */
const MAX_ROUNDS = 6;

export interface NewFacts {
  readonly events: Fresh;
  readonly installs: Fresh;
}

/** Derives what is new and the projects whose settings changed, as run_id number `turn`. Safe to break off and repeat. */
export async function deriveJourneys(
  db: ClickHouse,
  run_id: number,
  { events, installs }: NewFacts,
  settings: ProjectSettings,
): Promise<void> {
  if (events.rows + installs.rows + settings.changed.length === 0) return;
  const newEvents = { since: events.since, events: events.moments, all_events: events.all };
  await queries.mark(db, {
    ...newEvents,
    run_id,
    rows_a_part: ROWS_A_PART,
    since: Math.min(events.since, installs.since),
    installs: installs.moments,
    all_installs: installs.all,
    projects: settings.changed,
  });
  for (const { chunk } of await queries.readParts(db, { run_id })) {
    const part = { run_id, chunk };
    if (events.rows > 0) {
      await queries.noteDevices(db, { ...part, ...newEvents });
      await queries.noteNames(db, { ...part, ...newEvents });
    }
    await derivePart(db, part, settings);
  }
}

async function derivePart(
  db: ClickHouse,
  part: { readonly run_id: number; readonly chunk: number },
  settings: ProjectSettings,
): Promise<void> {
  const projects = (await queries.readProjectsOfChunk(db, part)).map((row) => row.project_id);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    await queries.spread(db, { ...part, round });
    if ((await queries.countRound(db, { ...part, round }))[0]?.rows === 0) break;
  }
  const [reinstalls] = await queries.countReinstalls(db, part);
  await queries.findHeads(db, { ...part, has_reinstalls: reinstalls?.rows ? 1 : 0 });
  for (const { timezone, inactivityDays, projects: together } of groupBySettings(projects, settings)) {
    await queries.deriveJourneys(db, { ...part, timezone, inactivity_days: inactivityDays, projects: together });
  }
  await queries.dropFormer(db, part);
}

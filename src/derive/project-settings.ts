/** The settings of projects on which derived rows depend. */
import type { Queryable } from '../db/postgres';
import { putSettings, readSettings } from './queries';

export interface Settings {
  readonly timezone: string;
  readonly inactivityDays: number;
}

export interface ProjectSettings {
  readonly of: (projectId: number) => Settings | undefined;
  /** Projects whose rows were derived with other settings, or never. */
  readonly changed: readonly number[];
  /** Stores that the rows of the changed ones are as their settings say. */
  readonly store: (db: Queryable) => Promise<void>;
}

/** The settings of all projects, and which of them the materialization has not taken in. */
export async function readProjectSettings(db: Queryable, materialization: string): Promise<ProjectSettings> {
  const rows = await readSettings(db, materialization);
  const byId = new Map(rows.map((row) => [row.id, { timezone: row.timezone, inactivityDays: row.inactivity_days }]));
  const changed = rows.filter(
    (row) => row.timezone !== row.derived_timezone || row.inactivity_days !== row.derived_inactivity_days,
  );
  return {
    of: (projectId) => byId.get(projectId),
    changed: changed.map((row) => row.id),
    async store(on) {
      for (const { id, timezone, inactivity_days } of changed)
        await putSettings(on, materialization, id, timezone, inactivity_days);
    },
  };
}

/** The projects grouped by their settings, to be derived together. */
export function groupBySettings(
  projectIds: Iterable<number>,
  settings: ProjectSettings,
): (Settings & { readonly projects: number[] })[] {
  const groups = new Map<string, Settings & { readonly projects: number[] }>();
  for (const id of projectIds) {
    const own = settings.of(id);
    if (!own) continue;
    const key = JSON.stringify(own);
    const group = groups.get(key) ?? { ...own, projects: [] };
    group.projects.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

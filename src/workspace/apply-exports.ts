/** Applies the scheduled exports of a project (docs/contract/scheduled-exports.md). */
import { isDeepStrictEqual } from 'node:util';
import { readEntry } from '../configuration/export-entry';
import { MOST_EXPORTS, type ExportEntry } from '../configuration/exports';
import { ApiError } from '../errors';
import type { Applying } from './applying';
import { refuseDuplicates } from './fields';
import * as queries from './queries';

/** What an export is for good: under another name it is another one. */
const FIXED = ['kind', 'query', 'format', 'every', 'destination'] as const;

/** @throws ApiError 400 naming the field. */
export async function applyExports(
  at: Applying,
  projectId: number,
  entries: readonly ExportEntry[],
  of: string,
): Promise<void> {
  if (entries.length === 0) return;
  const field = `${of}.exports`;
  refuseDuplicates(
    field,
    entries.map(({ name }) => name),
  );
  const wanted = entries.map((entry, i) => ({
    project_id: projectId,
    ...readEntry(entry, at.exportPlaces, `${field}[${i}].`),
  }));
  refuseDuplicates(
    `${field}.destination`,
    wanted.map(({ place }) => place),
  );
  const existing = await at.db.rows('SELECT * FROM scheduled_exports WHERE project_id = $1', [projectId]);
  const byName = new Map(existing.map((row) => [row.name, row]));
  if (new Set([...byName.keys(), ...entries.map(({ name }) => name)]).size > MOST_EXPORTS)
    throw new ApiError(400, `${field}: there may be at most ${MOST_EXPORTS}`);
  for (const [i, row] of wanted.entries()) {
    const before = byName.get(row.name);
    if (before?.declared_by === 'project')
      throw new ApiError(400, `${field}[${i}].name: the project has declared an export of that name itself`);
    const changed = before && FIXED.find((name) => !isDeepStrictEqual(before[name], row[name]));
    if (changed) throw new ApiError(400, `${field}[${i}].${changed}: cannot change; give the export another name`);
    const [taken] = await queries.findPlaceOfOthers(at.db, row.place, projectId, row.name);
    if (taken) throw new ApiError(400, `${field}[${i}].destination: another export writes there`);
  }
  await at.upsert(
    { table: 'scheduled_exports', key: ['project_id', 'name'], defaults: { enabled: true, created_at: at.now } },
    existing,
    wanted,
  );
}

/** Applies the scheduled exports of a project (docs/contract/scheduled-exports.md). */
import { isDeepStrictEqual } from 'node:util';
import {
  FieldError,
  MOST_EXPORTS,
  nameExportPlace,
  nameFolder,
  readDestination,
  readRecordKind,
  type ExportEntry,
  type ExportPlaces,
} from '../configuration/exports';
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { RECORD_KINDS } from '../files/kinds';
import { readQueryInput } from '../questions/query-input';
import type { Applying } from './applying';
import { refuseDuplicates } from './fields';
import * as queries from './queries';

/** What an export is for good: under another name it is another one. */
const FIXED = ['kind', 'query', 'format', 'every', 'destination'] as const;
/** Any day: the period of an export takes its place. */
const SOME_DAY = '2026-01-01';

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
  const wanted = entries.map((entry, i) => readEntry(entry, projectId, at.exportPlaces, `${field}[${i}]`));
  refuseDuplicates(
    `${field}.destination`,
    wanted.map(({ place }) => place as string),
  );
  const existing = await at.db.rows('SELECT * FROM scheduled_exports WHERE project_id = $1', [projectId]);
  const byName = new Map(existing.map((row) => [row.name, row]));
  if (new Set([...byName.keys(), ...entries.map(({ name }) => name)]).size > MOST_EXPORTS)
    throw new ApiError(400, `${field}: there may be at most ${MOST_EXPORTS}`);
  for (const [i, row] of wanted.entries()) {
    const before = byName.get(row.name);
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

/** @throws ApiError 400 naming the field. */
export function readEntry(entry: ExportEntry, projectId: number, places: ExportPlaces, field: string): Row {
  const { name, kind, format, every, enabled } = entry;
  const question = typeof kind === 'string' ? undefined : readQuestion(kind, every, field);
  const records = typeof kind === 'string' ? readRecordKind(kind) : undefined;
  if (!question && !records)
    throw new ApiError(400, `${field}.kind: must be one of ${RECORD_KINDS.join(', ')}, or {"query": {...}}`);
  const stored = records ?? 'query';
  try {
    const destination = readDestination(entry.destination, places);
    const place = nameExportPlace(destination, nameFolder(stored, name));
    const query = question ?? null;
    return { project_id: projectId, name, kind: stored, query, format, every, destination, place, enabled };
  } catch (error) {
    if (error instanceof FieldError) throw new ApiError(400, `${field}.destination.${error.field}: ${error.problem}`);
    throw error;
  }
}

function readQuestion(kind: object, every: string, field: string): object {
  const names = Object.keys(kind);
  const { query } = kind as { query?: unknown };
  if (names.length !== 1 || typeof query !== 'object' || query === null || Array.isArray(query))
    throw new ApiError(400, `${field}.kind: takes {"query": {...}}, a query without its days`);
  if (every !== 'day') throw new ApiError(400, `${field}.every: a query is exported by the day`);
  const days = ['from', 'to', 'compare', 'limit', 'offset'].find((one) => one in query);
  if (days) throw new ApiError(400, `${field}.kind.query.${days}: has no place here`);
  try {
    readQueryInput({ ...query, from: SOME_DAY, to: SOME_DAY });
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError(400, `${field}.kind.query: ${error.message}`);
    throw error;
  }
  return query;
}

/** Scheduled exports of a project as they are shown: how far each is, what it would write, back-fills. */
import type { Destination } from '../configuration/exports';
import type { Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { addDays, daysInRange } from '../lib/time';
import { compare, listToCompare } from './compare';
import { openSource } from './open-source';
import { explainFailure, type Places } from './open-place';
import { findNext, readMissing, readZone } from './missing';
import { namePeriod, readPeriod } from './periods';
import * as queries from './scheduled-queries';
import type { SourceParts, Sum } from './source';
import { readState } from './state';

export interface ServiceParts extends SourceParts {
  readonly places: Places;
  readonly checkSeconds: number;
}

/** The days that a back-fill may have, by how long a period is. */
export const MOST_DAYS = { hour: 31, day: 400 } as const;
export const MOST_BACKFILLS = 100;
/** What a dry run shows. */
export const SHOWN = { periods: 31, rows: 10 } as const;

export const missingExport = () => new ApiError(404, 'Export not found.');

export async function listExports({ postgres, now, places }: ServiceParts, projectId: number) {
  const rows = await queries.listExports(postgres, projectId, null);
  return {
    exports: await Promise.all(rows.map((row) => present(postgres, row, now()))),
    places: { by_projects: places.byProjects, folders: places.folder !== undefined },
  };
}

/** @throws ApiError 404 where the project has no such export. */
export async function readExport(parts: ServiceParts, projectId: number, id: number) {
  return present(parts.postgres, await findExport(parts.postgres, projectId, id), parts.now());
}

async function present(db: Queryable, row: queries.ExportRow, now: number) {
  const timezone = readZone(row);
  const [[written], [first], backfills, next] = await Promise.all([
    queries.readProgress(db, row.id),
    readMissing(db, row, { timezone }, row.complete_until?.getTime() ?? 0, 1),
    queries.readBackfills(db, row.id),
    row.enabled ? findNext(db, row, now) : readPeriod(namePeriod(row.every, timezone, now), timezone),
  ]);
  const { enabled, failures } = row;
  const waiting = first?.total ?? 0;
  const lagSeconds = Math.max(0, Math.round((now - next.to) / 1_000));
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === 'query' ? { query: row.query } : row.kind,
    format: row.format,
    every: row.every,
    destination: row.destination satisfies Destination,
    declared_by: row.declared_by,
    keys_changed_at: row.keys_changed_at,
    enabled,
    created_at: row.created_at,
    state: readState({ enabled, failures, lagSeconds, waiting }),
    complete_until: row.complete_until,
    lag_seconds: lagSeconds,
    next: { period: next.name, ends_at: new Date(next.to) },
    progress: {
      periods_written: written?.periods ?? 0,
      periods_waiting: waiting,
      rows: written?.rows ?? 0,
      bytes: written?.bytes ?? 0,
      latest: written?.latest ?? null,
      written_at: written?.written_at ?? null,
    },
    failure: row.failed_at === null ? null : { at: row.failed_at, error: row.error, is_over: row.failures === 0 },
    backfills,
  };
}

/** @throws ApiError 404 where the project has no such export. */
export async function findExport(db: Queryable, projectId: number, id: number): Promise<queries.ExportRow> {
  const [row] = await queries.listExports(db, projectId, id);
  if (!row) throw missingExport();
  return row;
}

/**
 * What would be written now; nothing is.
 *
 * @throws ApiError 404, and 503 where the rows cannot be read.
 */
export async function tryOut(parts: ServiceParts, projectId: number, id: number) {
  const row = await findExport(parts.postgres, projectId, id);
  const changed = await readSafely(() => listChanged(parts, row));
  return { ...(await previewRows(parts, row, row.created_at, changed)), destination_error: null };
}

async function listChanged(parts: ServiceParts, row: queries.ExportRow): Promise<string[]> {
  const source = openSource(parts, row);
  const changed: string[] = [];
  for (const group of await listToCompare(parts, row, parts.postgres, source))
    changed.push(...(await compare(source, group)).changed);
  return changed;
}

/** @throws ApiError 503 where the rows cannot be read. */
async function readSafely<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(503, `Not now: ${explainFailure(error, undefined)}.`, { 'Retry-After': '10' });
  }
}

/**
 * The periods of an export from a moment on that are complete and not written, and others that have changed; with a
 * sample of their rows, or of the latest there are.
 *
 * @throws ApiError 503 where the rows cannot be read.
 */
export const previewRows = (parts: ServiceParts, row: queries.ExportRow, since: Date, changed: readonly string[]) =>
  readSafely(async () => {
    const { postgres, now } = parts;
    const source = openSource(parts, row);
    const completeUntil = await source.completeUntil();
    const begun = { ...row, created_at: since };
    const waiting = await readMissing(postgres, begun, source, completeUntil, SHOWN.periods);
    const names = waiting.map(({ period }) => period);
    const shown = [...names, ...changed].slice(0, SHOWN.periods).sort();
    const periods = shown.map((name) => readPeriod(name, source.timezone));
    const sums = new Map<string, Sum>();
    // One at a time: together they may be more than a statement should read.
    for (const period of periods) for (const [name, sum] of await source.sums([period])) sums.set(name, sum);
    const latest = readPeriod(namePeriod('day', source.timezone, now()), source.timezone);
    const first = [...periods].reverse().find(({ name }) => sums.get(name)?.rows) ?? latest;
    return {
      complete_until: new Date(completeUntil),
      periods: shown.map((name) => ({
        period: name,
        rows: sums.get(name)?.rows ?? 0,
        why: names.includes(name) ? 'new' : 'changed',
      })),
      total: (waiting[0]?.total ?? 0) + changed.length,
      columns: (await source.columns()).map(({ name, type }) => ({ name, type })),
      sample: await source.sample(first, SHOWN.rows),
    };
  });

interface Range {
  readonly from: string;
  readonly to: string;
}

/** @throws ApiError 400 for a range that cannot be written; `end` is the field that its end follows from. */
export function refuseRange(
  { every }: Pick<queries.ExportRow, 'every'>,
  { from, to }: Range,
  now: number,
  end = 'to',
): void {
  if (from > to) throw new ApiError(400, 'from: must not be after to');
  if (daysInRange(from, to) > MOST_DAYS[every])
    throw new ApiError(400, `${end}: a back-fill by the ${every} has at most ${MOST_DAYS[every]} days`);
  if (from < '2000-01-01') throw new ApiError(400, 'from: must not be before 2000-01-01');
  if (to > addDays(namePeriod('day', 'UTC', now), 1)) throw new ApiError(400, `${end}: must not be in the future`);
}

/** @throws ApiError 400 for a range that cannot be, 404, and 409 for one too many. */
export async function addBackfill(parts: ServiceParts, projectId: number, id: number, range: Range) {
  const { postgres, now } = parts;
  const row = await findExport(postgres, projectId, id);
  refuseRange(row, range, now());
  const { from, to } = range;
  const [made] = await queries.addBackfill(postgres, id, from, to, MOST_BACKFILLS);
  if (!made) throw new ApiError(409, `An export has at most ${MOST_BACKFILLS} back-fills.`);
  await queries.lookSoon(postgres, id);
  return { id: made.id, from, to };
}

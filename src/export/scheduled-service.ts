/** Scheduled exports of a project as they are shown: how far each is, what it would write, back-fills. */
import type { Destination } from '../configuration/exports';
import type { Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { addDays, daysInRange } from '../lib/time';
import { openSource } from './open-source';
import { explainFailure, type Places } from './open-place';
import { namePeriod, readPeriod } from './periods';
import * as queries from './scheduled-queries';
import { compare, readMissing } from './scheduled-worker';
import type { SourceParts, Sum } from './source';

export interface ServiceParts extends SourceParts {
  readonly places: Places;
  readonly checkSeconds: number;
}

/** The days that a back-fill may have, by how long a period is. */
export const MOST_DAYS = { hour: 31, day: 400 } as const;
export const MOST_BACKFILLS = 100;
/** What a dry run shows. */
export const SHOWN = { periods: 31, rows: 10 } as const;

const missing = () => new ApiError(404, 'Export not found.');
/** Days of records are those of UTC, days of questions those of the project. */
const readZone = ({ kind, timezone }: queries.ExportRow) => (kind === 'query' ? timezone : 'UTC');

/** How long ago the first period ended that is not written, in seconds; 0 where all are, and where none has ended. */
export async function readLag(db: Queryable, row: queries.ExportRow, now: number): Promise<number> {
  const timezone = readZone(row);
  const [late] = await readMissing(db, row, { timezone }, now, 1, false);
  return late ? Math.max(0, Math.round((now - readPeriod(late.first, timezone).to) / 1_000)) : 0;
}

/** The longest of all that are written. */
export async function readLongestLag(db: Queryable, now: number): Promise<number> {
  const lags = [];
  for (const row of await queries.listEnabled(db)) lags.push(await readLag(db, row, now));
  return Math.max(0, ...lags);
}

export async function listExports({ postgres, now }: ServiceParts, projectId: number) {
  const rows = await queries.listExports(postgres, projectId, null);
  return { exports: await Promise.all(rows.map((row) => present(postgres, row, now()))) };
}

async function present(db: Queryable, row: queries.ExportRow, now: number) {
  const [[written], [waiting], backfills, lag] = await Promise.all([
    queries.readProgress(db, row.id),
    readMissing(db, row, { timezone: readZone(row) }, row.complete_until?.getTime() ?? 0, 1),
    queries.readBackfills(db, row.id),
    row.enabled ? readLag(db, row, now) : 0,
  ]);
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === 'query' ? { query: row.query } : row.kind,
    format: row.format,
    every: row.every,
    destination: row.destination satisfies Destination,
    enabled: row.enabled,
    created_at: row.created_at,
    complete_until: row.complete_until,
    lag_seconds: lag,
    progress: {
      periods_written: written?.periods ?? 0,
      periods_waiting: waiting?.total ?? 0,
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
async function findExport({ postgres }: ServiceParts, projectId: number, id: number): Promise<queries.ExportRow> {
  const [row] = await queries.listExports(postgres, projectId, id);
  if (!row) throw missing();
  return row;
}

/**
 * What would be written now; nothing is.
 *
 * @throws ApiError 404, and 503 where the rows cannot be read.
 */
export async function tryOut(parts: ServiceParts, projectId: number, id: number) {
  const row = await findExport(parts, projectId, id);
  try {
    const { postgres } = parts;
    const source = openSource(parts, row);
    const completeUntil = await source.completeUntil();
    const waiting = await readMissing(postgres, row, source, completeUntil, SHOWN.periods);
    const { changed } = await compare(parts, row, postgres, source);
    const names = waiting.map(({ period }) => period);
    const shown = [...names, ...changed].slice(0, SHOWN.periods).sort();
    const periods = shown.map((name) => readPeriod(name, source.timezone));
    const sums = periods.length === 0 ? new Map<string, Sum>() : await source.sums(periods);
    const first = [...periods].reverse().find(({ name }) => sums.get(name)?.rows) ?? periods.at(-1);
    return {
      complete_until: new Date(completeUntil),
      periods: shown.map((name) => ({
        period: name,
        rows: sums.get(name)?.rows ?? 0,
        why: names.includes(name) ? 'new' : 'changed',
      })),
      total: (waiting[0]?.total ?? 0) + changed.length,
      columns: (await source.columns()).map(({ name, type }) => ({ name, type })),
      sample: first ? await source.sample(first, SHOWN.rows) : [],
    };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(503, `Not now: ${explainFailure(error, parts.places)}.`, { 'Retry-After': '10' });
  }
}

/** @throws ApiError 400 for a range that cannot be, 404, and 409 for one too many. */
export async function addBackfill(
  parts: ServiceParts,
  projectId: number,
  id: number,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const row = await findExport(parts, projectId, id);
  const { postgres, now } = parts;
  if (from > to) throw new ApiError(400, 'from: must not be after to');
  if (daysInRange(from, to) > MOST_DAYS[row.every])
    throw new ApiError(400, `to: a back-fill by the ${row.every} has at most ${MOST_DAYS[row.every]} days`);
  if (from < '2000-01-01') throw new ApiError(400, 'from: must not be before 2000-01-01');
  if (to > addDays(namePeriod('day', 'UTC', now()), 1)) throw new ApiError(400, 'to: must not be in the future');
  const [made] = await queries.addBackfill(postgres, id, from, to, MOST_BACKFILLS);
  if (!made) throw new ApiError(409, `An export has at most ${MOST_BACKFILLS} back-fills.`);
  await queries.lookSoon(postgres, id);
  return { id: made.id, from, to };
}

/** How all scheduled exports are doing at once: for the status, metrics and alerts. */
import { MOST_EXPORTS } from '../configuration/exports';
import type { Queryable } from '../db/postgres';
import { readDoing, type DoingRow } from './scheduled-queries';
import { LATE_SECONDS } from './state';

/** What fails or is behind for so long is critical. */
const CRITICAL_SECONDS = 86_400;
/** Those that are named. */
const NAMED = 10;

export type Health = 'ok' | 'warning' | 'critical';

const measureTrouble = ({ failing_seconds: failing, lag_seconds: lag }: DoingRow) => Math.max(failing ?? 0, lag);

function judge(row: DoingRow): Health {
  if (measureTrouble(row) >= CRITICAL_SECONDS) return 'critical';
  return row.failing_since !== null || row.lag_seconds > LATE_SECONDS ? 'warning' : 'ok';
}

/**
 * The exports that are written, of some projects or of all, with those by name that are not well: what has failed
 * longest comes first. `lag_seconds` is the longest of all.
 */
export async function summarizeExports(db: Queryable, now: number, projects?: readonly number[]) {
  const rows = await readDoing(db, projects ?? null, new Date(now), NAMED, LATE_SECONDS);
  const [first] = rows;
  const { enabled = 0, failing = 0, late = 0, longest_lag_seconds: lag = 0 } = first ?? {};
  const problems = rows
    .map((row) => ({
      export_id: row.id,
      name: row.name,
      project_id: row.project_id,
      project: row.project,
      state: judge(row),
      lag_seconds: row.lag_seconds,
      failing_since: row.failing_since?.toISOString() ?? null,
      error: row.error,
    }))
    .filter(({ state }) => state !== 'ok');
  const isLong = lag >= CRITICAL_SECONDS || problems.some(({ state }) => state === 'critical');
  const state: Health = isLong ? 'critical' : problems.length > 0 ? 'warning' : 'ok';
  return { state, enabled, failing, late, lag_seconds: lag, problems };
}

export type ExportsSummary = Awaited<ReturnType<typeof summarizeExports>>;

/** The exports of a project that are written: for how long each has failed or been behind, in seconds. */
export async function readBehind(db: Queryable, now: number, projectId: number) {
  const rows = await readDoing(db, [projectId], new Date(now), MOST_EXPORTS, LATE_SECONDS);
  return rows.map((row) => ({ name: row.name, seconds: measureTrouble(row) }));
}

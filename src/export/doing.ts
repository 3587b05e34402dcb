/** How all scheduled exports are doing at once: for the status, metrics and alerts. */
import type { Queryable } from '../db/postgres';
import { readDoing, type DoingRow } from './scheduled-queries';
import { LATE_SECONDS } from './state';

/** What fails or is behind for so long is critical. */
export const CRITICAL_SECONDS = 86_400;
/** Those that are named. */
const NAMED = 10;

export type Health = 'ok' | 'warning' | 'critical';

const isFailing = ({ failing_since: since }: Pick<DoingRow, 'failing_since'>) => since !== null;

function judge(row: Pick<DoingRow, 'failing_since' | 'failing_seconds' | 'lag_seconds'>): Health {
  if (Math.max(row.failing_seconds ?? 0, row.lag_seconds) >= CRITICAL_SECONDS) return 'critical';
  return isFailing(row) || row.lag_seconds > LATE_SECONDS ? 'warning' : 'ok';
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

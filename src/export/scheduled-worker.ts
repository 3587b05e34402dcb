/**
 * Writes scheduled exports: periods that are complete, those whose rows have changed since, and removes what they
 * replaced. Any number of processes do: each export is written by the one whose connection holds its lock, which the
 * database releases with the process. What fails or is slow for one project holds up no other (./turns.ts).
 */
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { MINUTE_MS } from '../lib/time';
import type { S3Access } from '../stores/s3-store';
import { bringUpToDate, noteNext, SLOW_MS, type ScheduledParts } from './bring-up-to-date';
import { explainFailure, findAccess, hideKeys } from './open-place';
import { readWait } from './periods';
import * as queries from './scheduled-queries';
import { createTurns, type Lane } from './turns';
import { LeftBehindError, StoppedError } from './write-period';

const LOOK_MS = 1_000;
/** Two write at once, as reading takes the cores; who waits for a slow bucket needs none. */
const TURNS = {
  places: { first: 2, retry: 1 },
  slowMs: SLOW_MS,
  slow: 2,
  fairMs: 10 * MINUTE_MS,
} as const;
/** What was all written, and only could not be removed, waits no longer than that. */
const LEFT_BEHIND_MS = MINUTE_MS;

export function startScheduledExports(parts: ScheduledParts): PeriodicTask {
  let isStopping = false;
  let looked = -Infinity;
  const { postgres, places, now } = parts;
  const folders = places.folder ? ['folder'] : [];
  const types = [...folders, ...(places.s3 ? ['s3'] : [])];
  // Projects have keys of their own.
  const typesOfProjects = places.byProjects ? [...folders, 's3'] : [];
  const turns = createTurns({ ...TURNS, longestMs: parts.turnSeconds * 1_000 }, now);
  /** By project, what its turn is of. */
  const running = new Map<number, queries.DueRow>();
  const begin = (row: queries.DueRow, lane: Lane) => {
    running.set(row.project_id, row);
    turns.begin(row.project_id, lane, async (signal) => {
      await takeUp(parts, row, signal).catch((error: unknown) =>
        parts.log.warn(`The export ${row.id} was not looked at, and is again: ${(error as Error).message}`),
      );
      running.delete(row.project_id);
      task.runSoon();
    });
  };
  /** Whoever has switched one off, or removes it, does not wait for its bucket. */
  const endUnwanted = async () => {
    for (const row of running.values()) {
      const [wanted] = await queries.findWanted(postgres, row.id);
      if (!wanted && running.get(row.project_id) === row) turns.end(row.project_id, new StoppedError());
    }
  };
  const task = runPeriodically('Writing scheduled exports', LOOK_MS, parts.log, async () => {
    if (types.length + typesOfProjects.length === 0) return;
    turns.endLongest();
    await endUnwanted();
    if (now() - looked >= LOOK_MS) {
      await queries.addStates(postgres);
      looked = now();
    }
    for (const lane of ['first', 'retry'] as const)
      while (!isStopping) {
        const isRetry = lane === 'retry';
        const [row] = await queries.readDue(
          postgres,
          new Date(now()),
          types,
          typesOfProjects,
          turns.projects(),
          isRetry,
        );
        if (!row || isStopping) break;
        if (!turns.hasPlace(lane)) {
          turns.makePlace(lane);
          break;
        }
        begin(row, lane);
      }
  });
  return {
    runSoon: task.runSoon,
    async stop() {
      isStopping = true;
      await turns.stop(new StoppedError());
      await task.stop();
    },
  };
}

/** Nothing where another process writes the export. */
const takeUp = (parts: ScheduledParts, row: queries.DueRow, signal: AbortSignal): Promise<void> =>
  parts.postgres.session(async (db) => {
    const [lock] = await queries.tryLock(db, row.id);
    if (!lock?.acquired) return;
    let access: S3Access | undefined;
    try {
      await noteNext(parts, row, db);
      access = await findAccess(db, row, parts.places);
      await bringUpToDate(parts, row, access, db, signal);
    } catch (thrown) {
      // What is broken off fails in one way or another.
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof StoppedError) return;
      parts.observe('failed');
      const { log, now } = parts;
      const why = hideKeys((error as Error).message, access);
      log.warn(`The export ${row.id} of project ${row.project_id} failed: ${why}`);
      const wait = readWait(row.failures);
      const again = new Date(now() + (error instanceof LeftBehindError ? Math.min(wait, LEFT_BEHIND_MS) : wait));
      await queries.noteFailure(
        parts.postgres,
        row.id,
        new Date(now()),
        explainFailure(error, access),
        again,
        row.due_at,
      );
    } finally {
      await queries.unlock(db, row.id);
    }
  });

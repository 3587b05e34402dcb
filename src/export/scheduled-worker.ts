/**
 * Writes scheduled exports: periods that are complete, those whose rows have changed since, and removes what they
 * replaced. Any number of processes do: each export is written by the one whose connection holds its lock, which the
 * database releases with the process. What fails or is slow for one project holds up no other (./turns.ts).
 */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import type { FileReads } from '../files/export-runner';
import type { Log } from '../lib/log';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { addDays, DAY_MS, FIRST_DAY, MINUTE_MS } from '../lib/time';
import type { S3Access } from '../stores/s3-store';
import { openSource } from './open-source';
import { explainFailure, findAccess, hideKeys, openPlace, type Places } from './open-place';
import { findNext, readMissing } from './missing';
import { namePeriod, namePeriodFolder, readPeriod, readWait } from './periods';
import * as queries from './scheduled-queries';
import { NOTHING, type Source, type SourceParts } from './source';
import { isStanding, readManifest } from './standing';
import { createTurns, type Lane } from './turns';
import { StoppedError, writePeriod, type Writing } from './write-period';

const LOOK_MS = 1_000;
/** How often an export is looked at of which nothing is to be done. */
const REST_MS = 5_000;
/** Two write at once, as reading takes the cores; who waits for a slow bucket needs none. */
const TURNS = {
  places: { first: 2, retry: 1 },
  slowMs: MINUTE_MS,
  slow: 2,
  fairMs: 10 * MINUTE_MS,
} as const;
/** Periods that are written before another export has its turn. */
const PERIODS = 24;
/** Written periods that are compared by one statement, and the days that it may go over. */
const COMPARED = 744;
const COMPARED_DAYS = 31;
/** Periods of the last days are compared often, all of them once a day. */
const RECENT_DAYS = 3;

export interface ScheduledParts extends SourceParts {
  readonly files: FileReads & { readonly clickhouse: Pick<ClickHouse, 'until'> };
  readonly postgres: Postgres;
  readonly places: Places;
  readonly keepSeconds: number;
  readonly checkSeconds: number;
  /** How long one export may take at a time, at most. */
  readonly turnSeconds: number;
  readonly log: Log;
  /** Called for every period that was written, and every failure, for metrics. */
  readonly observe: (outcome: 'written' | 'failed') => void;
}

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
  const running = new Map<number, queries.ExportRow>();
  const begin = (row: queries.ExportRow, lane: Lane) => {
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
const takeUp = (parts: ScheduledParts, row: queries.ExportRow, signal: AbortSignal): Promise<void> =>
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
      const again = new Date(now() + readWait(row.failures));
      await queries.noteFailure(parts.postgres, row.id, new Date(now()), explainFailure(error, access), again);
    } finally {
      await queries.unlock(db, row.id);
    }
  });

/** Notes how far behind the export is, for those who look at all of them. */
async function noteNext({ now }: ScheduledParts, row: queries.ExportRow, db: Queryable): Promise<void> {
  const { to } = await findNext(db, row, now());
  await queries.noteNext(db, row.id, new Date(to));
}

/** Written anew: the latest periods first, then what has changed. */
async function bringUpToDate(
  parts: ScheduledParts,
  row: queries.ExportRow,
  access: S3Access | undefined,
  db: Queryable,
  signal: AbortSignal,
): Promise<void> {
  const { now, partRows, keepSeconds } = parts;
  const began = now();
  const files = { ...parts.files, clickhouse: parts.files.clickhouse.until(signal) };
  const source = openSource({ ...parts, files }, row);
  const completeUntil = await source.completeUntil();
  const store = openPlace(row, parts.places, access, signal);
  try {
    const writing: Writing = { row, source, store, db, completeUntil, partRows, keepSeconds, now, signal };
    const names = await listToWrite(parts, writing);
    let written = 0;
    for (const name of names) {
      // The rest waits for the next turn.
      if (written > 0 && now() - began > TURNS.slowMs) break;
      signal.throwIfAborted();
      await writePeriod(writing, readPeriod(name, source.timezone));
      parts.observe('written');
      written += 1;
    }
    await removeFormer(writing);
    // Nothing written leaves it as it was at the beginning of the turn.
    if (written > 0) await noteNext(parts, row, db);
    const next = written < names.length || names.length >= PERIODS ? now() : now() + REST_MS;
    await queries.noteLooked(db, row.id, new Date(next), new Date(completeUntil));
  } finally {
    store.close();
  }
}

async function listToWrite(parts: ScheduledParts, { row, source, store, db, completeUntil, now }: Writing) {
  const missing = await readMissing(db, row, source, completeUntil, PERIODS);
  const at = new Date(now());
  const { same, changed } = await compare(parts, row, db, source);
  const [standing, overtaken]: [string[], string[]] = [[], []];
  for (const { period, revision, has_former } of same) {
    // Where nothing was written for a while, nothing can be late.
    const isThere = !has_former || (await isStanding(store, period, revision));
    (isThere ? standing : overtaken).push(period);
  }
  await queries.noteChecked(db, row.id, standing, at);
  return [...missing.map(({ period }) => period), ...[...changed, ...overtaken].slice(0, PERIODS)];
}

/** A revision that the manifest names all the same stays until another one is there. */
async function removeFormer(writing: Writing): Promise<void> {
  const { row, source, store, db, now } = writing;
  for (const { period, revision } of await queries.readToRemove(db, row.id, new Date(now()), PERIODS)) {
    if ((await readManifest(store, period))?.revision === revision) {
      await writePeriod(writing, readPeriod(period, source.timezone));
      continue;
    }
    await store.remove(`${namePeriodFolder(period)}/r${revision}`);
    await queries.noteRemoved(db, row.id, period, revision);
  }
}

/** The written periods that are due to be compared: those whose rows are as they were, and those that have others. */
export async function compare(
  { now, checkSeconds }: Pick<ScheduledParts, 'now' | 'checkSeconds'>,
  row: queries.ExportRow,
  db: Queryable,
  source: Source,
): Promise<{ readonly same: readonly queries.ToCheckRow[]; readonly changed: readonly string[] }> {
  const at = now();
  const recent = namePeriod(row.every, source.timezone, at - RECENT_DAYS * DAY_MS);
  const [before, ever] = [new Date(at - checkSeconds * 1_000), new Date(at - DAY_MS)];
  const due = await queries.readToCheck(db, row.id, recent, before, ever, COMPARED);
  const end = addDays(due[0]?.period.slice(0, 10) ?? FIRST_DAY, COMPARED_DAYS);
  const compared = due.filter(({ period }) => period < end);
  if (compared.length === 0) return { same: [], changed: [] };
  const sums = await source.sums(compared.map(({ period }) => readPeriod(period, source.timezone)));
  const isSame = ({ period, fingerprint }: queries.ToCheckRow) =>
    (sums.get(period) ?? NOTHING).fingerprint === fingerprint;
  return {
    same: compared.filter(isSame),
    changed: compared.filter((one) => !isSame(one)).map(({ period }) => period),
  };
}

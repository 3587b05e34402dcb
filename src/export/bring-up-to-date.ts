/**
 * A turn of a scheduled export: what is missing is written, then what has changed since, and what was replaced goes.
 * Each is tried whatever became of the others, and has one step at least, however long the others take.
 */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import type { FileReads } from '../files/export-runner';
import type { Log } from '../lib/log';
import { MINUTE_MS } from '../lib/time';
import type { S3Access } from '../stores/s3-store';
import { compare, COMPARED, listToCompare } from './compare';
import { findNext, readMissing } from './missing';
import { openPlace, type Places } from './open-place';
import { openSource } from './open-source';
import { namePeriodFolder, readPeriod } from './periods';
import * as queries from './scheduled-queries';
import type { SourceParts } from './source';
import { isStanding, readManifest } from './standing';
import { LeftBehindError, StoppedError, writePeriod, type Writing } from './write-period';

/** How often an export is looked at of which nothing is to be done. */
const REST_MS = 5_000;
/** After so long the rest waits for the next turn. */
export const SLOW_MS = MINUTE_MS;
/** Periods that are written before another export has its turn. */
const PERIODS = 24;

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

interface Turn {
  readonly parts: ScheduledParts;
  readonly writing: Writing;
  readonly isOver: () => boolean;
  /** Notes a failure and goes on, unless all is to stop. Resolves with whether it went well. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Notes how far behind the export is, for those who look at all of them. */
export async function noteNext({ now }: ScheduledParts, row: queries.ExportRow, db: Queryable): Promise<void> {
  const { to } = await findNext(db, row, now());
  await queries.noteNext(db, row.id, new Date(to));
}

/** @throws what failed first, once the rest is done; what is left behind matters less than what is not written. */
export async function bringUpToDate(
  parts: ScheduledParts,
  row: queries.DueRow,
  access: S3Access | undefined,
  db: Queryable,
  signal: AbortSignal,
): Promise<void> {
  const { now, partRows, keepSeconds } = parts;
  const began = now();
  const files = { ...parts.files, clickhouse: parts.files.clickhouse.until(signal) };
  const source = openSource({ ...parts, files }, row);
  const completeUntil = await source.completeUntil();
  await queries.noteComplete(db, row.id, new Date(completeUntil));
  const store = openPlace(row, parts.places, access, signal);
  const failures: unknown[] = [];
  const turn: Turn = {
    parts,
    writing: { row, source, store, db, completeUntil, partRows, keepSeconds, now, signal },
    isOver: () => now() - began > SLOW_MS,
    async attempt(work) {
      try {
        await work();
        return true;
      } catch (error) {
        if (signal.aborted || error instanceof StoppedError) throw error;
        failures.push(error);
        return false;
      }
    },
  };
  let isLeft = false;
  try {
    for (const step of [writeMissing, rewriteChanged, removeFormer])
      await turn.attempt(async () => {
        if (await step(turn)) isLeft = true;
      });
  } finally {
    store.close();
  }
  if (failures.length > 0) throw failures.find((one) => !(one instanceof LeftBehindError)) ?? failures[0];
  await queries.noteLooked(db, row.id, new Date(isLeft ? now() : now() + REST_MS), row.due_at);
}

/** Writes periods one after the other, the first in any case. Resolves with how many it tried. */
async function writeAll({ parts, writing, isOver, attempt }: Turn, names: readonly string[]): Promise<number> {
  for (const [at, name] of names.entries()) {
    if (at > 0 && isOver()) return at;
    writing.signal.throwIfAborted();
    await attempt(async () => {
      await writePeriod(writing, readPeriod(name, writing.source.timezone));
      parts.observe('written');
    });
  }
  return names.length;
}

/** The latest first. Resolves with whether some are left. */
async function writeMissing(turn: Turn): Promise<boolean> {
  const { parts, writing } = turn;
  const { row, source, db, completeUntil } = writing;
  const missing = await readMissing(db, row, source, completeUntil, PERIODS);
  const tried = await writeAll(
    turn,
    missing.map(({ period }) => period),
  );
  // Nothing written leaves it as it was at the beginning of the turn.
  if (tried > 0) await noteNext(parts, row, db);
  return tried < missing.length || missing.length >= PERIODS;
}

/** Resolves with whether some are left. */
async function rewriteChanged(turn: Turn): Promise<boolean> {
  const { parts, writing, isOver, attempt } = turn;
  const groups = await listToCompare(parts, writing.row, writing.db, writing.source);
  let tried = 0;
  for (const [at, group] of groups.entries()) {
    if (at > 0 && (isOver() || tried >= PERIODS)) return true;
    await attempt(async () => {
      const names = (await listChanged(turn, group)).slice(0, PERIODS);
      tried += await writeAll(turn, names);
    });
  }
  return tried >= PERIODS || groups.flat().length >= COMPARED;
}

/** Periods whose rows have changed, or whose manifest is another one; the others are noted as compared. */
async function listChanged({ writing }: Turn, group: readonly queries.ToCheckRow[]): Promise<string[]> {
  const { row, source, store, db, now } = writing;
  const at = new Date(now());
  const { same, changed } = await compare(source, group);
  const [standing, overtaken]: [string[], string[]] = [[], []];
  for (const { period, revision, has_former } of same) {
    // Where nothing was written for a while, nothing can be late.
    const isThere = !has_former || (await isStanding(store, period, revision));
    (isThere ? standing : overtaken).push(period);
  }
  await queries.noteChecked(db, row.id, standing, at);
  return [...changed, ...overtaken];
}

/** A revision that the manifest names all the same stays until another one is there. */
async function removeFormer({ writing, attempt }: Turn): Promise<boolean> {
  const { row, source, store, db, now } = writing;
  const former = await queries.readToRemove(db, row.id, new Date(now()), PERIODS);
  for (const { period, revision } of former) {
    const isRemoved = await attempt(async () => {
      if ((await readManifest(store, period))?.revision === revision) {
        await writePeriod(writing, readPeriod(period, source.timezone));
        return;
      }
      await store.remove(`${namePeriodFolder(period)}/r${revision}`).catch((cause: unknown) => {
        throw new LeftBehindError(`r${revision} of ${period}, a former revision, is not removed`, { cause });
      });
      await queries.noteRemoved(db, row.id, period, revision);
    });
    // What removes one removes all.
    if (!isRemoved) return false;
  }
  return former.length >= PERIODS;
}

/**
 * Notes when schedules are due. A run, its messages and the next time are noted in one transaction, and a time is noted
 * once: in any number of processes, killed anywhere, each has its messages once. After a time in which no process ran,
 * only the latest one that was missed is noted.
 */
import type { Postgres } from '../db/postgres';
import type { Log } from '../lib/log';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { findLatest, findNext } from './due';
import * as queries from './queries';

const LOOK_MS = 2_000;

export interface ScheduleWorkerParts {
  readonly postgres: Postgres;
  readonly log: Log;
  readonly now: () => number;
  /** Messages were noted. */
  readonly onMessages: () => void;
}

/** Resolves with whether there may be more. */
export const startSchedules = ({ postgres, log, now, onMessages }: ScheduleWorkerParts): PeriodicTask =>
  runPeriodically('Scheduling reports', LOOK_MS, log, async () => {
    const at = now();
    const isDue = await postgres.tx(async (db) => {
      const [due] = await queries.takeDue(db, new Date(at));
      if (!due) return false;
      const latest = new Date(findLatest(due, due.timezone, at));
      // The zone of the project may have changed since: then it is due later.
      if (latest >= due.next_at) {
        const [run] = await queries.addRun(db, due.id, latest, latest);
        if (run) await queries.addMessages(db, run.id);
      }
      await queries.setNext(db, due.id, new Date(findNext(due, due.timezone, at)));
      return true;
    });
    if (isDue) onMessages();
    return isDue;
  });

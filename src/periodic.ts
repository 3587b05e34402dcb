/** Work that repeats by itself, in every process or in one at a time. */
import type { Postgres, Queryable } from './db/postgres';
import type { Log } from './log';

export interface Loop {
  /** Takes the next turn at once. */
  readonly soon: () => void;
  /** Waits for the turn under way, and takes no other. */
  stop(): Promise<void>;
}

/**
 * Takes a turn every `everyMs` after the end of the one before; a turn that resolves with true is followed by another at
 * once. A failure is repeated at the next turn, and logged when it is new.
 */
export function runPeriodically(name: string, everyMs: number, log: Log, turn: () => Promise<boolean | void>): Loop {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let lastFailure = '';

  const take = async () => {
    try {
      const more = await turn();
      lastFailure = '';
      return more === true;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== lastFailure) log.warn(`${name} failed, and is repeated: ${failure}`);
      lastFailure = failure;
      return false;
    }
  };
  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      running = running.then(async () => {
        const more = stopped ? false : await take();
        schedule(more ? 0 : everyMs);
      });
    }, ms);
  };
  schedule(0);
  return {
    soon: () => schedule(0),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The lock of whoever decides installs, and of whoever forgets them: one process at a time. */
export const ATTRIBUTION_LOCK = 7_203_003;

/**
 * Runs `work` unless another process is at it: one holder of `lock` at a time, among all processes on the database.
 * `work` is handed the connection that holds the lock, to find out that it lost it before it writes.
 */
export async function tryWithLock<T>(
  postgres: Postgres,
  lock: number,
  work: (db: Queryable) => Promise<T>,
): Promise<T | undefined> {
  return postgres.tx(async (db) => {
    const [row] = await db.rows<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [lock]);
    return row?.mine ? work(db) : undefined;
  });
}

/** Runs `work` once whoever holds `lock` has let go of it; whoever asks for it with `alone` meanwhile does not get it. */
export async function withLock<T>(postgres: Postgres, lock: number, work: () => Promise<T>): Promise<T> {
  return postgres.tx(async (db) => {
    await db.rows('SELECT pg_advisory_xact_lock($1)', [lock]);
    return work();
  });
}

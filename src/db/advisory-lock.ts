/** Advisory locks of PostgreSQL: who, among all processes on one database, may do what only one may do at a time. */
import type { Postgres, Queryable } from './postgres';

/** The number of each lock; they share one namespace in the database. */
export const LOCKS = {
  migration: 7_203_001,
  housekeeping: 7_203_002,
  /** Held while installs are decided, and while persons are erased. */
  attribution: 7_203_003,
  installsByIdentifier: 7_203_004,
  appReports: 7_203_005,
  webReports: 7_203_006,
  /** Held by the process that forgets persons. */
  erasure: 7_203_007,
  touches: 7_203_008,
  installQueue: 7_203_009,
  recordsByInstall: 7_203_010,
  outbox: 7_203_015,
  /** Held while a backup is taken. */
  backup: 7_203_016,
  /** Held while what is sealed at rest is sealed with the key of now. */
  sealing: 7_203_043,
} as const;
/** One for each lane of attribution. */
export const LANE_LOCKS = [7_203_011, 7_203_012, 7_203_013, 7_203_014] as const;
/**
 * While all of these are held nothing is derived, settled, copied from the configuration or erased. In this order: who
 * holds one of them waits only for those after it.
 */
export const DERIVING_LOCKS: readonly LockId[] = [
  LOCKS.erasure,
  LOCKS.housekeeping,
  LOCKS.attribution,
  ...LANE_LOCKS,
  LOCKS.touches,
  LOCKS.outbox,
  LOCKS.appReports,
  LOCKS.webReports,
  LOCKS.installQueue,
  LOCKS.installsByIdentifier,
  LOCKS.recordsByInstall,
];
export type LockId = (typeof LOCKS)[keyof typeof LOCKS] | (typeof LANE_LOCKS)[number];

/**
 * Runs `work` unless another process holds the lock; resolves with undefined then. `work` is handed the connection that
 * holds the lock, to find out that it lost it before it writes.
 */
export async function tryWithLock<T>(
  postgres: Postgres,
  lock: LockId,
  work: (db: Queryable) => Promise<T>,
): Promise<T | undefined> {
  return postgres.tx(async (db) => {
    const [row] = await db.rows<{ acquired: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS acquired', [lock]);
    return row?.acquired ? work(db) : undefined;
  });
}

/** Locks of one project each, in a namespace of their own. */
export const PROJECT_LOCKS = {
  /** Held while an upload of spend is stored, and while one is undone. */
  spendUploads: 7_203,
} as const;

/** Runs `work` unless somebody holds the lock of this project; resolves with undefined then. */
export async function tryWithProjectLock<T>(
  postgres: Postgres,
  lock: (typeof PROJECT_LOCKS)[keyof typeof PROJECT_LOCKS],
  projectId: number,
  work: (db: Queryable) => Promise<T>,
): Promise<T | undefined> {
  return postgres.tx(async (db) => {
    const [row] = await db.rows<{ acquired: boolean }>('SELECT pg_try_advisory_xact_lock($1, $2) AS acquired', [
      lock,
      projectId,
    ]);
    return row?.acquired ? work(db) : undefined;
  });
}

/**
 * Takes all of these locks for the transaction of a connection; resolves with whether it has them. The other ones of
 * those are released with the transaction.
 */
export async function tryLocks(db: Queryable, locks: readonly LockId[]): Promise<boolean> {
  const [row] = await db.rows<{ acquired: boolean }>(
    'SELECT bool_and(pg_try_advisory_xact_lock(lock)) AS acquired FROM unnest($1::bigint[]) AS lock',
    [locks],
  );
  return row?.acquired === true;
}

/** Runs `work` once the process that holds the lock has released it. */
export function withLock<T>(postgres: Postgres, lock: LockId, work: (db: Queryable) => Promise<T>): Promise<T> {
  return withLocks(postgres, [lock], work);
}

/** The same with several locks, taken one after the other on one connection. */
export async function withLocks<T>(
  postgres: Postgres,
  locks: readonly LockId[],
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  return postgres.tx(async (db) => {
    for (const lock of locks) await db.rows('SELECT pg_advisory_xact_lock($1)', [lock]);
    return work(db);
  });
}

/**
 * Takes a backup while the service keeps running: one consistent whole of both engines, of what of the ingest logs is
 * not drained, and of the secrets.
 *
 * 1. It waits until what was accepted before it is in ClickHouse, as far as that is possible.
 * 2. It takes the locks of everything that derives, and of migrations, so that PostgreSQL (how far everything is) and
 *    ClickHouse (what was made) belong together. Records are accepted and drained meanwhile.
 * 3. PostgreSQL gives a snapshot, and ClickHouse keeps the parts of its tables by hard links; segments of the log are
 *    copied before the tables that they are drained to, so that every record is in the one or the other, or in both,
 *    where it meets itself again. Touches come after everything that may be credited to them: no install is there
 *    without a touch that was accepted before it. That takes some seconds; then the locks are released.
 * 4. What was kept is copied, for as long as it takes, and the manifest is written last.
 *
 * Killed anywhere, the service keeps running as before, and what was not finished is removed by the next backup.
 */
import { DERIVING_LOCKS, LOCKS, tryWithLock } from '../db/advisory-lock';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { StartError } from '../errors';
import type { Seals } from '../lib/seal';
import { readTable } from '../tables/tables';
import * as clickhouseCopy from './clickhouse-copy';
import { copyLogs } from './ingest-log-copy';
import { buildBackupId, listBackups, listProcesses, readManifest, writeManifest, type Manifest } from './manifest';
import { PostgresSnapshot } from './postgres-copy';
import { copySecrets } from './secrets';
import type { Store } from '../stores/store';

/** How long the start of a backup, and the copying of touches, wait for what was accepted before. */
const SETTLE_MS = 10_000;

/** Touches come after everything that may be credited to them. */
const comesLast = (table: string) => readTable(table)?.backup === 'last';
const isTouchSegment = (segment: string) => comesLast(/\.(\w+)\.ndjson$/.exec(segment)?.[1] ?? '');

const waitingLogs = postgresQuery<{ name: string; host: string; received_up_to: Date }>('backup.waiting-logs');

export interface TakeParts {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  readonly dataDir: string;
  /** The folder of the logs of this machine. */
  readonly logs: string;
  readonly seals: Seals;
  readonly sealKey: string;
  /** The version of adtrail. */
  readonly version: string;
  /**
   * Waits until everything accepted up to a time is in ClickHouse, for `ms` milliseconds at most; undefined where no
   * process runs that could.
   */
  readonly settle: ((at: number, ms: number) => Promise<unknown>) | undefined;
  readonly now: () => number;
}

/** How far a backup or restore is: how many of the bytes of a stage are done. */
export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}
export type Tell = (progress: Progress) => void;

export interface TakeOptions {
  /** Everything is copied, and not only what the newest one there does not have. */
  readonly whole: boolean;
  /** With the key that secrets are sealed with. */
  readonly withSealKey: boolean;
}

/**
 * Takes a backup into a store; it adds to the newest one there, unless a whole one is asked for.
 *
 * @throws StartError where another one is taken at the same time, or ClickHouse cannot write to the store.
 */
export async function takeBackup(parts: TakeParts, store: Store, options: TakeOptions, tell: Tell): Promise<Manifest> {
  if (parts.cluster !== undefined)
    throw new StartError(
      'Backups of a cluster of ClickHouse are taken with its own tools: docs/operations.md, Backups.',
    );
  const taken = await tryWithLock(parts.postgres, LOCKS.backup, async () => {
    try {
      return await take(parts, store, options, tell);
    } finally {
      await clickhouseCopy.dropFrozen(parts.clickhouse).catch(() => undefined);
    }
  });
  if (!taken) throw new StartError('Another backup is being taken.');
  return taken;
}

async function take(
  parts: TakeParts,
  store: Store,
  { whole, withSealKey }: TakeOptions,
  tell: Tell,
): Promise<Manifest> {
  const { clickhouse, now, version } = parts;
  const { finished, unfinished } = await listBackups(store);
  for (const id of unfinished) await store.remove(id);
  const base = whole ? undefined : finished.at(-1);
  const basis = base === undefined ? undefined : await readManifest(store, base);
  const id = buildBackupId(now());
  const kept = await keep(parts, store, id, tell);
  const { snapshot } = kept;
  try {
    const postgres = [];
    for (const table of await snapshot.tables()) postgres.push(await snapshot.copy(table, store, id));
    const total = kept.tables.reduce((sum, { bytes }) => sum + bytes, 0);
    const tables = [];
    let done = 0;
    for (const table of kept.tables) {
      tell({ stage: `copying ${table.name}`, done, total });
      const isInBase = basis?.clickhouse.some((known) => known.table === table.name);
      tables.push(await clickhouseCopy.copyTable(clickhouse, table, store, { id, base: isInBase ? base : undefined }));
      done += table.bytes;
    }
    const manifest: Manifest = {
      form: 1,
      id,
      base: base ?? null,
      adtrail: version,
      engines: { postgres: await snapshot.version(), clickhouse: await clickhouseCopy.readVersion(clickhouse) },
      ...kept.told,
      postgres,
      clickhouse: tables,
      secrets: await copySecrets(parts.dataDir, parts.seals, withSealKey ? parts.sealKey : undefined, store, id),
      seal_key: parts.seals.mark,
    };
    await writeManifest(store, manifest);
    tell({ stage: 'done', done: total, total });
    return manifest;
  } finally {
    await snapshot.close();
  }
}

type Told = Pick<Manifest, 'complete_until' | 'taken_at' | 'missing_logs' | 'migrations' | 'ingest_log' | 'sequences'>;

interface Kept {
  readonly snapshot: PostgresSnapshot;
  readonly tables: readonly clickhouseCopy.Table[];
  readonly told: Told;
}

/** Steps 1 to 3: holds on to what there is at one moment. */
async function keep(parts: TakeParts, store: Store, id: string, tell: Tell): Promise<Kept> {
  const { postgres, settle, now } = parts;
  tell({ stage: 'waiting for what was accepted', done: 0, total: 0 });
  await settle?.(now(), SETTLE_MS);
  tell({ stage: 'waiting for what is being derived', done: 0, total: 0 });
  return postgres.tx(async (db) => {
    // What is under way may take long.
    await db.rows('SET LOCAL statement_timeout = 0');
    for (const lock of [LOCKS.migration, ...DERIVING_LOCKS]) await db.rows('SELECT pg_advisory_xact_lock($1)', [lock]);
    tell({ stage: 'keeping what there is', done: 0, total: 0 });
    const snapshot = await PostgresSnapshot.open(parts.databaseUrl);
    try {
      return await keepLocked(parts, store, id, snapshot);
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  });
}

async function keepLocked(
  { postgres, clickhouse, logs, settle, now }: TakeParts,
  store: Store,
  id: string,
  snapshot: PostgresSnapshot,
): Promise<Kept> {
  const begun = now();
  const tables = await clickhouseCopy.readTables(clickhouse);
  await clickhouseCopy.startFreezing(clickhouse);
  const facts = await copyLogs(logs, store, id, (segment) => !isTouchSegment(segment));
  const names = tables.map(({ name }) => name);
  const early = names.filter((name) => !comesLast(name));
  // What the queue of installs lacks is found; what it has too much is not.
  for (const isFirst of [true, false])
    for (const name of early.filter((one) => clickhouseCopy.isFilledByView(one) === isFirst))
      await clickhouseCopy.freeze(clickhouse, name);
  await settle?.(now(), SETTLE_MS);
  const touches = await copyLogs(logs, store, id, isTouchSegment);
  for (const name of names.filter(comesLast)) await clickhouseCopy.freeze(clickhouse, name);
  const copied = [...facts, ...touches];
  const known = listProcesses(copied);
  const missing = settle ? await waitingLogs(postgres, known) : [];
  const until = missing.filter(({ received_up_to: upTo }) => upTo.getTime() < begun);
  return {
    snapshot,
    tables,
    told: {
      complete_until: new Date(
        Math.min(begun, ...until.map(({ received_up_to: upTo }) => upTo.getTime())),
      ).toISOString(),
      taken_at: new Date(now()).toISOString(),
      missing_logs: until.map(({ name, host }) => ({ name, host })),
      migrations: {
        postgres: await snapshot.migrations(),
        clickhouse: await clickhouseCopy.readMigrations(clickhouse),
      },
      ingest_log: copied,
      sequences: await snapshot.sequences(),
    },
  };
}

/**
 * Erases persons: hides everything of them within a minute, and sees to it that nothing stays on disk. Each request
 * stands alone: one that fails is set aside with its reason, and the others continue.
 */
import { changeAs, SERVICE } from '../configuration/change';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { LOCKS, tryWithLock, withLocks } from '../db/advisory-lock';
import { readRegister, type Register } from '../db/personal-data';
import { UnavailableError } from '../errors';
import type { Processes } from '../ingest/processes';
import type { Log } from '../lib/log';
import { listLocks } from '../tables/tables';
import type { Tracing } from '../tracing/tracing';
import { searchDisk, searchSubjects, type Folders, type Identifiers } from './disk';
import { beginCounts, type Found } from './owned';
import * as plan from './plan';
import * as queries from './queries';
import type { Seal } from '../lib/seal';

export interface ErasureOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  readonly seal: Seal;
  /** Where the embedded engines and the ingest log write. */
  readonly folders: Folders;
  readonly log: Log;
  readonly tracing: Pick<Tracing, 'span'>;
  readonly now: () => number;
  /** How far the processes have come whose logs may still hold records of the person. */
  readonly processes: Pick<Processes, 'settled' | 'settledByAll'>;
  /** Up to which receipt time, in milliseconds, everything is taken in by what a person's records are found by. */
  readonly settledUpTo: () => number;
  /** Derives all visitors of whom something is stored. */
  readonly catchUpWebVisitors: () => Promise<void>;
  /** Told when the oldest request was made whose person is not hidden yet; undefined for none. */
  readonly observeOldest: (requestedAt: number | undefined) => void;
}

/**
 * So long after a person is hidden the rest begins: by then nothing is derived any more from records as they were, and
 * what had begun to be is found.
 */
const SETTLE_MS = 15_000;
/** A request that fails is tried again after this, and each further time after twice as long, up to the second. */
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60 * 60_000;
/** Held while a person is being hidden: nothing is decided, and no touch and no event is taken in. */
const HIDING = listLocks((table) => table.waitsForHiding === true);
/** Held as installs are no longer found by their devices: no journey is derived from records that still name them. */
const UNLINKING = listLocks((table) => table.waitsForUnlinking === true);
/** Held while rows move to other IDs: nothing is derived that may name a person. */
const MOVING = listLocks((table) => table.erasure.does !== 'nothing');
/** The longest reason that is kept. */
const FAILURE_LENGTH = 500;

/** How far a request has come since this process took it up; another process starts it again, which does no harm. */
type Progress =
  | { readonly stage: 'hiding' | 'unlinking'; readonly identifiers: Identifiers; readonly until: number }
  | { readonly stage: 'copied'; readonly emptiedVersion: number; readonly hasVisitors: boolean }
  | { readonly stage: 'removing'; readonly settled: number }
  | { readonly stage: 'leaving'; readonly settled: number; readonly since: number };
type Context = ErasureOptions & { readonly register: Register; readonly progress: Map<number, Progress> };

/** One run: brings every request that is not set aside as far as it comes. By one process at a time. */
export function createErasure(options: ErasureOptions): () => Promise<void> {
  const progress = new Map<number, Progress>();
  let register: Register | undefined;
  return async () => {
    const { postgres, clickhouse, now } = options;
    options.observeOldest(await queries.readOldestVisible(postgres));
    if ((await queries.readRequestsUnderWay(postgres, now())).length === 0) return;
    if (!register) {
      const read = await readRegister(clickhouse);
      plan.checkPlan(read);
      register = read;
    }
    const context = { ...options, register, progress };
    const advanceAll = async () => {
      for (const request of await queries.readRequestsUnderWay(postgres, now()))
        await advanceOrSetAside(context, request);
    };
    await tryWithLock(postgres, LOCKS.erasure, () => options.tracing.span('erasure', {}, advanceAll));
    options.observeOldest(await queries.readOldestVisible(postgres));
  };
}

async function advanceOrSetAside(context: Context, request: queries.Request): Promise<void> {
  const { postgres, clickhouse, cluster, log, now, progress } = context;
  try {
    await advance(context, request);
  } catch (error) {
    progress.delete(request.id);
    // An engine that is away is no failure of the request.
    if (error instanceof UnavailableError || !(await clickhouse.ping())) throw error;
    await queries.stopChanges(clickhouse, cluster, request.id);
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, FAILURE_LENGTH);
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(request.attempts, 20));
    await queries.setAside(postgres, request.id, now() + wait, reason);
    log.warn(`Request ${request.id} to forget somebody is set aside for ${wait / 1000} s: ${reason}`);
  }
}

async function advance(context: Context, request: queries.Request): Promise<void> {
  const { postgres, now, progress } = context;
  const { id, hidden_at: hiddenAt } = request;
  if (!hiddenAt) {
    // What was accepted before the request names devices and visitors too.
    if ((await context.processes.settled()) < request.requested_at.getTime()) return;
    const begun = progress.get(id);
    const hiding =
      begun && 'identifiers' in begun
        ? begun
        : { stage: 'hiding' as const, ...(await withLocks(postgres, HIDING, () => startHiding(context, request))) };
    const { identifiers, until } = hiding;
    progress.set(id, hiding);
    if (await isUnderWay(context, id)) return;
    if (hiding.stage === 'hiding') {
      await withLocks(postgres, UNLINKING, async () => unlink(context, await buildTarget(context, request, until)));
      progress.set(id, { ...hiding, stage: 'unlinking' });
      if (await isUnderWay(context, id)) return;
    }
    const sealed = context.seal.seal(JSON.stringify(identifiers));
    await changeAs(postgres, SERVICE, (db) => queries.setHidden(db, id, now(), sealed));
    progress.delete(id);
    return;
  }
  if (now() < hiddenAt.getTime() + SETTLE_MS) return;
  // The log of a process that is gone may hold records of the person, and stores them when it comes back.
  if ((await context.processes.settledByAll()) < hiddenAt.getTime()) return;
  // A touch that is taken in only later, from a row that is not blanked yet, would not be found to be of the person,
  // and a record that is not there yet would not be copied.
  if (context.settledUpTo() < hiddenAt.getTime()) return;
  let reached = progress.get(id);
  if (!reached || 'identifiers' in reached) {
    reached = await withLocks(postgres, MOVING, () => copyRows(context, request));
    progress.set(id, reached);
  }
  if (reached.stage === 'copied') {
    const { emptiedVersion, hasVisitors } = reached;
    // The rows of the visitors are gone now, which is a change: deriving it names them once more.
    if (hasVisitors && !(await areVisitorsDerived(context))) return;
    const settled = await withLocks(postgres, MOVING, () => removeRows(context, request, emptiedVersion));
    reached = { stage: 'removing', settled };
    progress.set(id, reached);
  }
  if (await isUnderWay(context, id)) return;
  const { settled } = reached;
  const leaving = reached.stage === 'leaving' ? reached : { stage: 'leaving' as const, settled, since: now() };
  progress.set(id, leaving);
  if (await hasLeftovers(context, leaving.since)) return;
  await finish(context, request, leaving);
  progress.delete(id);
}

/** False where they are behind: this request waits for them, and no other does. */
async function areVisitorsDerived({ catchUpWebVisitors }: Context): Promise<boolean> {
  try {
    await catchUpWebVisitors();
    return true;
  } catch (error) {
    if (error instanceof UnavailableError) return false;
    throw error;
  }
}

async function isUnderWay({ clickhouse, cluster }: Context, id: number): Promise<boolean> {
  const { unfinished, failure } = await queries.readUnfinished(clickhouse, cluster, id);
  if (failure !== '') throw new Error(failure);
  return unfinished > 0;
}

/** Whether parts that were replaced up to `since` are still on the disk. */
async function hasLeftovers({ clickhouse, cluster, register }: Context, since: number): Promise<boolean> {
  const tables = [...register]
    .filter(([, columns]) => columns.some(({ sort }) => sort !== 'none'))
    .map(([name]) => name);
  const found = await queries.readLeftovers(clickhouse, cluster, tables, since);
  if (found.length === 0 || cluster) return found.length > 0;
  await queries.clearReplacedParts(clickhouse, found);
  return (await queries.readLeftovers(clickhouse, cluster, tables, since)).length > 0;
}

async function buildTarget(
  { clickhouse }: Context,
  request: queries.Request,
  until: number,
  settled = until + SETTLE_MS,
): Promise<plan.Target> {
  const kinds = new Set((await queries.readNoted(clickhouse, request.id)).map(({ kind }) => kind));
  return { request: request.id, project: request.project_id, until, settled, kinds };
}

async function startHiding(
  context: Context,
  request: queries.Request,
): Promise<{ identifiers: Identifiers; until: number }> {
  const { postgres, clickhouse, cluster, seal, now } = context;
  const until = now();
  const value = seal.open(request.value as string);
  const devices = await queries.findSubjects(clickhouse, request, value, until);
  await queries.spreadSubjects(clickhouse, cluster);
  const target = await buildTarget(context, request, until);
  await queries.setFound(postgres, request.id, await count(context, target));
  await hide(context, target);
  return { identifiers: { devices, others: request.kind === 'user' ? [value] : [] }, until };
}

/** How much there is of the person, before any of it is hidden. */
async function count({ clickhouse }: Context, target: plan.Target): Promise<Found> {
  const found = beginCounts();
  for (const { kind, subjects } of await queries.readNoted(clickhouse, target.request))
    if (kind === 'install' || kind === 'visitor') found[`${kind}s`] = subjects;
  for (const { table, query } of plan.counts(target)) found[table] = await queries.countRows(clickhouse, query);
  return found;
}

async function hide({ clickhouse, cluster, register }: Context, target: plan.Target): Promise<void> {
  for (const text of plan.replacements(target)) await clickhouse.command(text);
  for (const change of plan.hidingChanges(register, target)) await queries.startChange(clickhouse, cluster, change);
}

async function unlink({ clickhouse, cluster, register }: Context, target: plan.Target): Promise<void> {
  for (const change of plan.unlinkingChanges(register, target)) await queries.startChange(clickhouse, cluster, change);
}

/** What a person that is hidden was found by. */
const openIdentifiers = ({ seal }: Context, { needles }: queries.Request): Identifiers =>
  needles ? (JSON.parse(seal.open(needles)) as Identifiers) : { devices: [], others: [] };

/** `emptiedVersion` is the version up to which nothing that is derived of the visitors is of later visits. */
async function copyRows(context: Context, request: queries.Request): Promise<Extract<Progress, { stage: 'copied' }>> {
  const { clickhouse, cluster, register } = context;
  const hiddenAt = (request.hidden_at as Date).getTime();
  // Touches that were still on their way when the person was hidden.
  await queries.findTouchesAgain(clickhouse, request, openIdentifiers(context, request).devices, hiddenAt);
  await queries.spreadSubjects(clickhouse, cluster);
  const target = await buildTarget(context, request, hiddenAt);
  await hide(context, target);
  await unlink(context, target);
  for (const copy of [...plan.copies(register, target), ...plan.movedReplacements(target)])
    await clickhouse.command(copy);
  const hasVisitors = target.kinds.has('visitor');
  const emptiedVersion = hasVisitors ? await queries.readEmptiedVersion(clickhouse, request.id, request.project_id) : 0;
  return { stage: 'copied', emptiedVersion, hasVisitors };
}

/** Resolves with the time up to which what names the person is removed. */
async function removeRows(context: Context, request: queries.Request, emptiedVersion: number): Promise<number> {
  const { clickhouse, cluster, register, now } = context;
  const settled = now();
  const target = await buildTarget(context, request, (request.hidden_at as Date).getTime(), settled);
  for (const change of plan.removingChanges(register, target, emptiedVersion))
    await queries.startChange(clickhouse, cluster, change);
  return settled;
}

/** Nothing of the person must be left anywhere, and last of all the identifiers themselves go. */
async function finish(
  context: Context,
  request: queries.Request,
  { settled, since }: Extract<Progress, { stage: 'leaving' }>,
): Promise<void> {
  const { postgres, clickhouse, cluster, folders, register, now } = context;
  // Rows from the second in which the removal began may have come after it: they do not count.
  const target = await buildTarget(context, request, (request.hidden_at as Date).getTime(), settled - 1_000);
  if (target.kinds.size > 0) {
    for (const { table, query } of plan.remainders(register, target)) {
      const held = await queries.countRows(clickhouse, query);
      if (held > 0) throw new Error(`${held} rows of ${table} still hold something of the person`);
    }
    const needles = await searchDisk(clickhouse, folders, request.id, openIdentifiers(context, request), since);
    await queries.startChange(clickhouse, cluster, plan.dropSubjects(register, request.id));
    await searchSubjects(clickhouse, folders.data, needles);
  }
  await changeAs(postgres, SERVICE, (db) => queries.setRemoved(db, request.id, now()));
}

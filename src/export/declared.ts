/**
 * Exports that a project declares itself (docs/contract/scheduled-exports.md): into a folder of its own, or a bucket
 * with keys of its own. Nothing that is the operator's is used for them.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { change, type Actor } from '../configuration/change';
import { readEntry } from '../configuration/export-entry';
import {
  isSameBucket,
  MOST_EXPORTS,
  nameExportPlace,
  nameFolder,
  nameKeyedPlace,
  nameProjectFolder,
  readBarePlace,
} from '../configuration/exports';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { addDays } from '../lib/time';
import { accessWith, explainFailure, mayReach, openPlace, type Keys, type Places } from './open-place';
import { readZone } from './missing';
import { namePeriod, readPeriod } from './periods';
import * as queries from './scheduled-queries';
import type { Changes, Declared } from './scheduled-schema';
import * as service from './scheduled-service';

const REMOVING_MS = 20_000;
const LOOK_MS = 200;
/** How long whoever tries an export out waits for its bucket. */
const TRY_MS = 15_000;

interface Read {
  readonly entry: ReturnType<typeof readEntry>;
  /** What its bucket is reached with; undefined for a folder. */
  readonly keys: Keys | undefined;
}

/** @throws ApiError 400 naming the field, and 403 where projects declare none. */
function readDeclared(given: Declared, projectId: number, { folder, byProjects, addresses }: Places): Read {
  if (!byProjects) throw new ApiError(403, 'Here only an operator declares exports.');
  const { name, kind, format, every, enabled, destination } = given;
  const { key, secret, ...place } = destination;
  const isBucket = place.type === 's3';
  const misplaced = isBucket ? undefined : (['key', 'secret'] as const).find((one) => destination[one] !== undefined);
  if (misplaced) throw new ApiError(400, `destination.${misplaced}: has no place in a destination of type folder`);
  if (place.path !== undefined && path.isAbsolute(place.path))
    throw new ApiError(400, 'destination.path: is one below the folder of the project');
  const own = nameProjectFolder(projectId);
  const entry = readEntry(
    { name, kind, format, every, enabled, destination: place },
    {
      folder: folder === undefined ? undefined : path.join(folder, own),
      hasKeys: true,
      mayReach: (endpoint) => mayReach(addresses, endpoint),
    },
    '',
  );
  if (entry.destination.type === 'folder') {
    const below = { ...entry.destination, path: path.join(own, entry.destination.path) };
    return { entry: { ...entry, place: nameExportPlace(below, nameFolder(entry.kind, entry.name)) }, keys: undefined };
  }
  if (key === undefined) throw new ApiError(400, 'destination.key: is required');
  if (secret === undefined) throw new ApiError(400, 'destination.secret: is required');
  // Other projects may have a bucket of that name elsewhere: who has other keys hears nothing of it.
  return { entry: { ...entry, place: nameKeyedPlace(key, entry.place) }, keys: { key, secret } };
}

/**
 * Nobody else writes there: no export with the same keys, and none of the project with any.
 *
 * @throws ApiError 409
 */
async function refuseTaken(
  db: Queryable,
  projectId: number,
  { place, destination }: Pick<Read['entry'], 'place' | 'destination'>,
  id?: number,
): Promise<void> {
  const isTaken = (await queries.findPlaces(db, projectId, place)).some(
    (one) =>
      one.id !== id &&
      (one.place === place ||
        (readBarePlace(one.place) === readBarePlace(place) && isSameBucket(one.destination, destination))),
  );
  if (isTaken) throw new ApiError(409, 'destination: another export writes there');
}

/** The days before today from which on an export is written too; undefined for none. */
function readBackfill(entry: Read['entry'], from: string | undefined, timezone: string, now: number) {
  if (from === undefined) return undefined;
  const yesterday = addDays(namePeriod('day', readZone({ kind: entry.kind, timezone }), now), -1);
  const range = { from, to: from > yesterday ? from : yesterday };
  service.refuseRange(entry, range, now, 'from');
  return from > yesterday ? undefined : range;
}

async function readTimezone(db: Queryable, projectId: number): Promise<string> {
  const [project] = await queries.readProject(db, projectId);
  return (project as { timezone: string }).timezone;
}

/** @throws ApiError 400 naming the field, 403, and 409 for a name or place that is taken, or one export too many. */
export async function createExport(parts: service.ServiceParts, actor: Actor, projectId: number, given: Declared) {
  const { postgres, places, now } = parts;
  const { entry, keys } = readDeclared(given, projectId, places);
  const id = await change(postgres, actor, async (db) => {
    const names = (await queries.listNames(db, projectId)).map(({ name }) => name);
    if (names.includes(entry.name)) throw new ApiError(409, 'name: another export has it');
    if (names.length >= MOST_EXPORTS) throw new ApiError(409, `A project has at most ${MOST_EXPORTS} exports.`);
    await refuseTaken(db, projectId, entry);
    const backfill = readBackfill(entry, given.from, await readTimezone(db, projectId), now());
    const at = new Date(now());
    const { name, kind, query, format, every, destination, place, enabled = true } = entry;
    const what = [projectId, name, kind, query && JSON.stringify(query), format, every] as const;
    const [made] = await queries.createExport(db, ...what, destination, place, enabled, at, keys ? at : null);
    const { id: madeId } = made as { id: number };
    if (keys) await putKeys(db, madeId, keys, places);
    if (backfill) await queries.addBackfill(db, madeId, backfill.from, backfill.to, service.MOST_BACKFILLS);
    return madeId;
  });
  return service.readExport(parts, projectId, id);
}

const putKeys = (db: Queryable, id: number, { key, secret }: Keys, { seal }: Pick<Places, 'seal'>) =>
  queries.putKeys(db, id, seal.seal(key), seal.seal(secret));

/**
 * What an export would write that is not made yet, and whether its bucket answers.
 *
 * @throws ApiError 400 naming the field, 403, and 503 where the rows cannot be read.
 */
export async function tryDeclared(parts: service.ServiceParts, projectId: number, given: Declared) {
  const { postgres, places, now } = parts;
  const { entry, keys } = readDeclared(given, projectId, places);
  const timezone = await readTimezone(postgres, projectId);
  const backfill = readBackfill(entry, given.from, timezone, now());
  // An ID that none has: nothing is written of it.
  const row: queries.ExportRow = {
    ...entry,
    id: 0,
    project_id: projectId,
    enabled: true,
    created_at: new Date(now()),
    timezone,
    declared_by: 'project',
    keys_changed_at: null,
    failures: 0,
    error: '',
    failed_at: null,
    complete_until: null,
  };
  const since = backfill ? new Date(readPeriod(backfill.from, readZone(row)).from) : row.created_at;
  const [rows, error] = await Promise.all([
    service.previewRows(parts, row, since, []),
    keys ? findReason(row, places, keys) : null,
  ]);
  return { ...rows, destination_error: error };
}

/** Why a bucket does not answer; null where it does. Nothing is written. */
async function findReason(row: queries.ExportRow, places: Places, keys: Keys): Promise<string | null> {
  try {
    const store = openPlace(row, places, accessWith(row, keys), AbortSignal.timeout(TRY_MS));
    try {
      await store.has('manifest.json');
      return null;
    } finally {
      store.close();
    }
  } catch (error) {
    return explainFailure(error, keys);
  }
}

/** @throws ApiError 404, and 409 for one that an operator has declared. */
async function findOwn(db: Queryable, projectId: number, id: number): Promise<queries.ExportRow> {
  const row = await service.findExport(db, projectId, id);
  if (row.declared_by === 'operator')
    throw new ApiError(409, 'An operator has declared the export, in a workspace document: it is changed there.');
  return row;
}

/**
 * Switches an export on or off, or gives it other keys. What it is stays. It is looked at again at once.
 *
 * @throws ApiError 400, 404, and 409 for one of an operator, and where another one writes with those keys.
 */
export async function changeExport(
  parts: service.ServiceParts,
  actor: Actor,
  projectId: number,
  id: number,
  { enabled, keys }: Changes,
) {
  const { postgres, places, now } = parts;
  await change(postgres, actor, async (db) => {
    const row = await findOwn(db, projectId, id);
    if (keys && row.destination.type !== 's3') throw new ApiError(400, 'keys: have no place at a folder');
    if (enabled !== undefined) await queries.setEnabled(db, id, enabled);
    if (keys) {
      const place = nameKeyedPlace(keys.key, readBarePlace(row.place));
      await refuseTaken(db, projectId, { ...row, place }, id);
      await putKeys(db, id, keys, places);
      await queries.noteKeys(db, id, new Date(now()), place);
    }
    await queries.lookAgain(db, id);
  });
  return service.readExport(parts, projectId, id);
}

/**
 * Removes an export with its ledger and its keys; what it has written stays. One that is being written is switched off
 * first, so that nobody writes to its place afterwards.
 *
 * @throws ApiError 404, 409 for one of an operator, and 503 where it is still being written.
 */
export async function deleteExport(
  { postgres, now }: Pick<service.ServiceParts, 'postgres' | 'now'>,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<void> {
  if (await tryDelete(postgres, actor, projectId, id)) return;
  await change(postgres, actor, (db) => queries.setEnabled(db, id, false));
  for (const giveUp = now() + REMOVING_MS; now() < giveUp; await sleep(LOOK_MS))
    if (await tryDelete(postgres, actor, projectId, id)) return;
  throw new ApiError(503, 'It is still being written, and is switched off. Please try again.', { 'Retry-After': '10' });
}

const tryDelete = (postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<boolean> =>
  change(postgres, actor, async (db) => {
    await findOwn(db, projectId, id);
    const [lock] = await queries.tryLockInTransaction(db, id);
    if (!lock?.acquired) return false;
    await queries.deleteExport(db, id);
    return true;
  });

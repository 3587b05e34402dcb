/**
 * Writes one period: its parts in the folder of a new revision, then the manifest that names them, then the mark that
 * it is there. Killed anywhere, the manifest names complete parts alone, of this revision or of one before.
 *
 * No revision is written twice: what was begun and not published is left behind. So a request that reaches a bucket
 * late (its sender was killed, or has given it up) changes no part that any manifest names.
 */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { readBarePlace } from '../configuration/exports';
import type { Queryable } from '../db/postgres';
import type { Store } from '../stores/store';
import { countParts, namePart, namePeriodFolder, type Period } from './periods';
import { createRowCounter } from './row-counter';
import * as queries from './scheduled-queries';
import { NOTHING, type Source, type Sum } from './source';
import { listRevisions, markWritten, publish, readManifest, type Manifest } from './standing';

/** Rows that change while they are written are written again, so often at once. */
const ATTEMPTS = 3;

export interface Writing {
  readonly row: queries.ExportRow;
  readonly source: Source;
  readonly store: Store;
  /** The connection that holds the lock of the export: where it is lost, nothing is published any more. */
  readonly db: Queryable;
  readonly completeUntil: number;
  readonly partRows: number;
  readonly keepSeconds: number;
  readonly now: () => number;
  /** Aborted when the turn is over. */
  readonly signal: AbortSignal;
}

/** The process stops, or the export does: what was begun is begun again elsewhere, or never. */
export class StoppedError extends Error {}

/** A former revision is still there, because of its `cause`. */
export class LeftBehindError extends Error {}

export async function writePeriod(writing: Writing, period: Period): Promise<Manifest> {
  const { row, store, db, now, keepSeconds } = writing;
  const began = new Date(now());
  await refuseUnwanted(writing);
  const standing = await readManifest(store, period.name);
  if (standing) await refuseOthers(writing, standing);
  // What was published, and then not noted, is what stands there.
  const isUnnoted = standing !== undefined && (await isBegun(writing, period, standing));
  const manifest = isUnnoted ? standing : await write(writing, period, standing?.revision);
  const { revision, fingerprint, rows, bytes } = manifest;
  await markWritten(store, period.name, revision);
  const at = [new Date(manifest.complete_until), new Date(now()), began] as const;
  await inTransaction(db, async () => {
    await queries.replaceWritten(db, row.id, period.name, new Date(now() + keepSeconds * 1_000));
    await queries.noteWritten(db, row.id, period.name, revision, fingerprint, rows, bytes, ...at);
  });
  return manifest;
}

async function inTransaction(db: Queryable, work: () => Promise<void>): Promise<void> {
  await db.rows('BEGIN');
  try {
    await work();
    await db.rows('COMMIT');
  } catch (error) {
    await db.rows('ROLLBACK');
    throw error;
  }
}

/** @throws StoppedError where the export was switched off or removed; another error where the lock is lost. */
async function refuseUnwanted({ row, db }: Writing): Promise<void> {
  const [wanted] = await queries.findWanted(db, row.id);
  if (!wanted) throw new StoppedError();
}

/** @throws Error where another export writes to the same place, of which the keys do not tell. */
async function refuseOthers({ row, db }: Writing, { export_id: id, period }: Manifest): Promise<void> {
  if (id === row.id || !Number.isSafeInteger(id)) return;
  const [other] = await queries.findLiving(db, id, readBarePlace(row.place));
  if (other) throw new Error(`another export writes there: the manifest of ${period.name} is that of export ${id}`);
}

/** Whether a manifest is of the revision that was begun last. */
async function isBegun({ row, db }: Writing, period: Period, manifest: Manifest): Promise<boolean> {
  if (manifest.export_id !== row.id) return false;
  return (await queries.findBegun(db, row.id, period.name, manifest.revision)).length > 0;
}

/**
 * Begins a revision that nobody has begun before: after all of the ledger, and of the folder, where an export that was
 * removed or a ledger that was lost may have left some. What was begun before goes; at once, where no manifest can name
 * it.
 */
async function begin(
  { row, store, db, now, keepSeconds }: Writing,
  period: Period,
  standing?: number,
): Promise<number> {
  const goes = new Date(now() + keepSeconds * 1_000);
  const there = [...(await listRevisions(store, period.name)), ...(standing === undefined ? [] : [standing])];
  await queries.abandon(db, row.id, period.name, new Date(now()), goes);
  await queries.noteFound(db, row.id, period.name, [...new Set(there)], goes, standing ?? null);
  const [begun] = await queries.beginRevision(db, row.id, period.name, Math.max(0, ...there));
  return (begun as { revision: number }).revision;
}

const readSum = async (source: Source, period: Period): Promise<Sum> =>
  (await source.sums([period])).get(period.name) ?? NOTHING;

/** Rows are compared before and after, so that all parts are of the same rows. */
async function write(writing: Writing, period: Period, standing: number | undefined): Promise<Manifest> {
  const { row, source, store, db, completeUntil, now } = writing;
  const columns = (await source.columns()).map(({ name, type }) => ({ name, type }));
  let before = await readSum(source, period);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const revision = await begin(writing, period, standing);
    const parts = await writeParts(writing, period, before, `${namePeriodFolder(period.name)}/r${revision}`);
    const after = await readSum(source, period);
    const isSame = after.fingerprint === before.fingerprint;
    before = after;
    if (!isSame) continue;
    const cut = parts.find(({ isWhole }) => !isWhole);
    if (cut) throw new Error(`${cut.path} of ${period.name} did not come as a whole`);
    const manifest: Manifest = {
      export: row.name,
      export_id: row.id,
      kind: row.kind,
      format: row.format,
      period: {
        name: period.name,
        from: new Date(period.from).toISOString(),
        to: new Date(period.to).toISOString(),
      },
      revision,
      complete_until: new Date(completeUntil).toISOString(),
      rows: after.rows,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      fingerprint: after.fingerprint,
      schema_version: createHash('sha256').update(JSON.stringify(columns)).digest('hex').slice(0, 16),
      schema: columns,
      parts: parts.map(({ path, rows, bytes, sha256 }) => ({ path: `r${revision}/${path}`, rows, bytes, sha256 })),
      written_at: new Date(now()).toISOString(),
    };
    await refuseUnwanted(writing);
    // From now on a manifest may name it, whatever becomes of the request.
    await queries.notePublishing(db, row.id, period.name, revision, new Date(now()));
    await publish(store, period.name, manifest);
    return manifest;
  }
  throw new Error('the rows change while they are written');
}

async function writeParts(writing: Writing, period: Period, sum: Sum, to: string) {
  const { row, source, store, partRows, signal } = writing;
  const count = countParts(sum.rows, partRows);
  const rows = await source.countRows(period, count, sum.rows);
  const parts = [];
  for (let part = 0; part < count; part++) {
    signal.throwIfAborted();
    await refuseUnwanted(writing);
    const name = namePart(part, row.format);
    const counter = createRowCounter(row.format);
    const opened = await source.open(period, row.format, part, count);
    const written = await store.write(
      `${to}/${name}`,
      pipeline(opened, counter.through, () => undefined),
    );
    const expected = rows[part] ?? 0;
    parts.push({ path: name, rows: expected, ...written, isWhole: counter.isWhole(expected) });
  }
  return parts;
}

/**
 * Writes one period: its parts in the folder of a new revision, then the manifest that names them, then the mark that
 * it is there. Killed anywhere, the manifest names complete parts alone, of this revision or of the one before.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Queryable } from '../db/postgres';
import type { Store } from '../stores/store';
import { countParts, namePart, namePeriodFolder, type Period } from './periods';
import * as queries from './scheduled-queries';
import { NOTHING, type Source, type Sum } from './source';

/** Rows that change while they are written are written again, so often at once. */
const ATTEMPTS = 3;
const MOST_MANIFEST_BYTES = 20_000_000;

export interface Manifest {
  readonly export: string;
  readonly export_id: number;
  readonly kind: string;
  readonly format: string;
  readonly period: { readonly name: string; readonly from: string; readonly to: string };
  readonly revision: number;
  readonly complete_until: string;
  readonly rows: number;
  readonly bytes: number;
  readonly fingerprint: string;
  readonly schema_version: string;
  readonly schema: readonly { readonly name: string; readonly type: string }[];
  readonly parts: readonly {
    readonly path: string;
    readonly rows: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
  readonly written_at: string;
}

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

export async function writePeriod(writing: Writing, period: Period): Promise<Manifest> {
  const { row, store, db, now, keepSeconds } = writing;
  const began = new Date(now());
  await refuseUnwanted(writing);
  const [begun] = await queries.beginRevision(db, row.id, period.name);
  const folder = namePeriodFolder(period.name);
  const standing = await readManifest(store, folder);
  const revision = await readRevision(writing, period, standing, (begun as { revision: number }).revision);
  // What was published, and then not noted, is what stands there.
  const manifest = standing?.revision === revision ? standing : await write(writing, period, folder, revision);
  await store.write(`${folder}/_SUCCESS`, Readable.from([Buffer.from(`${JSON.stringify({ revision })}\n`)]));
  const { fingerprint, rows, bytes } = manifest;
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

/** The manifest that stands in a folder. Whoever has the bucket may have put something else there. */
async function readManifest(store: Store, folder: string): Promise<Manifest | undefined> {
  const file = `${folder}/manifest.json`;
  if (!(await store.has(file))) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await store.read(file)) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_MANIFEST_BYTES) throw new Error('the manifest that is there is none');
  }
  const found = JSON.parse(Buffer.concat(chunks).toString()) as Manifest;
  if (!Number.isSafeInteger(found.revision)) throw new Error('the manifest that is there is none');
  return found;
}

/**
 * The revision to write. An export that was removed, or a ledger that was restored, may have left a later one: that one
 * goes after the grace time, as all former ones do.
 */
async function readRevision(
  { row, db, now, keepSeconds }: Writing,
  period: Period,
  standing: Manifest | undefined,
  begun: number,
): Promise<number> {
  if (!standing || standing.revision < begun) return begun;
  if (standing.export_id === row.id && standing.revision === begun) return begun;
  const goes = new Date(now() + keepSeconds * 1_000);
  const [next] = await queries.skipRevision(db, row.id, period.name, standing.revision, goes);
  return (next as { revision: number }).revision;
}

const readSum = async (source: Source, period: Period): Promise<Sum> =>
  (await source.sums([period])).get(period.name) ?? NOTHING;

/** Rows are compared before and after, so that all parts are of the same rows. */
async function write(writing: Writing, period: Period, folder: string, revision: number): Promise<Manifest> {
  const { row, source, store, completeUntil, now } = writing;
  const columns = (await source.columns()).map(({ name, type }) => ({ name, type }));
  let before = await readSum(source, period);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // What an attempt before has left.
    await store.remove(`${folder}/r${revision}`);
    const parts = await writeParts(writing, period, before, `${folder}/r${revision}`);
    const after = await readSum(source, period);
    const isSame = after.fingerprint === before.fingerprint;
    before = after;
    if (!isSame) continue;
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
      parts: parts.map((part) => ({ ...part, path: `r${revision}/${part.path}` })),
      written_at: new Date(now()).toISOString(),
    };
    await refuseUnwanted(writing);
    await store.write(
      `${folder}/manifest.json`,
      Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]),
    );
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
    const written = await store.write(`${to}/${name}`, await source.open(period, row.format, part, count));
    parts.push({ path: name, rows: rows[part] ?? 0, ...written });
  }
  return parts;
}

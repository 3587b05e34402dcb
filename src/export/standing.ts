/** What stands in the folder of a period, for whoever reads it: the manifest, `_SUCCESS`, and parts of any revision. */
import { Readable } from 'node:stream';
import type { Store } from '../stores/store';
import { namePeriodFolder } from './periods';

const MOST_MANIFEST_BYTES = 20_000_000;
/** No export comes so far: such a number is not ours. */
const MOST_REVISIONS = 1_000_000_000;

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

/** Undefined where there is no such file. */
async function readJson<T>(store: Store, file: string): Promise<T | undefined> {
  if (!(await store.has(file))) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await store.read(file)) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_MANIFEST_BYTES) throw new Error('the manifest that is there is none');
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}

const writeJson = (store: Store, file: string, text: string) => store.write(file, Readable.from([Buffer.from(text)]));

/** The manifest of a period. Whoever has the bucket may have put something else there. */
export async function readManifest(store: Store, period: string): Promise<Manifest | undefined> {
  const found = await readJson<Manifest>(store, `${namePeriodFolder(period)}/manifest.json`);
  if (found === undefined) return undefined;
  const { revision } = found;
  if (!Number.isSafeInteger(revision) || revision < 0 || revision >= MOST_REVISIONS)
    throw new Error('the manifest that is there is none');
  return found;
}

export const publish = (store: Store, period: string, manifest: Manifest) =>
  writeJson(store, `${namePeriodFolder(period)}/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);

export const markWritten = (store: Store, period: string, revision: number) =>
  writeJson(store, `${namePeriodFolder(period)}/_SUCCESS`, `${JSON.stringify({ revision })}\n`);

/** The revisions of which there are parts, whoever has written them. */
export async function listRevisions(store: Store, period: string): Promise<number[]> {
  const folder = `${namePeriodFolder(period)}/`;
  const names = (await store.files(folder.slice(0, -1))).map((file) => file.slice(folder.length));
  const found = names.map((name) => Number(/^r(\d{1,9})\//.exec(name)?.[1] ?? NaN));
  return [...new Set(found.filter(Number.isInteger))];
}

/**
 * Whether a revision is the one that stands. A request that reaches the bucket long after its sender has given it up,
 * or was killed, may have put a former manifest in its place; a former `_SUCCESS` is written anew.
 */
export async function isStanding(store: Store, period: string, revision: number): Promise<boolean> {
  if ((await readManifest(store, period))?.revision !== revision) return false;
  const mark = await readJson<{ revision?: number }>(store, `${namePeriodFolder(period)}/_SUCCESS`);
  if (mark?.revision !== revision) await markWritten(store, period, revision);
  return true;
}

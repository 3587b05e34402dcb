/** What a backup says of itself. It is written last: a backup without it was not finished. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '../errors';
import { validator } from '../lib/validate';
import { closed, instant, list, mapTo, nullable, optional, Type, type Static } from '../lib/schema';
import { UUID } from '../lib/uuid';
import type { Store } from '../stores/store';

const MANIFEST = 'manifest.json';
/** A manifest of another form than this comes from another version of adtrail. */
const FORM = 1;
/** Its time in UTC to the millisecond: in the order of their names the oldest is the first. */
const ID = /^\d{8}T\d{9}Z$/;

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const fileSum = { bytes: Type.Integer({ minimum: 0 }), sha256 };
const name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' });
/** Beside each other in one folder, and nowhere else. */
const plainFile = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$' });

const manifestSchema = closed({
  form: Type.Literal(FORM),
  id: Type.String({ pattern: ID.source }),
  /** The one that this one adds to; null for a whole one. */
  base: nullable(Type.String({ pattern: ID.source })),
  adtrail: Type.String(),
  engines: closed({ postgres: Type.String(), clickhouse: Type.String() }),
  /** Everything that was accepted before this is in it. */
  complete_until: instant,
  /** Nothing that was accepted after this is in it. */
  taken_at: instant,
  /** Processes whose logs held records that are not in it. */
  missing_logs: list(closed({ name: Type.String(), host: Type.String() })),
  migrations: closed({ postgres: list(Type.String()), clickhouse: list(Type.String()) }),
  postgres: list(closed({ table: name, columns: list(name), rows: Type.Integer({ minimum: 0 }), ...fileSum })),
  sequences: mapTo(Type.Integer(), { propertyNames: name }),
  /** `sum` is the sum of the hashes of all rows, a UInt64. */
  clickhouse: list(
    closed({
      table: name,
      rows: Type.Integer({ minimum: 0 }),
      sum: Type.String({ pattern: '^\\d{1,20}$' }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  ),
  ingest_log: list(closed({ file: plainFile, ...fileSum })),
  secrets: list(closed({ file: plainFile, ...fileSum })),
  /** What texts begin with that were sealed with the key of the installation. */
  ...optional({ seal_key: Type.String() }),
});
export type Manifest = Static<typeof manifestSchema>;

const parse = validator(manifestSchema);

/** The name of a backup that begins at a time, in milliseconds. */
export const buildBackupId = (at: number) => new Date(at).toISOString().replace(/[-:.]/g, '');
export const isBackupId = (text: string) => ID.test(text);

/** The IDs of what is at a place, oldest first: of backups, and of what was not finished. */
export async function listBackups(store: Store): Promise<{ finished: string[]; unfinished: string[] }> {
  const ids = (await store.names()).filter(isBackupId).sort();
  const finished: string[] = [];
  for (const id of ids) if (await store.has(`${id}/${MANIFEST}`)) finished.push(id);
  return { finished, unfinished: ids.filter((id) => !finished.includes(id)) };
}

/** @throws StartError where it is not what this version writes. */
export async function readManifest(store: Store, id: string): Promise<Manifest> {
  try {
    return parse(JSON.parse(await text(await store.read(`${id}/${MANIFEST}`))));
  } catch (error) {
    throw new StartError(`${store.name}: the manifest of ${id} cannot be read: ${(error as Error).message}`);
  }
}

export async function writeManifest(store: Store, manifest: Manifest): Promise<void> {
  await store.write(`${manifest.id}/${MANIFEST}`, Readable.from([JSON.stringify(manifest, null, 2) + '\n']));
}

/** The processes whose logs a backup has. */
export const listProcesses = (files: Manifest['ingest_log']): string[] =>
  [...new Set(files.map(({ file }) => file.split('/')[0] as string))].filter((name) => UUID.test(name));

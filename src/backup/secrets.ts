/** The secrets of DATA_DIR in backups: sealed with the installation's key, which is in one only where asked for. */
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StartError } from '../errors';
import { sha256 } from '../lib/secrets';
import { createSeals, isSealed, type Seals } from '../lib/seal';
import type { Manifest } from './manifest';
import type { Store } from '../stores/store';

/**
 * Files of DATA_DIR that belong to what is stored: without the first nobody administers, without the second no address
 * is recognised. Passwords of the embedded engines are of the folder, and not among them.
 */
const SECRETS = ['admin-token', 'ip-hash-secret', 'clickhouse-reader-password'] as const;
const SEAL_KEY = 'seal-key';

const secretPath = (id: string, file: string) => `${id}/secrets/${file}`;

/** Copies them into the backup of that ID; the key, in plain text, only where it is given. */
export async function copySecrets(
  dataDir: string,
  seals: Seals,
  key: string | undefined,
  store: Store,
  id: string,
): Promise<Manifest['secrets']> {
  const { seal } = seals.of('backups');
  const copied = [];
  for (const file of SECRETS) {
    const content = await fs.promises.readFile(path.join(dataDir, file), 'utf8').catch(() => undefined);
    if (!content) continue;
    copied.push({ file, ...(await store.write(secretPath(id, file), Readable.from([seal(content)]))) });
  }
  if (key !== undefined)
    copied.push({ file: SEAL_KEY, ...(await store.write(secretPath(id, SEAL_KEY), Readable.from([`${key}\n`]))) });
  return copied;
}

/**
 * Puts them into a data folder, before engines are started that read them. Those that are there stay. `key` is the one
 * that the restored service is to have; undefined: that of the backup. Resolves with what does not work, in words;
 * empty where everything does.
 *
 * @throws StartError where a file is not what was written.
 */
export async function restoreSecrets(
  dataDir: string,
  key: string | undefined,
  store: Store,
  manifest: Manifest,
): Promise<string[]> {
  const texts = new Map<string, string>();
  for (const { file, sha256: sum } of manifest.secrets) {
    const text = (await buffer(await store.read(secretPath(manifest.id, file)))).toString('utf8');
    if (sha256(text) !== sum) throw new StartError(`${store.name}: ${file} is not what was written.`);
    texts.set(file, text);
  }
  const own = key ?? texts.get(SEAL_KEY)?.trim();
  const seals = own === undefined ? undefined : createSeals(own, []);
  const closed = [];
  for (const [file, text] of texts) {
    const to = path.join(dataDir, file);
    if (fs.existsSync(to) || (file === SEAL_KEY && key !== undefined)) continue;
    const content = isSealed(text) ? tryOpen(seals, text) : text;
    if (content === undefined) closed.push(file);
    else fs.writeFileSync(to, content, { mode: 0o600 });
  }
  // A backup from before there was a separate key names none.
  if (manifest.seal_key === undefined || manifest.seal_key === seals?.mark) return [];
  return [
    `the seal key of the backup is ${own === undefined ? 'not there' : 'another one'} (SEAL_KEY, DATA_DIR/seal-key): ` +
      'second factors, webhooks, secrets and headers of postbacks, keys of exports, and requests to forget somebody ' +
      'that are under way do not work without it',
    ...(closed.length > 0 ? [`not restored, for they are sealed with it: ${closed.join(', ')}`] : []),
  ];
}

function tryOpen(seals: Seals | undefined, text: string): string | undefined {
  try {
    return seals?.of('backups').open(text);
  } catch {
    return undefined;
  }
}

/** What of the ingest logs is not in ClickHouse: segments, as they are on the disk. */
import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../errors';
import type { Manifest } from './manifest';
import { meter, type Store } from '../stores/store';

type CopiedFile = Manifest['ingest_log'][number];

/** Locks say nothing, and folders that are not finished hold nothing that was acknowledged. */
const isRecord = (name: string) => name !== 'lock' && !name.startsWith('.');

/**
 * Copies the segments of this machine's logs whose names `wanted` takes. A process may write to them meanwhile: what
 * was whole when this began is copied. One that is removed meanwhile is in ClickHouse.
 */
export async function copyLogs(
  root: string,
  store: Store,
  id: string,
  wanted: (segment: string) => boolean,
): Promise<CopiedFile[]> {
  const copied: CopiedFile[] = [];
  for (const folder of await namesIn(root)) {
    for (const name of (await namesIn(path.join(root, folder))).filter(isRecord).filter(wanted)) {
      const file = `${folder}/${name}`;
      const data = await openSegment(path.join(root, file));
      if (data) copied.push({ file, ...(await store.write(logPath(id, file), data)) });
    }
  }
  return copied;
}

/** @throws StartError where a file is not what was written. */
export async function restoreLogs(root: string, store: Store, manifest: Manifest): Promise<void> {
  for (const { file, sha256 } of manifest.ingest_log) {
    const to = path.join(root, file);
    fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    const through = meter();
    const into = fs.createWriteStream(to, { mode: 0o600, flush: true });
    await pipeline(await store.read(logPath(manifest.id, file)), through, into);
    if (through.sum().sha256 !== sha256) throw new StartError(`${store.name}: ${file} is not what was written.`);
  }
}

const logPath = (id: string, file: string) => `${id}/ingest-log/${file}`;

const namesIn = async (folder: string): Promise<string[]> =>
  (await fs.promises.readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));

async function openSegment(file: string): Promise<Readable | undefined> {
  try {
    const handle = await fs.promises.open(file);
    const { size } = await handle.stat();
    // A stream of nothing must not ask for its first byte.
    if (size > 0) return handle.createReadStream({ end: size - 1 });
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return undefined;
}

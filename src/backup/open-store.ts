/** Finds the place that backups are kept at: `s3://bucket/prefix`, or a folder. */
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors';
import { isWithin, resolveRealPath } from '../stores/folders';
import { S3Store, type S3Access } from '../stores/s3-store';
import { FolderStore, type Store } from '../stores/store';

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.\-/]*))?$/;
/** By this name the embedded ClickHouse knows the folder, wherever it is: backups name the one that they add to. */
const LINK = 'target';

export interface StoreOptions {
  readonly dataDir: string;
  /** Folders are this one or below it; undefined: there are none. */
  readonly backupDir: string | undefined;
  /** Where the embedded ClickHouse reaches backups; undefined for a server, which has the name of the folder itself. */
  readonly engineFolder: string | undefined;
  /** Undefined where there are no credentials. */
  readonly s3: S3Access | undefined;
}

/**
 * @throws StartError for a place that cannot be used, by its rule: a folder by its absolute path, below BACKUP_DIR and
 * outside of DATA_DIR, or a bucket with credentials in the environment.
 */
export function openStore(place: string, { dataDir, backupDir, engineFolder, s3 }: StoreOptions): Store {
  const [, bucket, prefix = ''] = BUCKET.exec(place) ?? [];
  if (bucket !== undefined) {
    if (!s3) throw new StartError('For s3://, set BACKUP_S3_KEY and BACKUP_S3_SECRET.');
    return new S3Store(bucket, prefix.replace(/^\/+|\/+$/g, ''), s3);
  }
  if (!path.isAbsolute(place))
    throw new StartError('A backup goes to a folder, by its absolute path, or s3://bucket/prefix.');
  if (backupDir === undefined)
    throw new StartError(
      'For a folder, set BACKUP_DIR to the one that backups are kept in; else use s3://bucket/prefix.',
    );
  const named = path.resolve(place);
  // Wherever symbolic links lead.
  const folder = resolveRealPath(named);
  if (!isWithin(folder, resolveRealPath(backupDir)))
    throw new StartError(`${named} is not in BACKUP_DIR, which is ${backupDir}.`);
  if (isWithin(folder, resolveRealPath(path.resolve(dataDir))))
    throw new StartError(`${named} is in DATA_DIR; name another folder.`);
  if (!fs.existsSync(backupDir)) makeFolder(backupDir);
  makeFolder(folder);
  if (engineFolder === undefined) return new FolderStore(folder, folder);
  const link = path.join(engineFolder, LINK);
  fs.rmSync(link, { force: true });
  fs.symlinkSync(folder, link);
  return new FolderStore(folder, LINK);
}

/** Not with all the folders above it: Node keeps trying for ever where one of them can never be made. */
function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StartError(`${folder} cannot be made: there is no ${path.dirname(folder)}.`);
    if (code !== 'EEXIST' || !fs.statSync(folder).isDirectory())
      throw new StartError(`${folder} cannot be made: ${code ?? ''}.`);
  }
}

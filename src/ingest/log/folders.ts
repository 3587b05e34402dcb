/**
 * The folders of the log: one for each process, whose lock it holds as long as it lives. What a process leaves behind
 * is taken over by one that lives.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { UUID } from '../../lib/uuid';

/** A folder of this name is still being made. */
const UNFINISHED = '.new-';
const LOCK = 'lock';

/** A folder that this process has the lock of. */
export interface LockedFolder {
  readonly name: string;
  readonly path: string;
  /** Removes the folder, which must hold nothing any more, and lets go of the lock. */
  remove(): void;
}

/** A new folder for this process. It has its name only once its lock is held: nobody takes it over before. */
export function createFolder(root: string): LockedFolder {
  const name = randomUUID();
  const unfinished = path.join(root, UNFINISHED + name);
  fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const descriptor = openLock(unfinished);
  if (!tryLock(descriptor)) throw new Error(`The new folder ${unfinished} is locked`);
  fs.renameSync(unfinished, path.join(root, name));
  return lockedFolder(root, name, descriptor);
}

/** Takes over every folder whose process has ended, except for those of the given names. */
export function takeOver(root: string, except: ReadonlySet<string>): LockedFolder[] {
  return fs.readdirSync(root).flatMap((name) => {
    if (!UUID.test(name) || except.has(name)) return [];
    try {
      const descriptor = openLock(path.join(root, name));
      if (tryLock(descriptor)) return [lockedFolder(root, name, descriptor)];
      fs.closeSync(descriptor);
    } catch (error) {
      // Another process has just removed it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return [];
  });
}

/** Removes folders that a process left before they were finished; the lock of the root must be held. */
export function removeUnfinished(root: string): void {
  for (const name of fs.readdirSync(root))
    if (name.startsWith(UNFINISHED)) fs.rmSync(path.join(root, name), { recursive: true, force: true });
}

const openLock = (folder: string) => fs.openSync(path.join(folder, LOCK), 'a', 0o600);

function lockedFolder(root: string, name: string, descriptor: number): LockedFolder {
  const folder = path.join(root, name);
  return {
    name,
    path: folder,
    remove() {
      fs.rmSync(folder, { recursive: true, force: true });
      fs.closeSync(descriptor);
    },
  };
}

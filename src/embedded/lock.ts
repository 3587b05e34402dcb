/** One service for each DATA_DIR: the second is told so before it touches anything. */
import fs from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';

/**
 * Takes the lock of a data folder for as long as this process lives; false when another process has it, in this
 * container or in another one on this machine.
 *
 * The kernel holds the lock of the file `lock` and lets go of it when the process ends, however it ends. The file
 * itself stays and says nothing.
 *
 * @throws Error when the folder cannot be made or written.
 */
export function lockFolder(folder: string): boolean {
  // Others may pass through but not look around: PostgreSQL may run as another user than this process.
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
  // Never closed: closing would give the lock away. Child processes do not inherit it.
  return tryLock(fs.openSync(path.join(folder, 'lock'), 'a', 0o600));
}

/** One service for each DATA_DIR: the second is told so before it touches anything. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { sha256 } from '../secrets';

/**
 * Takes the lock of a data folder; false when another process of this machine has it.
 *
 * The lock is a listening socket whose name follows from the folder: the kernel lets go of it when the process ends,
 * however it ends, and gives it to one process only. On Linux the name is abstract and leaves no file; elsewhere, and
 * between containers that share a folder, the engines' own locks stand behind it.
 */
export async function lockFolder(folder: string): Promise<boolean> {
  // Others may pass through but not look around: PostgreSQL may run as another user than this process.
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
  const name = `adtrail-${sha256(fs.realpathSync(folder)).slice(0, 32)}`;
  const address = process.platform === 'linux' ? `\0${name}` : path.join(os.tmpdir(), `${name}.sock`);
  if (await listens(address)) return true;
  if (process.platform === 'linux' || (await answers(address))) return false;
  // A socket file that nobody answers is left over from a process that was killed.
  fs.rmSync(address, { force: true });
  return listens(address);
}

function listens(address: string): Promise<boolean> {
  const server = net.createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(address, () => {
      // The lock alone does not keep the process running.
      server.unref();
      resolve(true);
    });
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

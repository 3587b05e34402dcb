/** What must be set before the engine and libuv's thread pool start; import this file first. */
import { randomUUID } from 'node:crypto';
import type { Passwords } from './access-control';

// The engine takes the process's zone as the server's, and reports must not depend on the machine's.
process.env.TZ = 'UTC';
// Every running query occupies a libuv thread; with the default of 4, file and socket work would starve.
process.env.UV_THREADPOOL_SIZE ??= '32';

export interface ProcessSettings {
  path: string;
  port: number;
  /** Niceness of the process, 0 to 19. */
  nice: number;
  passwords: Passwords;
}

/** The process's configuration from its environment. Throws a plain sentence about what is wrong. */
export function readProcessSettings(env: NodeJS.ProcessEnv): ProcessSettings {
  const path = env.ADTRAIL_CH_PATH ?? '';
  const port = Number(env.ADTRAIL_CH_PORT ?? '');
  const password = env.ADTRAIL_CH_PASSWORD ?? '';
  if (path === '') throw new Error('ADTRAIL_CH_PATH must name the data folder of ClickHouse.');
  if (!/^\d+$/.test(env.ADTRAIL_CH_PORT ?? '') || port > 65535)
    throw new Error('ADTRAIL_CH_PORT must be a port between 0 and 65535.');
  if (password === '') throw new Error('ADTRAIL_CH_PASSWORD must not be empty.');
  // Nobody knows a password that is made up here: unless one is given, there is no reader.
  const reader = env.ADTRAIL_CH_READER_PASSWORD || randomUUID();
  return { path, port, nice: Number(env.ADTRAIL_CH_NICE ?? 0), passwords: { default: password, reader } };
}

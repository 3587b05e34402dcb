/** Starts the embedded ClickHouse for this machine. */
import path from 'node:path';
import type { Log } from '../../lib/log';
import { retry } from '../../lib/retry';
import { engineEnvironment } from '../environment';
import { startEngine, type Engine, type EngineOptions } from '../supervisor';
import type { Passwords } from './access-control';
import { IN_USE } from './errors';

/** How long a process that a killed service left behind may take to let go of the folder. */
const ORPHAN_ENDS_WITHIN_MS = 15_000;
const ORPHAN_RETRY_MS = 200;

/**
 * Starts ClickHouse on `folder`, speaking its HTTP interface on `httpPort` of 127.0.0.1, and returns the engine and its
 * URL.
 *
 * @throws Error that says what is in the way, for example a port that is taken.
 */
export async function startClickHouse(
  folder: string,
  { httpPort: port, nice }: { readonly httpPort: number; readonly nice: number },
  passwords: Passwords,
  log: Log,
): Promise<Engine & { url: string }> {
  const options: EngineOptions = {
    name: 'ClickHouse',
    module: path.join(__dirname, 'process.js'),
    // The engine works on libuv's threads: with the default four, four queries would stop everything else.
    env: (at) => ({
      ...engineEnvironment(process.env),
      UV_THREADPOOL_SIZE: '32',
      ADTRAIL_CH_PATH: folder,
      ADTRAIL_CH_PORT: String(at),
      ADTRAIL_CH_NICE: String(nice),
      ADTRAIL_CH_PASSWORD: passwords.default,
      ADTRAIL_CH_READER_PASSWORD: passwords.reader,
    }),
    startMs: 60_000,
    probe: async (at, signal) => {
      const answer = await fetch(`http://127.0.0.1:${at}/ping`, { signal });
      await answer.text();
    },
    port,
    log,
  };
  // Whoever has the folder is about to end: its service is gone, as this one has the lock of DATA_DIR.
  const engine = await retry(() => startEngine(options), {
    waitMs: ORPHAN_RETRY_MS,
    giveUpAfterMs: ORPHAN_ENDS_WITHIN_MS,
    isTemporary: (failure) => failure instanceof Error && failure.message.includes(IN_USE),
  });
  return { ...engine, url: `http://127.0.0.1:${engine.port}` };
}

/** Work that a process repeats. */
import { runOutside } from './context';
import type { Log } from './log';

export interface PeriodicTask {
  /** Runs the work at once, or once more after the run under way. */
  readonly runSoon: () => void;
  /** Waits for the run under way, and starts no other. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs` after the end of the run before; a run that resolves with true is followed by another at
 * once. A failure is repeated at the next run, and logged when it is new.
 */
export function runPeriodically(
  name: string,
  everyMs: number,
  log: Log,
  work: () => Promise<boolean | void>,
): PeriodicTask {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let lastFailure = '';

  const run = async () => {
    try {
      const hasMore = await work();
      lastFailure = '';
      return hasMore === true;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== lastFailure) log.warn(`${name} failed, and is repeated: ${failure}`);
      lastFailure = failure;
      return false;
    }
  };
  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (stopped) return;
    const start = () => {
      running = running.then(async () => {
        const hasMore = stopped ? false : await run();
        schedule(hasMore ? 0 : everyMs);
      });
    };
    timer = runOutside(() => setTimeout(start, ms));
  };
  schedule(0);
  return {
    runSoon: () => schedule(0),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

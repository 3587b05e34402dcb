/** What a process counts in memory and stores now and then. */
import type { Log } from '../lib/log';
import { runPeriodically } from '../lib/periodic';
import type { Metrics } from '../metrics/metrics';
import type { Ingest } from './ingest';

/** How often counts of S2S requests and of refusals are stored; a process that is killed loses those since. */
const COUNTS_MS = 3_000;
/** How often new uses of keys are noted. */
const KEY_USES_MS = 5_000;

interface Parts {
  readonly ingest: Ingest;
  readonly writeUses: () => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Stores counts, refusals, samples of them and uses of keys; a stop stores what was counted since. */
export function noteRegularly({ ingest, writeUses, metrics, log }: Parts) {
  const counted = [
    ['Storing counts of S2S requests', 's2s-counts', () => ingest.requestCounts.flush()],
    ['Storing what collectors refused', 'collector-refusals', () => ingest.refusals.flush()],
    ['Storing samples of refused S2S requests', 's2s-samples', () => ingest.refusedSamples.flush()],
  ] as const;
  const runs = counted.map(([what, name, flush]) => ({
    run: runPeriodically(what, COUNTS_MS, log, metrics.measured(name, flush)),
    flush,
  }));
  const uses = runPeriodically('Noting uses of keys', KEY_USES_MS, log, metrics.measured('key-uses', writeUses));
  return {
    async stop(): Promise<void> {
      const flushed = runs.map(({ run, flush }) => run.stop().then(() => flush().catch(() => undefined)));
      await Promise.all([uses.stop(), ...flushed]);
    },
  };
}

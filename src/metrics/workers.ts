/** How long runs of workers take, and whether they end well. */
import { Gauge, Histogram, type Registry } from 'prom-client';

/** What a process does in the background, beside what has its own metrics: derived tables, the ingest log, messages. */
export type Worker =
  | 'sweep'
  | 'configuration-copy'
  | 'audit-log-copy'
  | 'erasure'
  | 'quarantine-check'
  | 'broken-parts-check'
  | 's2s-counts'
  | 's2s-samples'
  | 'collector-refusals'
  | 'key-uses'
  | 'outbox-count'
  | 'domains';

/** Measures the work of a worker at each run. */
export type Measured = (worker: Worker, work: () => Promise<void>) => () => Promise<void>;

/** Measures workers: how long runs take, and when the last one ended well. */
export function workerMetrics(registry: Registry): Measured {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'adtrail_worker_seconds',
    help: 'Duration of a run of what a process does by itself',
    labelNames: ['worker', 'outcome'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 60],
    registers,
  });
  const success = new Gauge({
    name: 'adtrail_worker_success_seconds',
    help: 'Unix time at which a run of it last ended well, in this process',
    labelNames: ['worker'],
    registers,
    aggregator: 'max',
  });
  return (worker, work) => async () => {
    const started = performance.now();
    let outcome = 'failed';
    try {
      await work();
      outcome = 'done';
      success.set({ worker }, Date.now() / 1000);
    } finally {
      seconds.observe({ worker, outcome }, (performance.now() - started) / 1000);
    }
  };
}

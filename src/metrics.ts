/** The metrics of /metrics, in one place; no label ever holds a token, an ID or anything a caller can choose. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type { Counter } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly s2sRequests: Counter<'endpoint' | 'outcome'>;
  readonly linkRequests: Counter<'outcome'>;
  readonly lostLinkClicks: Counter;
  readonly storedRows: Counter<'table'>;
  readonly repeatedRows: Counter<'table'>;
  readonly refusedRows: Counter<'table'>;
  readonly flushSeconds: Histogram<'table'>;
  readonly configurationAge: Gauge;
  readonly materializationSeconds: Histogram<'name' | 'outcome'>;
  /** Asked for the lag of each materialization whenever the metrics are read. */
  readonly onMaterializationLags: (read: () => readonly { name: string; seconds: number }[]) => void;
}

/** A registry of its own for each process; the primary process of several adds them up. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readLags: () => readonly { name: string; seconds: number }[] = () => [];
  new Gauge({
    name: 'adtrail_materialization_lag_seconds',
    help: 'Seconds since everything stored was taken in by a derived table, as far as this process knows',
    labelNames: ['name'],
    registers,
    collect() {
      for (const { name, seconds } of readLags()) this.set({ name }, seconds);
    },
  });
  return {
    registry,
    s2sRequests: new Counter({
      name: 'adtrail_s2s_requests_total',
      help: 'S2S requests by endpoint and outcome: accepted, or the reason of the rejection',
      labelNames: ['endpoint', 'outcome'],
      registers,
    }),
    linkRequests: new Counter({
      name: 'adtrail_link_requests_total',
      help: 'Requests for tracking links by outcome: click, deferred (stored later), head, bot, no_campaign, not_found',
      labelNames: ['outcome'],
      registers,
    }),
    lostLinkClicks: new Counter({
      name: 'adtrail_link_clicks_lost_total',
      help: 'Clicks on tracking links that could not be stored, although their visitors were redirected',
      registers,
    }),
    storedRows: new Counter({
      name: 'adtrail_rows_stored_total',
      help: 'Records acknowledged, repeats included',
      labelNames: ['table'],
      registers,
    }),
    repeatedRows: new Counter({
      name: 'adtrail_rows_repeated_total',
      help: 'Records that an earlier day already held',
      labelNames: ['table'],
      registers,
    }),
    refusedRows: new Counter({
      name: 'adtrail_rows_refused_total',
      help: 'Records that ClickHouse did not take in time',
      labelNames: ['table'],
      registers,
    }),
    flushSeconds: new Histogram({
      name: 'adtrail_flush_seconds',
      help: 'Duration of a flush to ClickHouse',
      labelNames: ['table'],
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 3],
      registers,
    }),
    configurationAge: new Gauge({
      name: 'adtrail_configuration_age_seconds',
      help: 'Seconds since PostgreSQL last confirmed the configuration in memory',
      registers,
    }),
    materializationSeconds: new Histogram({
      name: 'adtrail_materialization_seconds',
      help: 'Duration of a run that brings a derived table up to date',
      labelNames: ['name', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    onMaterializationLags(read) {
      readLags = read;
    },
  };
}

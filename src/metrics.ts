/** The metrics of /metrics, in one place; no label ever holds a token, an ID or anything a caller can choose. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type { Counter } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly s2sRequests: Counter<'endpoint' | 'outcome'>;
  readonly linkRequests: Counter<'outcome'>;
  readonly refusedRequests: Counter<'area' | 'reason'>;
  readonly lostLinkClicks: Counter;
  readonly storedRows: Counter<'table'>;
  readonly repeatedRows: Counter<'table'>;
  readonly refusedRows: Counter<'table'>;
  readonly overQuota: Counter<'quota'>;
  readonly flushSeconds: Histogram<'table'>;
  readonly configurationAge: Gauge;
  readonly materializationSeconds: Histogram<'name' | 'outcome'>;
  /** Asked for the lag of each materialization whenever the metrics are read. */
  /** Asked for the number of broken parts of ClickHouse whenever the metrics are read. */
  readonly onBrokenParts: (read: () => number) => void;
  /** Asked for how much is set aside whenever the metrics are read. */
  readonly onQuarantined: (read: () => number) => void;
  /** When the oldest request to forget somebody was made who is not hidden yet, in milliseconds; undefined for none. */
  readonly observeOldestErasure: (requestedAt: number | undefined) => void;
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
  let readBrokenParts = () => 0;
  new Gauge({
    name: 'adtrail_broken_parts',
    help: 'Parts that ClickHouse could not read and has put aside: their rows are missing',
    registers,
    collect() {
      this.set(readBrokenParts());
    },
  });
  let readQuarantined = () => 0;
  new Gauge({
    name: 'adtrail_quarantined',
    help: 'Installs and visitors that could not be derived and are set aside, as far as this process knows',
    registers,
    collect() {
      this.set(readQuarantined());
    },
  });
  let oldestErasure: number | undefined;
  new Gauge({
    name: 'adtrail_erasure_oldest_visible_seconds',
    help: 'Age of the oldest request to forget somebody who is not hidden yet; 0 for none',
    registers,
    // Every worker knows of the same requests.
    aggregator: 'max',
    collect() {
      this.set(oldestErasure === undefined ? 0 : Math.max(0, (Date.now() - oldestErasure) / 1000));
    },
  });
  return {
    registry,
    observeOldestErasure(requestedAt) {
      oldestErasure = requestedAt;
    },
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
    refusedRequests: new Counter({
      name: 'adtrail_requests_refused_total',
      help: 'Requests refused for what may be an attack, by where they went and why',
      labelNames: ['area', 'reason'],
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
    overQuota: new Counter({
      name: 'adtrail_events_over_quota_total',
      help: 'Events sent with a public key and refused by QUOTA_COLLECT, by the quota that they are over',
      labelNames: ['quota'],
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
    onBrokenParts(read) {
      readBrokenParts = read;
    },
    onQuarantined(read) {
      readQuarantined = read;
    },
    onMaterializationLags(read) {
      readLags = read;
    },
  };
}

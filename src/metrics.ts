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
}

/** A registry of its own for each process; the primary process of several adds them up. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
  };
}

/** The metrics of /metrics, in one place; no label ever holds a token, an ID or anything a caller can choose. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { answerSeconds } from './answers';
import { askedGauge } from './asked';
import { ingestGauges } from './ingest';
import { outboxGauges } from './outbox';
import { reportGauges } from './reports';
import { workerMetrics } from './workers';

export type { Counter } from 'prom-client';

/** How many scheduled exports fail, and the longest lag of one in seconds. */
interface ExportGauges {
  readonly failing: number;
  readonly lag_seconds: number;
}
interface Lag {
  readonly name: string;
  readonly seconds: number;
}

/** What is asked of the service, and refused. */
const countRequests = (registers: Registry[]) => ({
  s2sRequests: new Counter({
    name: 'adtrail_s2s_requests_total',
    help: 'S2S requests by endpoint and outcome: accepted, or the reason of the rejection',
    labelNames: ['endpoint', 'outcome'],
    registers,
  }),
  linkRequests: new Counter({
    name: 'adtrail_link_requests_total',
    help:
      'Requests for tracking links by outcome: click, deferred (stored later), head, prefetch, bot, expired, ' +
      'no_campaign, not_found',
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
  overQuota: new Counter({
    name: 'adtrail_events_over_quota_total',
    help: 'Events sent with a public key and refused by QUOTA_COLLECT, by the quota that they are over',
    labelNames: ['quota'],
    registers,
  }),
});

/** What the ingest log brings to ClickHouse, and what is derived of it. */
const measureStorage = (registers: Registry[]) => ({
  storedRows: new Counter({
    name: 'adtrail_rows_stored_total',
    help: 'Records drained from the ingest log to ClickHouse, repeats included',
    labelNames: ['table'],
    registers,
  }),
  repeatedRows: new Counter({
    name: 'adtrail_rows_repeated_total',
    help: 'Records drained that ClickHouse held already, as far as they had to be looked up',
    labelNames: ['table'],
    registers,
  }),
  setAside: new Counter({
    name: 'adtrail_ingest_set_aside_total',
    help: 'Rows that ClickHouse refuses for good, and segments of the ingest log that cannot be read',
    labelNames: ['table', 'what'],
    registers,
  }),
  syncSeconds: new Histogram({
    name: 'adtrail_ingest_sync_seconds',
    help: 'Duration of the sync of a group of rows to the disk; with FSYNC=false nothing is synced',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2],
    registers,
  }),
  insertSeconds: new Histogram({
    name: 'adtrail_ingest_insert_seconds',
    help: 'Duration of storing a block of the ingest log in ClickHouse, attempts that failed included',
    labelNames: ['table'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10, 60],
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
  materializationRows: new Counter({
    name: 'adtrail_materialization_rows_total',
    help: 'Rows of the sources that a derived table has taken in',
    labelNames: ['name'],
    registers,
  }),
  materializationRowsAgain: new Counter({
    name: 'adtrail_materialization_rows_again_total',
    help: 'Those of them that it had taken in before, because their insert had become larger',
    labelNames: ['name'],
    registers,
  }),
});

/** What is sent to others. */
const measureMessages = (registers: Registry[]) => ({
  deliveries: new Counter({
    name: 'adtrail_outbox_attempts_total',
    help: 'Attempts to deliver postbacks and webhooks, by host and outcome: sent, retry, dead',
    labelNames: ['destination', 'outcome'],
    registers,
  }),
  deliverySeconds: new Histogram({
    name: 'adtrail_outbox_attempt_seconds',
    help: 'Duration of attempts to deliver postbacks and webhooks',
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
    registers,
  }),
  /** Attempts to send messages of alerts and schedules. */
  notices: new Counter({
    name: 'adtrail_notice_attempts_total',
    help: 'Attempts to send alerts and scheduled reports, by kind of receiver: sent, waiting, failed, dropped',
    labelNames: ['kind', 'outcome'],
    registers,
  }),
  judgements: new Counter({
    name: 'adtrail_alert_judgements_total',
    help: 'Judgements of alerts: firing, fine, not_judged, waiting, failed, or left to another process',
    labelNames: ['outcome'],
    registers,
  }),
  /** Periods of scheduled exports that were written, and failures. */
  scheduledExports: new Counter({
    name: 'adtrail_scheduled_exports_total',
    help: 'What became of scheduled exports: periods written, failures',
    labelNames: ['outcome'],
    registers,
  }),
});

/** How long figures and files take. */
const measureReports = (registers: Registry[]) => ({
  reportSeconds: new Histogram({
    name: 'adtrail_report_seconds',
    help: 'Duration of reports and queries, their wait for a place included: done, failed, over_budget or busy',
    labelNames: ['report', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
    registers,
  }),
  exportSeconds: new Histogram({
    name: 'adtrail_export_seconds',
    help: 'Duration of writing a file, up to the end of its download: done, broken_off, failed or busy',
    labelNames: ['export', 'outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
    registers,
  }),
});

/** The gauges of what workers know; each function is told where to read whenever the metrics are read. */
function createGauges(registry: Registry) {
  let readLags: () => readonly Lag[] = () => [];
  new Gauge({
    name: 'adtrail_materialization_lag_seconds',
    help: 'Seconds since everything stored was taken in by a derived table, as far as this process knows',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      for (const { name, seconds } of readLags()) this.set({ name }, seconds);
    },
  });
  const onLag = askedGauge(registry, {
    name: 'adtrail_scheduled_export_lag_seconds',
    help: 'Seconds since the end of the first period that is not written, of the scheduled export furthest behind',
    isShared: true,
  });
  const onFailing = askedGauge(registry, {
    name: 'adtrail_scheduled_exports_failing',
    help: 'Scheduled exports that failed when they were written last',
    isShared: true,
  });
  const onOldestErasure = askedGauge(registry, {
    name: 'adtrail_erasure_oldest_visible_seconds',
    help: 'Age of the oldest request to forget somebody who is not hidden yet; 0 for none',
    isShared: true,
  });
  return {
    onBrokenParts: askedGauge(registry, {
      name: 'adtrail_broken_parts',
      help: 'Parts that ClickHouse could not read and has put aside: their rows are missing',
    }),
    onQuarantined: askedGauge(registry, {
      name: 'adtrail_quarantined',
      help: 'Installs and visitors that could not be derived and are set aside, as far as this process knows',
    }),
    onMaterializationLags: (read: () => readonly Lag[]) => {
      readLags = read;
    },
    /** Undefined for nobody knows yet. */
    onExports: (read: () => ExportGauges | undefined) => {
      onLag(() => read()?.lag_seconds ?? 0);
      onFailing(() => read()?.failing ?? 0);
    },
    /** When the oldest request was made of somebody who is not hidden yet, in milliseconds; undefined for none. */
    observeOldestErasure: (at: number | undefined) => {
      onOldestErasure(() => (at === undefined ? 0 : Math.max(0, (Date.now() - at) / 1000)));
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** A separate registry for each process; the primary process of several adds them up. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...countRequests(registers),
    ...measureStorage(registers),
    ...measureMessages(registers),
    ...measureReports(registers),
    ...createGauges(registry),
    onIngest: ingestGauges(registry),
    onPendingMessages: outboxGauges(registry),
    onReports: reportGauges(registry),
    /** The work of a worker, measured at each run. */
    measured: workerMetrics(registry),
    /** Called for every answer over HTTP. */
    observeAnswer: answerSeconds(registry),
  };
}

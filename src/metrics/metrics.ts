/** The metrics of /metrics, in one place; no label ever holds a token, an ID or anything a caller can choose. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import { answerSeconds } from './answers';
import { ingestGauges, type IngestState } from './ingest';
import { outboxGauges, type PendingMessages } from './outbox';
import { reportGauges, type ReportState } from './reports';
import { workerMetrics, type Measured } from './workers';

export type { Counter } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly s2sRequests: Counter<'endpoint' | 'outcome'>;
  readonly linkRequests: Counter<'outcome'>;
  readonly refusedRequests: Counter<'area' | 'reason'>;
  readonly lostLinkClicks: Counter;
  readonly storedRows: Counter<'table'>;
  readonly repeatedRows: Counter<'table'>;
  readonly setAside: Counter<'table' | 'what'>;
  readonly syncSeconds: Histogram;
  readonly overQuota: Counter<'quota'>;
  readonly insertSeconds: Histogram<'table'>;
  readonly configurationAge: Gauge;
  readonly materializationSeconds: Histogram<'name' | 'outcome'>;
  readonly materializationRows: Counter<'name'>;
  readonly materializationRowsAgain: Counter<'name'>;
  readonly deliveries: Counter<'destination' | 'outcome'>;
  /** Attempts to send messages of alerts and schedules. */
  readonly notices: Counter<'kind' | 'outcome'>;
  readonly judgements: Counter<'outcome'>;
  /** Periods of scheduled exports that were written, and failures. */
  readonly scheduledExports: Counter<'outcome'>;
  /** Asked how scheduled exports are doing whenever the metrics are read; undefined for nobody knows yet. */
  readonly onExports: (read: () => ExportGauges | undefined) => void;
  readonly deliverySeconds: Histogram;
  readonly reportSeconds: Histogram<'report' | 'outcome'>;
  readonly exportSeconds: Histogram<'export' | 'outcome'>;
  /** The work of a worker, measured at each run. */
  readonly measured: Measured;
  /** Asked for the reports and files of this process whenever the metrics are read. */
  readonly onReports: (read: () => ReportState) => void;
  /** Called for every answer over HTTP. */
  readonly observeAnswer: (area: string, status: string, seconds: number) => void;
  /** Asked for what the ingest log holds whenever the metrics are read. */
  readonly onIngest: (read: () => IngestState) => void;
  /** Asked for the number of broken parts of ClickHouse whenever the metrics are read. */
  readonly onBrokenParts: (read: () => number) => void;
  /** Asked for the messages that wait to be sent whenever the metrics are read. */
  readonly onPendingMessages: (read: () => readonly PendingMessages[]) => void;
  /** Asked for how much is set aside whenever the metrics are read. */
  readonly onQuarantined: (read: () => number) => void;
  /** When the oldest request to forget somebody was made who is not hidden yet, in milliseconds; undefined for none. */
  readonly observeOldestErasure: (requestedAt: number | undefined) => void;
  /** Asked for the lag of each materialization whenever the metrics are read. */
  readonly onMaterializationLags: (read: () => readonly { name: string; seconds: number }[]) => void;
}

/** How many scheduled exports fail, and the longest lag of one in seconds. */
interface ExportGauges {
  readonly failing: number;
  readonly lag_seconds: number;
}

/** A separate registry for each process; the primary process of several adds them up. */
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
  const onIngest = ingestGauges(registry);
  const onPendingMessages = outboxGauges(registry);
  let readQuarantined = () => 0;
  new Gauge({
    name: 'adtrail_quarantined',
    help: 'Installs and visitors that could not be derived and are set aside, as far as this process knows',
    registers,
    collect() {
      this.set(readQuarantined());
    },
  });
  let readExports: () => ExportGauges | undefined = () => undefined;
  new Gauge({
    name: 'adtrail_scheduled_export_lag_seconds',
    help: 'Seconds since the end of the first period that is not written, of the scheduled export furthest behind',
    registers,
    // Every worker knows of the same exports.
    aggregator: 'max',
    collect() {
      this.set(readExports()?.lag_seconds ?? 0);
    },
  });
  new Gauge({
    name: 'adtrail_scheduled_exports_failing',
    help: 'Scheduled exports that failed when they were written last',
    registers,
    // Every worker knows of the same exports.
    aggregator: 'max',
    collect() {
      this.set(readExports()?.failing ?? 0);
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
    onIngest,
    onPendingMessages,
    observeOldestErasure(requestedAt) {
      oldestErasure = requestedAt;
    },
    onExports(read) {
      readExports = read;
    },
    scheduledExports: new Counter({
      name: 'adtrail_scheduled_exports_total',
      help: 'What became of scheduled exports: periods written, failures',
      labelNames: ['outcome'],
      registers,
    }),
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
    overQuota: new Counter({
      name: 'adtrail_events_over_quota_total',
      help: 'Events sent with a public key and refused by QUOTA_COLLECT, by the quota that they are over',
      labelNames: ['quota'],
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
    deliveries: new Counter({
      name: 'adtrail_outbox_attempts_total',
      help: 'Attempts to deliver postbacks and webhooks, by host and outcome: sent, retry, dead',
      labelNames: ['destination', 'outcome'],
      registers,
    }),
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
    deliverySeconds: new Histogram({
      name: 'adtrail_outbox_attempt_seconds',
      help: 'Duration of attempts to deliver postbacks and webhooks',
      buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
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
    measured: workerMetrics(registry),
    onReports: reportGauges(registry),
    observeAnswer: answerSeconds(registry),
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

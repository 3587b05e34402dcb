/** Wires alerts and scheduled reports: what judges and sends, in every process of the attribution role. */
import { composeEvent } from '../alerts/service';
import { startAlerts } from '../alerts/worker';
import type { Config } from '../config';
import type { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { Sender } from '../deliveries/sender';
import { judge } from '../deliveries/verdict';
import { readBehind } from '../export/doing';
import type { Log } from '../lib/log';
import type { Seals } from '../lib/seal';
import type { Metrics } from '../metrics/metrics';
import type { DeliveryParts } from '../notices/delivery';
import { startNotices } from '../notices/worker';
import { smtpMail } from '../people/mail';
import { ReportRunner } from '../reporting/report-runner';
import { composeRun } from '../schedules/report';
import { startSchedules } from '../schedules/worker';
import type { Tracing } from '../tracing/tracing';
import type { Background } from './derive';
import { mustBeComplete } from './complete';
import type { Ingest } from './ingest';

/** Threads of a judgement in ClickHouse. */
const THREADS = 1;
/** How long a stop waits for what is under way; what is not noted by then is done again. */
const STOP_MS = 3_000;

export interface NoticesParts {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly ingest: Ingest;
  readonly background: Background;
  readonly configSync: ClickHouseConfigSync;
  readonly sender: Sender;
  readonly seals: Seals;
  readonly log: Log;
  readonly now: () => number;
}

/** How messages are handed to receivers. */
export const wireDelivery = ({
  config,
  sender,
  seals,
  now,
}: Pick<NoticesParts, 'config' | 'sender' | 'seals' | 'now'>): DeliveryParts => ({
  mail: config.mail && smtpMail(config.mail.url, config.mail.from),
  publicUrl: config.publicUrl,
  sender,
  judge,
  retries: config.outbox.retries,
  seals,
  now,
});

/** Starts judging and sending. */
export function wireNotices(parts: NoticesParts): { stop(): Promise<void> } {
  const { config, postgres, clickhouse, metrics, tracing, ingest, background, configSync, log, now } = parts;
  if (!config.roles.has('attribution')) return { stop: () => Promise.resolve() };
  // Beside the reports of people, with as much as one of them has.
  const limits = { seconds: config.report.seconds, bytes: config.report.memoryMb * 500_000, threads: THREADS };
  const reports = new ReportRunner(
    clickhouse,
    limits,
    log,
    (report, outcome, seconds) => metrics.reportSeconds.observe({ report, outcome }, seconds),
    tracing,
  );
  const asking = {
    postgres,
    reports,
    mustBeComplete: mustBeComplete(background.quarantine),
    catchUp: background.catchUpWebVisitors,
    syncConfiguration: () => configSync.sync(),
    settled: () => ingest.processes.settled(),
    exports: (projectId: number) => readBehind(postgres, now(), projectId),
    now,
  };
  const delivery = wireDelivery(parts);
  const notices = startNotices({
    ...delivery,
    postgres,
    log,
    compose: async ({ event_id: eventId, run_id: runId, attempts }) =>
      eventId === null
        ? composeRun(asking, runId as number, config.publicUrl, { attempts, last: delivery.retries.length + 1 })
        : composeEvent(postgres, eventId, config.publicUrl),
    observe: (kind, outcome) => metrics.notices.inc({ kind, outcome }),
  });
  const alerts = startAlerts({
    ...asking,
    log,
    onMessages: notices.runSoon,
    observe: (outcome) => metrics.judgements.inc({ outcome }),
  });
  const schedules = startSchedules({ postgres, log, now, onMessages: notices.runSoon });
  return {
    async stop() {
      const timer = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.all([alerts.stop(), schedules.stop(), notices.stop()]), timer]);
    },
  };
}

/** What features of the API share: limits, the runners of reports and files, what changes of the configuration need. */
import type { Config } from '../config';
import { summarizeExports } from '../export/doing';
import { ExportRunner } from '../files/export-runner';
import { KeptAnswers } from '../questions/kept-answers';
import { boundedReads } from '../reporting/bounded-reads';
import { ReportRunner } from '../reporting/report-runner';
import { mustBeComplete } from './complete';
import type { HttpParts } from './http-parts';
import type { Guards } from './people';

/** Threads of a report in ClickHouse: more would take them from ingest. */
const REPORT_THREADS = 2;
/** Threads of a file: one would encode Parquet half as fast, and more would take them from ingest. */
const EXPORT_THREADS = 2;

/** What every role is wired from, with who asks. */
export type GuardedParts = HttpParts & Guards;
export type ApiParts = GuardedParts & ReturnType<typeof wireShared>;

export const wireApi = (parts: GuardedParts): ApiParts => ({ ...parts, ...wireShared(parts) });

/** What S2S and the import of clicks check requests by. */
export const wireChecking = ({ config, snapshot, datacenters, ingest, now }: HttpParts) => ({
  enabled: config.s2sEnabled,
  snapshot,
  datacenters,
  receipts: ingest.receipts,
  now,
});

/** The hosts at which the service itself is reached: the first is the one that domains lead to. */
export const listOwnHosts = ({ host, ownHosts }: Config) => [...ownHosts, host.toLowerCase()];

function wireShared(parts: GuardedParts) {
  const {
    config,
    access,
    admins,
    postgres,
    clickhouse,
    snapshot,
    ingest,
    background,
    createLimiter,
    metrics,
    log,
    now,
  } = parts;
  const bytes = config.report.memoryMb * 1_000_000;
  const reportLimits = { seconds: config.report.seconds, bytes, threads: REPORT_THREADS };
  const reports = new ReportRunner(
    clickhouse,
    reportLimits,
    log,
    (report, outcome, seconds) => metrics.reportSeconds.observe({ report, outcome }, seconds),
    parts.tracing,
  );
  const files = new ExportRunner(clickhouse, { bytes, threads: EXPORT_THREADS }, log, (kind, outcome, seconds) =>
    metrics.exportSeconds.observe({ export: kind, outcome }, seconds),
  );
  metrics.onReports(() => ({ ...reports.load, exports: files.count }));
  const { quarantine } = background;
  // On a cluster no node knows the parts of all others.
  const kept = config.clickhouse.cluster === undefined ? new KeptAnswers(clickhouse, now) : undefined;
  return {
    files,
    /** By key: of data endpoints, and of questions. */
    dataLimit: createLimiter('data', config.limits.data),
    queryLimit: createLimiter('query', config.limits.query),
    /** By key: of messages of alerts and reports that somebody asks for. */
    noticeTestLimit: createLimiter('notice-test', config.limits.management),
    /** What reports are computed with. */
    reporting: { postgres, access, reports, kept, syncConfiguration: () => parts.configSync.sync(), now },
    /** What single records are read with. */
    records: { postgres, clickhouse: boundedReads(clickhouse, reportLimits) },
    administration: { postgres, admins, refresh: () => snapshot.refresh(), now },
    mustBeComplete: mustBeComplete(quarantine),
    status: {
      postgres,
      clickhouse,
      processes: ingest.processes,
      quarantine,
      readiness: parts.readiness,
      lags: background.lags,
      exports: (projects: readonly number[] | undefined) => summarizeExports(postgres, now(), projects),
      now,
    },
  };
}

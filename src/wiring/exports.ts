/** Wires scheduled exports: in every process of the attribution role. */
import type { Config } from '../config';
import type { ExportPlaces } from '../configuration/exports';
import type { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { createAddresses } from '../deliveries/addresses';
import { mayReach, type Places } from '../export/open-place';
import { summarizeExports, type ExportsSummary } from '../export/doing';
import { startScheduledExports } from '../export/scheduled-worker';
import { runPeriodically } from '../lib/periodic';
import type { Log } from '../lib/log';
import type { Seals } from '../lib/seal';
import type { Metrics } from '../metrics/metrics';
import { mustBeComplete } from './complete';
import type { Background } from './derive';
import type { Ingest } from './ingest';

/** Threads of an export in ClickHouse. */
const THREADS = 1;
/** A statement that takes longer is cut off. */
const SECONDS = 3_600;
/** How long a stop waits for what is under way; what is not noted by then is written again. */
const STOP_MS = 3_000;
const LAG_MS = 10_000;

export interface ScheduledExportParts {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly ingest: Ingest;
  readonly background: Background;
  readonly configSync: ClickHouseConfigSync;
  readonly seals: Seals;
  readonly now: () => number;
}

const listExportPlaces = ({ exports, outbox }: Config, seals: Seals): Places => ({
  folder: exports.folder,
  s3: exports.s3,
  byProjects: exports.byProjects,
  addresses: createAddresses(outbox.allowPrivate),
  seal: seals.of('export keys'),
});

/** Where a workspace document may have exports go. */
export function exportPlaces({ exports, outbox }: Config): ExportPlaces {
  const addresses = createAddresses(outbox.allowPrivate);
  const { folder, s3 } = exports;
  return { folder, hasKeys: s3 !== undefined, mayReach: (endpoint) => mayReach(addresses, endpoint) };
}

/** What exports are read from and written with. */
export function exportParts(parts: ScheduledExportParts) {
  const { config, postgres, clickhouse, ingest, background, configSync, seals, now } = parts;
  const { partRows, keepSeconds, checkSeconds, turnSeconds } = config.exports;
  const bytes = config.report.memoryMb * 500_000;
  return {
    postgres,
    mustBeComplete: mustBeComplete(background.quarantine),
    catchUp: background.catchUpWebVisitors,
    syncConfiguration: () => configSync.sync(),
    settled: () => ingest.processes.settledByAll(),
    files: {
      clickhouse,
      limits: { max_memory_usage: String(bytes), max_threads: THREADS, max_execution_time: SECONDS },
    },
    places: listExportPlaces(config, seals),
    partRows,
    keepSeconds,
    checkSeconds,
    turnSeconds,
    now,
  };
}

/** Starts writing. */
export function wireScheduledExports(parts: ScheduledExportParts & { readonly metrics: Metrics; readonly log: Log }) {
  const { config, postgres, metrics, log, now } = parts;
  if (!config.roles.has('attribution')) return { stop: () => Promise.resolve() };
  const observe = (outcome: 'written' | 'failed') => metrics.scheduledExports.inc({ outcome });
  // From 0 on, so that the first one is an increase.
  for (const outcome of ['written', 'failed']) metrics.scheduledExports.inc({ outcome }, 0);
  const exports = startScheduledExports({ ...exportParts(parts), log, observe });
  let summary: ExportsSummary | undefined;
  metrics.onExports(() => summary);
  const measuring = runPeriodically('Measuring scheduled exports', LAG_MS, log, async () => {
    summary = await summarizeExports(postgres, now());
  });
  return {
    async stop() {
      const timer = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.all([exports.stop(), measuring.stop()]), timer]);
    },
  };
}

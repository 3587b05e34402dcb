/**
 * Wires what a process does in the background: derived tables, erasure, sweeping repeats and copying the configuration.
 */
import type { Config } from '../config';
import type { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import { LOCKS, tryWithLock } from '../db/advisory-lock';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { sealRequests } from '../erasure/sealed';
import { createErasure, type ErasureOptions } from '../erasure/worker';
import { ApiError } from '../errors';
import type { Processes } from '../ingest/processes';
import type { Log } from '../lib/log';
import { createAttribution } from '../derive/decisions/decisions';
import { ChangeTracker } from '../derive/change-tracker';
import { createDailyClicks } from '../derive/daily-clicks/daily-clicks';
import { fillInstallCountries } from '../derive/install-countries/install-countries';
import { createInstallQueue } from '../derive/install-queue/install-queue';
import { createOutbox } from '../derive/messages/messages';
import { createInstallJourneys } from '../derive/install-journeys/install-journeys';
import { createInstallRecords } from '../derive/install-records/install-records';
import { createInstallsByIdentifier } from '../derive/installs-by-identifier/installs-by-identifier';
import type { Materialization } from '../derive/materialization';
import { Quarantine } from '../derive/quarantine';
import { Scheduler, type SchedulerOptions } from '../derive/scheduler';
import { createTouches } from '../derive/touches/touches';
import { startUpgrade, type TakeUpSome } from '../derive/upgrades';
import { deriveFormerVisitors } from '../derive/web-visitors/former-visitors';
import { createWebVisitors } from '../derive/web-visitors/web-visitors';
import { TouchSweep } from '../ingest/sweep';
import type { Metrics } from '../metrics/metrics';
import { copyAuditLog } from '../people/audit-log-copy';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { DEFINITIONS } from '../s2s/definitions';
import type { Seals } from '../lib/seal';
import {
  DERIVATION_NAMES,
  DERIVATIONS,
  UPGRADE_NAMES,
  UPGRADES,
  type Derivation,
  type DerivationName,
  type UpgradeName,
} from '../tables/derivations';
import type { Tracing } from '../tracing/tracing';
import type { Ingest } from './ingest';

/** How often one process sweeps repeats and copies the configuration. */
const HOUSEKEEPING_MS = 4_000;
/** How long a web report waits for what was accepted before it was asked for. */
const WAIT_FOR_LOG_MS = 2_000;
/** For so long a process hurries that was asked to derive. */
const CATCH_UP_MS = 30_000;
/** How often requests to erase a person are looked at: a minute is all they may take to be hidden. */
const ERASURE_MS = 5_000;

export interface Parts {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly ingest: Ingest;
  readonly configSync: ClickHouseConfigSync;
  readonly seals: Seals;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Log;
  readonly now: () => number;
  /** Brings the users of ClickHouse that see one project to what the configuration says. */
  readonly syncReaders: () => Promise<void>;
  /** Told when there is something to send. */
  readonly onSettled: () => void;
}

export interface Background {
  /** Brings what web reports read up to what has been acknowledged. */
  readonly catchUpWebVisitors: () => Promise<void>;
  /** Takes up a request to erase a person at once. */
  readonly eraseSoon: () => void;
  /** Seconds since everything stored was taken in, by derived table. */
  readonly lags: Scheduler['lags'];
  /** What the derived tables lack. */
  readonly quarantine: Quarantine;
  /** Copies a change of the configuration at once. */
  readonly configurationChanged: () => void;
  stop(): Promise<void>;
}

export function wireMaterialize(parts: Parts): Background {
  const { config, log } = parts;
  const quarantine = new Quarantine(parts.clickhouse, log, parts.now);
  parts.configSync.onChanged = (projectIds) => quarantine.retryProjects(projectIds);
  const scheduler = createScheduler(parts, quarantine);
  scheduler.start();
  parts.ingest.processes.onDerive = (what) => void scheduler.catchUpAll(CATCH_UP_MS, what);
  const housekeeping = startHousekeeping(parts);
  const upgrades = startUpgrades(parts, quarantine);
  const { cluster } = config.clickhouse;
  const erasure = config.roles.has('attribution')
    ? runPeriodically(
        'Erasure',
        ERASURE_MS,
        log,
        parts.metrics.measured('erasure', createErasure(erasureOptions(parts, cluster, scheduler))),
      )
    : undefined;
  return {
    async catchUpWebVisitors() {
      await mustBeStored(parts.ingest.processes, parts.now());
      await scheduler.catchUp('web-visitors');
    },
    eraseSoon: () => erasure?.runSoon(),
    configurationChanged: housekeeping.runSoon,
    quarantine,
    lags: () => scheduler.lags(),
    async stop() {
      const upgraded = upgrades.map((upgrade) => upgrade.stop());
      await Promise.all([scheduler.stop(), housekeeping.stop(), erasure?.stop(), ...upgraded]);
    },
  };
}

/** @throws ApiError 503 when what was accepted up to `at` is not in ClickHouse soon; it says how far that is. */
async function mustBeStored(processes: Processes, at: number): Promise<void> {
  const settled = await processes.waitUntil(at, WAIT_FOR_LOG_MS);
  if (settled >= at) return;
  const upTo = new Date(settled).toISOString();
  throw new ApiError(503, `Reports are complete up to ${upTo} only. Please try again.`, { 'Retry-After': '2' });
}

function erasureOptions(parts: Parts, cluster: string | undefined, scheduler: Scheduler): ErasureOptions {
  const { config, metrics, seals } = parts;
  return {
    ...parts,
    cluster,
    seal: sealRequests(seals),
    processes: parts.ingest.processes,
    folders: { data: config.dataDir, ingestLog: config.ingest.folder },
    settledUpTo: () => Math.min(scheduler.settledUpTo('touches'), scheduler.settledUpTo('install-records')),
    catchUpWebVisitors: () => scheduler.catchUp('web-visitors'),
    observeOldest: metrics.observeOldestErasure,
  };
}

function createScheduler(parts: Parts, quarantine: Quarantine): Scheduler {
  const { config, postgres, clickhouse, ingest, metrics, tracing, log, now } = parts;
  const scheduler = new Scheduler({
    postgres,
    tracker: new ChangeTracker(clickhouse, config.clickhouse.cluster !== undefined, () => ingest.processes.settled()),
    tracing,
    log,
    now,
    lastStoredAt: () => ingest.processes.storedAt,
    pauseMs: config.derive.pauseMs,
    observe: observeRuns(metrics),
    observeRows({ name, rows, again }) {
      metrics.materializationRows.inc({ name }, rows);
      metrics.materializationRowsAgain.inc({ name }, again);
    },
  });
  const creators = listCreators(parts, quarantine, scheduler);
  for (const name of DERIVATION_NAMES) {
    const derivation: Derivation = DERIVATIONS[name];
    if (!derivation.roles.some((role) => config.roles.has(role))) continue;
    const soon = !derivation.waits;
    for (const one of [creators[name]()].flat()) scheduler.add(one, derivation.everyMs, { soon });
  }
  metrics.onMaterializationLags(() => scheduler.lags());
  ingest.log.onStored = (table) => scheduler.wake(table);
  return scheduler;
}

/** Brings rows of earlier versions up to date, as far as this process derives them. */
function startUpgrades({ config, clickhouse, postgres, log, metrics, now }: Parts, quarantine: Quarantine) {
  const creators: Readonly<Record<UpgradeName, () => TakeUpSome>> = {
    'install-countries': () => fillInstallCountries(clickhouse, now()),
    'former-web-visitors': () => deriveFormerVisitors(clickhouse, quarantine),
  };
  const own = UPGRADE_NAMES.filter((name) => UPGRADES[name].roles.some((role) => config.roles.has(role)));
  return own.map((name) => startUpgrade(name, creators[name](), { postgres, log, observe: observeRuns(metrics) }));
}

const observeRuns =
  (metrics: Metrics): SchedulerOptions['observe'] =>
  ({ name, seconds, failed }) =>
    metrics.materializationSeconds.observe({ name, outcome: failed ? 'failed' : 'done' }, seconds);

/** What makes each derivation; a derivation without a line does not compile. */
function listCreators(
  { config, postgres, clickhouse, configSync, now, onSettled }: Parts,
  quarantine: Quarantine,
  scheduler: Scheduler,
): Readonly<Record<DerivationName, () => Materialization | readonly Materialization[]>> {
  const { deciders } = config;
  const { cluster } = config.clickhouse;
  const syncConfiguration = () => configSync.sync();
  const onDecided = () => scheduler.wake('installs');
  return {
    'installs-by-identifier': () => createInstallsByIdentifier(clickhouse),
    touches: () => createTouches(clickhouse),
    attribution: () =>
      createAttribution({ postgres, clickhouse, cluster, deciders, syncConfiguration, quarantine, onDecided }),
    'install-queue': () => createInstallQueue(clickhouse),
    outbox: () => createOutbox({ postgres, clickhouse, syncConfiguration, now, onSettled }),
    'daily-clicks': () => createDailyClicks(clickhouse),
    'install-records': () => createInstallRecords(clickhouse),
    'install-journeys': () => createInstallJourneys(clickhouse, quarantine),
    'web-visitors': () => createWebVisitors(clickhouse, quarantine),
  };
}

function startHousekeeping({
  postgres,
  clickhouse,
  configSync,
  syncReaders,
  metrics,
  tracing,
  log,
  now,
}: Parts): PeriodicTask {
  const sweeps = DEFINITIONS.map((definition) => new TouchSweep(clickhouse, definition));
  const sweep = metrics.measured('sweep', async () => {
    for (const one of sweeps) await one.sweep(now());
  });
  const copyConfiguration = metrics.measured('configuration-copy', () => configSync.sync());
  const copyAudit = metrics.measured('audit-log-copy', () => copyAuditLog(postgres, clickhouse));
  // One after the other, and each whatever becomes of the others.
  const keepHouse = async () => {
    const failures: Error[] = [];
    for (const work of [syncReaders, sweep, copyConfiguration, copyAudit])
      await work().catch((error: Error) => failures.push(error));
    if (failures[0]) throw failures[0];
  };
  return runPeriodically('Housekeeping', HOUSEKEEPING_MS, log, async () => {
    await tryWithLock(postgres, LOCKS.housekeeping, () => tracing.span('housekeeping', {}, keepHouse));
  });
}

/** The composition root: configuration, engines, migrations, service, and all of it back down again. */
import cluster from 'node:cluster';
import { lookup } from 'node:dns/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropFrozen } from './backup/clickhouse-copy';
import { ConfigError, readerPasswordFile, refuseUnknownHosts, sealKeyFile, type Config } from './config';
import { mendTimezones } from './configuration/timezones';
import { LOCKS, tryWithLock } from './db/advisory-lock';
import { connectClickHouse, type ClickHouse } from './db/clickhouse';
import { migrate, SchemaError } from './db/migrate';
import { describeUnreadable, readUnreadable, sealColumns } from './db/sealed-columns';
import { applyReader } from './db/reader';
import { applyStorageOptions } from './tables/storage-options';
import { connectPostgres, type Postgres } from './db/postgres';
import { startClickHouse } from './embedded/clickhouse/start';
import { lockFolder } from './embedded/lock';
import { startPostgres } from './embedded/postgres/start';
import { secretFile } from './embedded/secret-file';
import type { Engine } from './embedded/supervisor';
import { removeUnfinished } from './ingest/log/folders';
import { StartError } from './errors';
import { createLog, type Log } from './lib/log';
import { loadDatacenterRanges, type DatacenterRanges } from './net/datacenter';
import { retry } from './lib/retry';
import { newSecret } from './lib/secrets';
import { wireSeals } from './wiring/seals';
import { startService, type Connections, type Service } from './wiring/service';
import { runAsWorker, startWorkers } from './wiring/workers';

/**
 * All of a shutdown must fit into 10 s (docs/contract/running.md), also on a machine that is a second late. A service
 * that still waits for an engine that hangs is left waiting, so that the engine is killed in time and not left behind.
 */
const SHUTDOWN_MS = 9_000;
const SERVICE_GRACE_MS = 5_200;
const ENGINE_GRACE_MS = 3_600;
/** How long external engines may take to answer if everything is started at once. */
const ENGINES_ANSWER_WITHIN_MS = 60_000;

type Engines = Omit<Connections, 'adminToken' | 'ipHashSecret' | 'sealKey'> & { stopEngines(): Promise<void> };

/** Serves until SIGTERM or SIGINT. `onReady` is called with the addresses once everything answers. */
export async function serve(
  config: Config,
  onReady: (at: Connections & { port: number }) => Promise<void> | void,
): Promise<void> {
  const log = createLog(config.logLevel);
  const datacenters = readDatacenters(config);
  if (cluster.isWorker)
    return runAsWorker(config, (at, process) => startService(config, at, datacenters, log, process));
  refuseUnknownHosts(config);
  const stopping = waitForSignal();
  await checkAddress(config);
  takeDataFolder(config);
  takeIngestLog(config);
  const engines = await startEngines(config, log);
  try {
    void stopping.then(() => setTimeout(() => process.exit(0), SHUTDOWN_MS).unref());
    const stopped = stopping.then(() => undefined);
    // A signal before the service starts ends it: a migration that breaks off is run again.
    const at = await Promise.race([prepare(config, engines, log), stopped]);
    // From then on others are told of it, and of several workers one may serve already: it leaves in order, too.
    const starting = at && start(config, at, datacenters, log, stopping);
    const started = () => Promise.race([starting?.catch(() => undefined), sleep(SERVICE_GRACE_MS, undefined)]);
    const service = await Promise.race([starting, stopped.then(started)]);
    if (at && service) await Promise.race([onReady({ ...at, port: service.port }), stopped]);
    log.info(`Stopping: ${await stopping}`);
    await Promise.race([service?.close(), sleep(SERVICE_GRACE_MS)]);
  } finally {
    await engines.stopEngines();
  }
}

/** Brings both engines to the newest schema; resolves with where they are, and with the secrets of the installation. */
async function prepare(config: Config, engines: Engines, log: Log): Promise<Connections> {
  const at = {
    ...engines,
    ipHashSecret: chooseIpHashSecret(config),
    adminToken: config.adminToken ?? secretFile(path.join(config.dataDir, 'admin-token'), () => newSecret('admin')),
    sealKey: chooseSealKey(config),
  };
  await migrateEngines(config, engines, log);
  await sealAtRest(config, at, log);
  return at;
}

/** Starts to serve; undefined where `stopping` resolved before others knew of the service. */
async function start(
  config: Config,
  at: Connections,
  datacenters: DatacenterRanges,
  log: Log,
  stopping: Promise<unknown>,
): Promise<Pick<Service, 'port' | 'close'> | undefined> {
  const service = await (
    config.workers === 1
      ? startService(config, at, datacenters, log, { stopping })
      : startWorkers(config, at, log, stopping)
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'listen'
      ? new StartError(`Cannot listen on HOST ${config.host}, PORT ${config.port}: ${error.code}`)
      : error;
  });
  if (service) log.info(`Listening on http://${config.host}:${service.port}`);
  return service;
}

/** The secret that addresses are hashed with, where they are: of the installation, not of one process. */
const chooseIpHashSecret = ({ storeIp, ipHashSecret, dataDir }: Config): string =>
  storeIp === 'full' ? '' : (ipHashSecret ?? secretFile(path.join(dataDir, 'ip-hash-secret'), () => newSecret('ip')));

/** The key that secrets are sealed with at rest: of the installation, not of one process. */
export const chooseSealKey = ({ sealKey, dataDir }: Pick<Config, 'sealKey' | 'dataDir'>): string =>
  sealKey ?? secretFile(sealKeyFile(dataDir), () => newSecret('seal'));

/** Nothing stands in PostgreSQL any more as earlier versions left it; what cannot be read is said. */
async function sealAtRest(config: Config, at: Connections, log: Log): Promise<void> {
  const postgres = connectPostgres(at.databaseUrl);
  try {
    const seals = wireSeals(config, at);
    await sealColumns(postgres, seals);
    const unreadable = await readUnreadable(postgres, seals);
    if (unreadable.length > 0)
      log.error(
        `${describeUnreadable(unreadable)} cannot be read: they were sealed with another key than SEAL_KEY or ` +
          `${sealKeyFile(config.dataDir)} (docs/operations.md, The seal key)`,
      );
  } finally {
    await postgres.close();
  }
}

/** Nobody else asks the engines of a command: their port need not be that of a service, which may be running. */
const onAnyPort = (config: Config): Config => ({ ...config, clickhouse: { ...config.clickhouse, httpPort: 0 } });

/** Brings both engines to the newest schema and ends. */
export async function migrateOnce(config: Config): Promise<string[]> {
  const log = createLog(config.logLevel);
  takeDataFolder(config);
  const engines = await startEngines(onAnyPort(config), log);
  try {
    return await migrateEngines(config, engines, log);
  } finally {
    await engines.stopEngines();
  }
}

/**
 * Runs `work` on the engines without serving, and stops them. The folders must be taken.
 */
export async function withEngines<T>(config: Config, work: (at: EngineAddresses) => Promise<T>): Promise<T> {
  const log = createLog('warn');
  const engines = await startEngines(onAnyPort(config), log);
  const postgres = connectPostgres(engines.databaseUrl);
  const clickhouse = connectClickHouse(engines.clickhouseUrl, engines.clickhousePassword);
  try {
    await untilAnswers('PostgreSQL (DATABASE_URL)', () => postgres.rows('SELECT 1'));
    await untilAnswers('ClickHouse (CLICKHOUSE_URL)', () => clickhouse.rows('SELECT 1'));
    return await work({ databaseUrl: engines.databaseUrl, postgres, clickhouse });
  } finally {
    await Promise.all([postgres.close(), clickhouse.close()]);
    await engines.stopEngines();
  }
}

/** The engines of a service that is not running. */
export interface EngineAddresses {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
}

/** Takes the folders of a configuration for this process, as a service would. */
export function takeFolders(config: Config): void {
  takeDataFolder(config);
  takeIngestLog(config);
}

function readDatacenters(config: Config): DatacenterRanges {
  try {
    return loadDatacenterRanges({ extraFile: config.datacenterRanges });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** Checks HOST before anything is started. */
async function checkAddress({ host }: Config): Promise<void> {
  await lookup(host).catch((error: Error) => {
    throw new ConfigError(`HOST takes an address or name of this machine: ${error.message}`);
  });
}

/** Resolves with the name of the first signal to stop; later signals change nothing. */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
}

/** Starts the engines that no URL is set for, once the folder's lock is held. */
async function startEngines(config: Config, log: Log): Promise<Engines> {
  const { dataDir, databaseUrl, clickhouse } = config;
  const engines: Engine[] = [];
  const stopEngines = async () => {
    await Promise.all(engines.map((engine) => engine.stop(ENGINE_GRACE_MS)));
  };
  const start = async <E extends Engine>(starting: Promise<E>) => {
    const engine = await starting.catch((error: Error) => {
      throw new StartError(error.message);
    });
    engines.push(engine);
    return engine;
  };
  try {
    let clickhouseUrl = clickhouse.url;
    let clickhousePassword = clickhouse.password;
    if (!clickhouseUrl) {
      clickhousePassword ??= secretFile(path.join(dataDir, 'clickhouse-password'), () => newSecret('clickhouse'));
      const passwords = { default: clickhousePassword, reader: readerPassword(config) };
      clickhouseUrl = (await start(startClickHouse(path.join(dataDir, 'clickhouse'), clickhouse, passwords, log))).url;
    }
    const postgresUrl =
      databaseUrl ??
      (
        await start(
          startPostgres(
            path.join(dataDir, 'postgres'),
            secretFile(path.join(dataDir, 'postgres-password'), () => newSecret('postgres')),
            log,
          ),
        )
      ).url;
    return { databaseUrl: postgresUrl, clickhouseUrl, clickhousePassword, stopEngines };
  } catch (error) {
    await stopEngines();
    throw error;
  }
}

/** The password of ClickHouse's user `reader`, which data engineers use. */
function readerPassword({ clickhouse, dataDir }: Config): string {
  return clickhouse.readerPassword ?? secretFile(readerPasswordFile(dataDir), () => newSecret('reader'));
}

async function makeReader(config: Config, clickhouse: ClickHouse, log: Log): Promise<void> {
  const { readerPassword: configured, cluster } = config.clickhouse;
  await applyReader(clickhouse, { configured, cluster, generate: () => readerPassword(config) }, (message) =>
    log.warn(message),
  );
}

/**
 * The folder's lock comes first: without it nothing in it is touched. With both engines elsewhere the folder holds
 * nothing that two processes could damage.
 */
function takeDataFolder({ dataDir, databaseUrl, clickhouse }: Config): void {
  if (!databaseUrl || !clickhouse.url) takeFolder(dataDir, 'DATA_DIR');
}

/** The processes of one service share the folder of the ingest log, each with its own folder in it. */
function takeIngestLog({ ingest: { folder } }: Config): void {
  takeFolder(folder, 'INGEST_LOG_DIR');
  removeUnfinished(folder);
}

/** Takes the lock of the folder that a variable names; the second process on one folder says so and ends. */
function takeFolder(folder: string, variable: string): void {
  let locked: boolean;
  try {
    locked = lockFolder(folder);
  } catch (error) {
    throw new ConfigError(`${variable} takes a folder that can be written: ${(error as Error).message}`);
  }
  if (!locked)
    throw new StartError(
      `Another adtrail already runs on ${folder}; set ${variable} to another folder, or stop it first.`,
    );
}

async function migrateEngines(config: Config, at: Engines, log: Log): Promise<string[]> {
  const postgres = connectPostgres(at.databaseUrl);
  const clickhouse = connectClickHouse(at.clickhouseUrl, at.clickhousePassword);
  try {
    await untilAnswers('PostgreSQL (DATABASE_URL)', () => postgres.rows('SELECT 1'));
    await untilAnswers('ClickHouse (CLICKHOUSE_URL)', () => clickhouse.rows('SELECT 1'));
    const applied = await migrate(postgres, clickhouse, config.clickhouse.cluster).catch((error: Error) => {
      throw error instanceof SchemaError ? new StartError(error.message) : error;
    });
    await applyStorageOptions(clickhouse, {
      fsync: config.fsync,
      ttlDays: config.clickhouse.ttlDays,
      cluster: config.clickhouse.cluster,
    });
    // What a backup kept whose process was killed; one that is being taken keeps it.
    await tryWithLock(postgres, LOCKS.backup, () => dropFrozen(clickhouse));
    for (const timezone of await mendTimezones(postgres, clickhouse))
      log.error(`ClickHouse knows no time zone ${timezone}: projects that have it need another one`);
    if (config.clickhouse.url) await makeReader(config, clickhouse, log);
    for (const name of applied) log.info(`Applied ${name}`);
    return applied;
  } finally {
    await Promise.all([postgres.close(), clickhouse.close()]);
  }
}

async function untilAnswers(name: string, ask: () => Promise<unknown>): Promise<void> {
  await retry(ask, { waitMs: 500, giveUpAfterMs: ENGINES_ANSWER_WITHIN_MS }).catch((error: Error) => {
    throw new StartError(`${name} does not answer: ${error.message}`);
  });
}

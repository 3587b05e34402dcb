/** Puts the service of one process together: from connections to a listening port, and back down again. */
import type { Config } from '../config';
import { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import { ConfigSnapshot } from '../configuration/config-snapshot';
import { followConfiguration } from '../configuration/follow-changes';
import { keyUses } from '../configuration/key-uses';
import { connectClickHouse } from '../db/clickhouse';
import { connectPostgres } from '../db/postgres';
import { connectAsReader } from '../db/reader-client';
import { connectRedis } from '../db/redis';
import { logErrors } from '../http/apps';
import type { OnRefusal } from '../http/refusals';
import { listen } from '../http/server';
import { projectReaders } from '../keys/readers';
import { limiterFactory } from '../limits/limiters';
import type { Log } from '../lib/log';
import { createMetrics, type Metrics } from '../metrics/metrics';
import type { DatacenterRanges } from '../net/datacenter';
import { ipStorage } from '../net/stored-ip';
import { traceClickHouse, tracePostgres } from '../tracing/engines';
import { wireDomains } from './domains';
import { wireScheduledExports } from './exports';
import { wireHttp } from './http';
import { wireIngest } from './ingest';
import { wireMaterialize } from './derive';
import { wireMonitoring } from './monitoring';
import { wireOutbox } from './deliveries';
import { wireNotices } from './notices';
import { noteRegularly } from './noting';
import { wireReadiness } from './readiness';
import { wireSeals } from './seals';
import { wireTracing } from './tracing';

/** How long a stop waits for clicks on links that the ingest log has not taken. */
const LINK_DRAIN_MS = 1_000;
/** How long a stop drains the ingest log: the engines need the rest. What is left waits for the next start. */
const LOG_DRAIN_MS = 3_000;

/** How long a stop waits for who takes spans. */
const SPANS_MS = 1_000;

/** Where the engines are; everything is known and running by now. */
export interface Connections {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly clickhousePassword: string | undefined;
  readonly adminToken: string;
  /** What secrets are sealed with at rest. */
  readonly sealKey: string;
  /** What addresses are hashed with; empty where they are stored as they are. */
  readonly ipHashSecret: string;
}

export interface Service {
  readonly port: number;
  readonly metrics: Metrics;
  /** Stops accepting, answers what is in flight, drains the ingest log, and disconnects from the engines. */
  close(): Promise<void>;
}

/** What starts a service and ends it. */
export interface ServiceProcess {
  /** Resolves when it is to end. */
  readonly stopping: Promise<unknown>;
  /** Answers /metrics, for all processes of the machine where there are several. */
  readonly gatherMetrics?: () => Promise<string>;
}

/** Starts serving; undefined where it is to end before others know of it: from then on it has to leave in order. */
export async function startService(
  config: Config,
  at: Connections,
  datacenters: DatacenterRanges,
  log: Log,
  { stopping, gatherMetrics }: ServiceProcess,
): Promise<Service | undefined> {
  let isStopping = false;
  void stopping.then(() => (isStopping = true));
  const now = () => Date.now();
  const metrics = createMetrics();
  const tracing = await wireTracing(config, log);
  const postgres = tracePostgres(connectPostgres(at.databaseUrl), tracing);
  const statements = { memoryMb: config.derive.memoryMb };
  const clickhouse = traceClickHouse(connectClickHouse(at.clickhouseUrl, at.clickhousePassword, statements), tracing);
  const reader = connectAsReader(at.clickhouseUrl);
  const redis = config.redisUrl ? connectRedis(config.redisUrl) : undefined;
  const engines = { config, postgres, clickhouse, metrics, tracing, now };

  const uses = keyUses(postgres, now);
  const snapshot = new ConfigSnapshot(postgres, now, uses.note);
  await snapshot.refresh();
  // Its connections end with the process.
  if (isStopping) return undefined;
  const configSync = new ClickHouseConfigSync(postgres, clickhouse);
  const storeIp = config.storeIp === 'full' ? undefined : ipStorage(config.storeIp, at.ipHashSecret);
  const ingest = await wireIngest({ ...engines, at, log, storeIp });
  const { adminToken } = at;
  const seals = wireSeals(config, at);
  const outbox = wireOutbox({ ...engines, seals, log });
  const onSettled = outbox.wake;
  const readers = projectReaders(postgres, clickhouse, config.clickhouse.cluster, at.clickhouseUrl);
  const syncReaders = () => readers.sync();
  const background = wireMaterialize({ ...engines, ingest, configSync, syncReaders, seals, log, onSettled });
  const { sender } = outbox;
  const notices = wireNotices({ ...engines, ingest, background, configSync, sender, seals, log });
  const exports = wireScheduledExports({ ...engines, ingest, background, configSync, seals, log });
  const noting = noteRegularly({ ingest, writeUses: uses.write, metrics, log });
  const domains = wireDomains({ ...engines, log });
  const unfollow = followConfiguration(postgres, snapshot, background.configurationChanged);

  let closing = false;
  const onRefusal: OnRefusal = (area, reason) => metrics.refusedRequests.inc({ area, reason });
  const app = {
    onError: logErrors(log),
    onRefusal,
    isClosing: () => closing,
  };
  const createLimiter = limiterFactory(redis);
  // Checks neither wait for the work nor make it wait.
  const probes = {
    postgres: connectPostgres(at.databaseUrl, 1),
    clickhouse: connectClickHouse(at.clickhouseUrl, at.clickhousePassword, { connections: 1 }),
  };
  const { quarantine, lags } = background;
  const { processes } = ingest;
  const { cluster } = config.clickhouse;
  const monitoring = wireMonitoring({ clickhouse, cluster, quarantine, lags, processes, metrics, log });
  const readiness = wireReadiness({ ...probes, config, snapshot, writes: ingest.writes, now }, monitoring.checks);
  const shared = {
    ...engines,
    databaseUrl: at.databaseUrl,
    reader,
    readers,
    adminToken,
    seals,
    sealKey: at.sealKey,
    snapshot,
    datacenters,
    ingest,
    background,
    configSync,
    createLimiter,
    pingRedis: redis && (() => redis.ping()),
    readiness,
    looking: domains.looking,
    sender,
    log,
  };
  // What a report says of itself at these levels has to name its request.
  const isFollowed = tracing.isOn || ['trace', 'debug'].includes(config.logLevel);
  const server = await listen(
    wireHttp({ ...shared, gatherMetrics, app }),
    { host: config.host, port: config.port, isFollowed, connections: config.limits.connections },
    onRefusal,
  );

  return {
    port: server.port,
    metrics,
    async close() {
      closing = true;
      const closed = server.close();
      await closed;
      await ingest.recorder.flush(LINK_DRAIN_MS);
      const isEmpty = await ingest.log.close(LOG_DRAIN_MS);
      const lost = ingest.recorder.close();
      if (lost > 0) log.error(`Lost ${lost} clicks on tracking links: the ingest log did not take them`);
      if (!isEmpty) log.warn('What is left in the ingest log is stored at the next start');
      // The folder goes last: where this process cannot be taken off the list, the next start does it.
      await processes.stop(isEmpty).then(
        () => isEmpty && ingest.log.removeFolder(),
        (error: Error) => log.warn(`The ingest log is still listed: ${error.message}`),
      );
      const others = [monitoring.stop(), unfollow(), noting.stop(), domains.proving?.stop()];
      // Before the outbox, with which the connections that it sends by are closed.
      await Promise.all([notices.stop(), exports.stop()]);
      await Promise.all([background.stop(), outbox.stop(), ...others]);
      redis?.disconnect();
      await Promise.all([
        tracing.stop(SPANS_MS),
        ...[postgres, clickhouse, reader, probes.postgres, probes.clickhouse].map((engine) => engine.close()),
      ]);
    },
  };
}

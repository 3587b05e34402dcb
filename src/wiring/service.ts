/** Puts the service of one process together: from connections to a listening port, and back down again. */
import type { Config } from '../config';
import { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import { ConfigSnapshot } from '../configuration/config-snapshot';
import { followConfiguration } from '../configuration/follow-changes';
import { connectClickHouse } from '../db/clickhouse';
import { connectPostgres } from '../db/postgres';
import { connectRedis } from '../db/redis';
import { logErrors } from '../http/apps';
import { listen } from '../http/server';
import { limiterFactory } from '../limits/limiters';
import type { Log } from '../log';
import { createMetrics, type Metrics } from '../metrics';
import type { DatacenterRanges } from '../net/datacenter';
import { wireHttp } from './http';
import { wireIngest } from './ingest';
import { wireMaterialize } from './materialize';

/**
 * How long a stop waits for clicks on links that ClickHouse has not taken yet: the engines need the rest of the time.
 */
const LINK_DRAIN_MS = 1_500;

/** Where the engines are; everything is known and running by now. */
export interface Connections {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly clickhousePassword: string | undefined;
  readonly adminToken: string;
}

export interface Service {
  readonly port: number;
  readonly metrics: Metrics;
  /** Stops accepting, answers what is in flight, stores what is queued, and disconnects from the engines. */
  close(): Promise<void>;
}

/** Starts serving. `gatherMetrics` answers /metrics, for all processes of the machine where there are several. */
export async function startService(
  config: Config,
  at: Connections,
  datacenters: DatacenterRanges,
  log: Log,
  gatherMetrics?: () => Promise<string>,
): Promise<Service> {
  const now = () => Date.now();
  const metrics = createMetrics();
  const postgres = connectPostgres(at.databaseUrl);
  const clickhouse = connectClickHouse(at.clickhouseUrl, at.clickhousePassword);
  const redis = config.redisUrl ? connectRedis(config.redisUrl) : undefined;
  const engines = { config, postgres, clickhouse, metrics, now };

  const snapshot = new ConfigSnapshot(postgres, now);
  await snapshot.refresh();
  const configSync = new ClickHouseConfigSync(postgres, clickhouse);
  const ingest = await wireIngest(clickhouse, metrics, now);
  const background = wireMaterialize({ ...engines, ingest, configSync, log });
  const unfollow = followConfiguration(postgres, snapshot, background.configurationChanged);

  let closing = false;
  const app = {
    onError: logErrors(log),
    isClosing: () => closing,
  };
  const { adminToken } = at;
  const limiterOf = limiterFactory(redis);
  const shared = { ...engines, adminToken, snapshot, datacenters, ingest, background, configSync, limiterOf };
  const server = await listen(wireHttp({ ...shared, gatherMetrics, app }), config.host, config.port);

  return {
    port: server.port,
    metrics,
    async close() {
      closing = true;
      const closed = server.close();
      await ingest.drain();
      await closed;
      const lost = await ingest.recorder.drain(LINK_DRAIN_MS);
      if (lost > 0) log.error(`Lost ${lost} clicks on tracking links: ClickHouse did not take them`);
      await Promise.all([background.stop(), unfollow()]);
      redis?.disconnect();
      await Promise.all([postgres.close(), clickhouse.close()]);
    },
  };
}

/** What the HTTP side is wired from. */
import type { Looking } from '../domains/service';
import type { Config } from '../config';
import type { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { ReaderClient } from '../db/reader-client';
import type { AppOptions } from '../http/apps';
import type { Readiness } from '../http/readiness';
import type { ProjectReaders } from '../keys/readers';
import type { LimiterFactory } from '../limits/limiters';
import type { Log } from '../lib/log';
import type { Metrics } from '../metrics/metrics';
import type { DatacenterRanges } from '../net/datacenter';
import type { Sender } from '../deliveries/sender';
import type { Seals } from '../lib/seal';
import type { Tracing } from '../tracing/tracing';
import type { Ingest } from './ingest';
import type { Background } from './derive';

export interface HttpParts {
  readonly config: Config;
  readonly adminToken: string;
  /** What secrets are sealed with at rest. */
  readonly seals: Seals;
  readonly sealKey: string;
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  readonly clickhouse: ClickHouse;
  /** ClickHouse, as users that see one project. */
  readonly reader: ReaderClient;
  /** The users of ClickHouse that see one project, for data engineers. */
  readonly readers: ProjectReaders;
  readonly snapshot: ConfigSnapshot;
  readonly datacenters: DatacenterRanges;
  readonly ingest: Ingest;
  readonly background: Background;
  readonly configSync: ClickHouseConfigSync;
  readonly createLimiter: LimiterFactory;
  /** Whether Redis answers; undefined without one. */
  readonly pingRedis: (() => Promise<unknown>) | undefined;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Looks at tracking domains. */
  readonly looking: Looking;
  /** Sends what is tried out. */
  readonly sender: Sender;
  readonly log: Log;
  /** Answers /readyz. */
  readonly readiness: () => Promise<Readiness>;
  /** Answers /metrics for all processes of the machine, where there are several. */
  readonly gatherMetrics: (() => Promise<string>) | undefined;
  readonly app: AppOptions;
  readonly now: () => number;
}

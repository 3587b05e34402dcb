/**
 * The one service of a test run. Suites that share it keep apart by name: names of accounts, partners and projects,
 * tokens, keys and domains are unique in an installation, so a suite's own begin or end with the name of the suite. A
 * suite that stops, kills, configures or counts the whole installation starts a service of its own.
 */
import fs from 'node:fs';
import path from 'node:path';
import { CLUSTER } from './cluster';
import { postgresUrl } from './postgres';
import { connectService, isOnCluster, startService, type Place, type RunningService, type Service } from './service';

/** Where the service is; Jest hands the environment on to the processes that run the suites. */
const VARIABLE = 'ADTRAIL_TEST_SHARED_SERVICE';
/** The same for the service of the suites that run on a cluster. */
const ON_CLUSTER_VARIABLE = 'ADTRAIL_TEST_SHARED_SERVICE_ON_CLUSTER';

/** Set in the process that started the services, by variable. */
const started = new Map<string, RunningService>();

export const offerSharedService = (service: RunningService) => offer(VARIABLE, service);
export const offerSharedServiceOnCluster = (service: RunningService) => offer(ON_CLUSTER_VARIABLE, service);
export const withdrawSharedService = () => started.get(VARIABLE)?.dispose();
export const withdrawSharedServiceOnCluster = () => started.get(ON_CLUSTER_VARIABLE)?.dispose();

function offer(variable: string, service: RunningService): void {
  const { url, clickhouseUrl, dataDir, outputFile } = service;
  started.set(variable, service);
  process.env[variable] = JSON.stringify({ url, clickhouseUrl, dataDir, outputFile } satisfies Place);
}

/** The service that all suites share; for the top of a suite. */
export function sharedService(): Service {
  const place = process.env[isOnCluster() ? ON_CLUSTER_VARIABLE : VARIABLE];
  if (place === undefined) throw new Error('No service is shared: only integration tests have one');
  const service = connectService(JSON.parse(place) as Place);
  afterAll(() => service.clickhouse.close());
  return service;
}

/**
 * What all services on shared engines agree on, for each of them sends what any of them has decided: messages go to
 * receivers on this machine and are given up soon. Nobody stops the engines: an answer may wait for them.
 */
export const TOGETHER = {
  ACCEPT_TIMEOUT_MS: '60000',
  OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
  OUTBOX_RETRIES: '1,1',
};

/** Processes on the same engines read what others have sealed. */
function readSealKey({ dataDir }: Service): NodeJS.ProcessEnv {
  const file = path.join(dataDir, 'seal-key');
  return fs.existsSync(file) ? { SEAL_KEY: fs.readFileSync(file, 'utf8').trim() } : {};
}

/**
 * Starts a service on the engines of another, which is quicker: for suites that configure only the service itself. The
 * other one derives and decides, unless ROLES say more.
 */
export function startBeside(other: Service, env: NodeJS.ProcessEnv): Promise<RunningService> {
  const cluster = isOnCluster() ? { CLICKHOUSE_CLUSTER: CLUSTER } : {};
  const engines = { DATABASE_URL: postgresUrl(other), CLICKHOUSE_URL: other.clickhouseUrl };
  return startService({
    ROLES: 'api,s2s,links,collect',
    ...TOGETHER,
    ...readSealKey(other),
    ...env,
    ...engines,
    ...cluster,
  });
}

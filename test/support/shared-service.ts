/**
 * The one service of a test run. Suites that share it keep apart by name: names of accounts, partners and projects,
 * tokens, keys and domains are unique in an installation, so a suite's own begin or end with the name of the suite. A
 * suite that stops, kills, configures or counts the whole installation starts a service of its own.
 */
import { postgresUrl } from './postgres';
import { connectService, startService, type Place, type RunningService, type Service } from './service';

/** Where the service is; Jest hands the environment on to the processes that run the suites. */
const VARIABLE = 'ADTRAIL_TEST_SHARED_SERVICE';

/** Set in the process that started the service. */
let started: RunningService | undefined;

export function offerSharedService(service: RunningService): void {
  const { url, clickhouseUrl, dataDir, outputFile } = service;
  started = service;
  process.env[VARIABLE] = JSON.stringify({ url, clickhouseUrl, dataDir, outputFile } satisfies Place);
}

export async function withdrawSharedService(): Promise<void> {
  await started?.dispose();
}

/** The service that all suites share; for the top of a suite. */
export function sharedService(): Service {
  const place = process.env[VARIABLE];
  if (place === undefined) throw new Error('No service is shared: only integration tests have one');
  const service = connectService(JSON.parse(place) as Place);
  afterAll(() => service.clickhouse.close());
  return service;
}

/**
 * Starts a service on the engines of another, which is quicker: for suites that configure only the service
 * itself.
 */
export function startBeside(other: Service, env: NodeJS.ProcessEnv): Promise<RunningService> {
  return startService({ ...env, DATABASE_URL: postgresUrl(other), CLICKHOUSE_URL: other.clickhouseUrl });
}

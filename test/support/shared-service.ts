/**
 * The one service of a test run. Suites that share it keep apart by name: names of accounts, partners and projects,
 * tokens, keys and domains are unique in an installation, so a suite's own begin or end with the name of the suite. A
 * suite that stops, kills, configures or counts the whole installation starts a service of its own.
 */
import fs from 'node:fs';
import path from 'node:path';
import { CLUSTER } from './cluster';
import { temporaryFolder } from './paths';
import { postgresUrl } from './postgres';
import { connectService, isOnCluster, startService, type Place, type RunningService, type Service } from './service';

/**
 * A folder in which a suite asks for the service, and is told where it is; Jest hands the environment on to the
 * processes that run the suites.
 */
const VARIABLE = 'ADTRAIL_TEST_SHARED_SERVICE';
/** The same for the service of the suites that run on a cluster. */
const ON_CLUSTER_VARIABLE = 'ADTRAIL_TEST_SHARED_SERVICE_ON_CLUSTER';
const wantedIn = (folder: string) => path.join(folder, 'wanted');
const placeIn = (folder: string) => path.join(folder, 'place.json');
const LOOK_MS = 100;
/** More than a start takes on a machine that is busy. */
const START_MS = 300_000;

interface Offer {
  readonly folder: string;
  look?: NodeJS.Timeout;
  service?: Promise<RunningService>;
}

/** Kept in the process that starts the services, by variable. */
const offers = new Map<string, Offer>();

type Start = () => Promise<RunningService>;
export const offerSharedService = (start: Start) => offer(VARIABLE, start);
export const offerSharedServiceOnCluster = (start: Start) => offer(ON_CLUSTER_VARIABLE, start);
export const withdrawSharedService = () => withdraw(VARIABLE);
export const withdrawSharedServiceOnCluster = () => withdraw(ON_CLUSTER_VARIABLE);

/**
 * In a run of all suites the service starts once one of them asks for it: one that nobody needs yet takes a tenth of a
 * core from the others. In any other run it starts at once.
 */
async function offer(variable: string, start: Start): Promise<void> {
  const offered: Offer = { folder: temporaryFolder() };
  offers.set(variable, offered);
  process.env[variable] = offered.folder;
  if (!runsEverything()) return begin(offered, start);
  offered.look = setInterval(() => {
    if (!fs.existsSync(wantedIn(offered.folder))) return;
    clearInterval(offered.look);
    void begin(offered, start);
  }, LOOK_MS);
}

/**
 * Whether Jest was told of nothing but reporters. A few suites, or all with one worker, may run in this process, which
 * could not start a service while they wait for it.
 */
const runsEverything = () => process.argv.slice(2).every((argument) => argument.startsWith('--reporters='));

/** Starts the service, and tells the suites where it is, or why it is not. */
async function begin(offered: Offer, start: Start): Promise<void> {
  offered.service = start();
  await offered.service.then(
    ({ url, clickhouseUrl, dataDir, outputFile }) =>
      tell(offered.folder, { place: { url, clickhouseUrl, dataDir, outputFile } }),
    (error: unknown) => tell(offered.folder, { failure: String(error) }),
  );
}

async function withdraw(variable: string): Promise<void> {
  const offered = offers.get(variable);
  if (!offered) return;
  clearInterval(offered.look);
  // What could not start is gone, and the suites have said so.
  const service = await offered.service?.catch(() => undefined);
  await service?.dispose();
  fs.rmSync(offered.folder, { recursive: true, force: true });
}

type Answer = { readonly place: Place } | { readonly failure: string };

/** Appears at once: it is read while it is waited for. */
function tell(folder: string, answer: Answer): void {
  fs.writeFileSync(`${placeIn(folder)}.new`, JSON.stringify(answer));
  fs.renameSync(`${placeIn(folder)}.new`, placeIn(folder));
}

/** Asks for the service and waits, as the top of a suite can, without a promise. */
function askForPlace(folder: string): Place {
  fs.writeFileSync(wantedIn(folder), '');
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (const giveUp = Date.now() + START_MS; !fs.existsSync(placeIn(folder)); Atomics.wait(pause, 0, 0, LOOK_MS))
    if (Date.now() > giveUp) throw new Error(`The shared service has not started within ${START_MS} ms`);
  const answer = JSON.parse(fs.readFileSync(placeIn(folder), 'utf8')) as Answer;
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.place;
}

/** The service that all suites share; for the top of a suite. */
export function sharedService(): Service {
  const folder = process.env[isOnCluster() ? ON_CLUSTER_VARIABLE : VARIABLE];
  if (folder === undefined) throw new Error('No service is shared: only integration tests have one');
  const service = connectService(askForPlace(folder));
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

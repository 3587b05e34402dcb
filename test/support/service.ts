/** Starts the built service as its operator would, on free ports and a temporary folder, and cleans up after it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createClient, type ClickHouseClient } from '@clickhouse/client';
import { startOnCluster } from './cluster';
import { isMeasured, measure } from './measures';
import { checkResponse } from './http/openapi';
import { copyPreparedFolder } from './prepared-folder';
import { root, temporaryFolder } from './paths';
import { eventually } from './waiting';

export { root, temporaryFolder } from './paths';
export { answered, eventually, within } from './waiting';

export const ADMIN_TOKEN = 'admin-token-of-the-tests';
export const CLICKHOUSE_PASSWORD = 'test-clickhouse-password';

/** The folder that is prepared for a test run; Jest hands the environment on to the processes that run the suites. */
export const PREPARED_FOLDER = 'ADTRAIL_TEST_PREPARED_FOLDER';

/**
 * A port that no other test of the run was or will be given: what a test sends to a service that it has killed reaches
 * nobody else. No port that the system hands out by itself, for connections, is among them.
 */
const PORTS = { first: 10_000, last: 32_000 };
/** fetch and browsers refuse to ask there, whoever listens. */
const REFUSED_PORT = 10_080;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * (PORTS.last - PORTS.first));
    if (port !== REFUSED_PORT && (await isFree(port)) && isReserved(port)) return port;
  }
}

/** Reserves a port beside the folder that is prepared for a run; a suite by itself has nobody to share ports with. */
function isReserved(port: number): boolean {
  const prepared = process.env[PREPARED_FOLDER];
  if (!prepared) return true;
  const reservation = path.join(path.dirname(prepared), `port-${port}`);
  if (fs.existsSync(reservation)) return false;
  fs.mkdirSync(reservation);
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  server.listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Set in the suites that run on a cluster, by ./on-cluster. */
export const ON_CLUSTER = 'ADTRAIL_TEST_ON_CLUSTER';
export const isOnCluster = () => process.env[ON_CLUSTER] !== undefined;

/** Tests of what knows nothing of shards, in a file whose others are played again on a cluster. */
export function onOneNode(name: string, tests: () => void): void {
  if (!isOnCluster()) describe(name, tests);
}

/** A service that answers, as its users reach it. */
export interface Service {
  readonly url: string;
  readonly clickhouseUrl: string;
  readonly dataDir: string;
  readonly clickhouse: ClickHouseClient;
  /** The rows of a ClickHouse query. */
  rows<T = Record<string, unknown>>(query: string): Promise<T[]>;
  /** A request to the service, as fetch takes it. An answer that is not as documented fails the test. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** An administration request with a JSON body; resolves with status and parsed answer. */
  admin(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  apply(document: unknown): Promise<Record<string, unknown>>;
  /** Everything that the service wrote since the suite began. */
  output(): string;
}

/** A service that the suite started, and can stop, kill and restart. */
export interface RunningService extends Service {
  /** What its processes write to. */
  readonly outputFile: string;
  readonly child: ChildProcess;
  /** Process IDs of the embedded ClickHouse and PostgreSQL hosts. */
  enginePids(): { clickhouse: number[]; postgres: number[] };
  /** SIGTERM, and wait for the end; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, and wait for the end. */
  kill(): Promise<void>;
  /** Starts a new process on the same folder and ports. */
  restart(env?: NodeJS.ProcessEnv): Promise<void>;
  /** Stops the service and removes its folder. */
  dispose(): Promise<void>;
}

/** Where a service is, and what it writes to. */
export type Place = Pick<RunningService, 'url' | 'clickhouseUrl' | 'dataDir' | 'outputFile'>;

/** Speaks to the service at `place`; its answers are checked against the documented ones unless told otherwise. */
export function connectService(place: Place, isDocumented = true): Service {
  const clickhouse = createClient({
    url: place.clickhouseUrl,
    password: CLICKHOUSE_PASSWORD,
    request_timeout: 240_000,
    log: { level: 127 },
  });
  const written = fs.statSync(place.outputFile).size;
  const service: Service = {
    ...place,
    clickhouse,
    output: () => fs.readFileSync(place.outputFile).subarray(written).toString(),
    rows: async (query) => (await clickhouse.query({ query, format: 'JSONEachRow' })).json(),
    async request(at, init) {
      const response = await fetch(place.url + at, { redirect: 'manual', ...init });
      return isDocumented ? checkResponse(at, init, response) : response;
    },
    async admin(method, at, body) {
      const response = await service.request(`/admin/v1${at}`, {
        method,
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
    },
    async apply(document) {
      const { status, body } = await service.admin('PUT', '/workspace', document);
      if (status !== 200) throw new Error(`apply answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
  return service;
}

/**
 * Starts `adtrail serve` and waits until it is ready. Limits of ingest and of wrong admin tokens are off unless
 * the test sets them. In a suite that runs on a cluster, a service without a ClickHouse has a cluster of its own.
 * `built` is the folder of the version that is started, this one unless it is given.
 */
export const startService = (
  env: NodeJS.ProcessEnv = {},
  nodeFlags: readonly string[] = [],
  built = root,
): Promise<RunningService> =>
  isOnCluster() && !env.CLICKHOUSE_URL
    ? startOnCluster((engine) => startProcess({ ...env, ...engine }, nodeFlags, built))
    : startProcess(env, nodeFlags, built);

async function startProcess(
  env: NodeJS.ProcessEnv,
  nodeFlags: readonly string[],
  built: string,
): Promise<RunningService> {
  const folder = temporaryFolder();
  const dataDir = env.DATA_DIR ?? path.join(folder, 'data');
  const [port, clickhousePort] = [Number(env.PORT ?? (await freePort())), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const clickhouseUrl = env.CLICKHOUSE_URL ?? `http://127.0.0.1:${clickhousePort}`;
  const base = {
    ...cleanEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    CLICKHOUSE_HTTP_PORT: String(clickhousePort),
    ADMIN_TOKEN,
    CLICKHOUSE_PASSWORD,
    LIMIT_S2S_CAMPAIGN: 'off',
    LIMIT_VALIDATE: 'off',
    LIMIT_COLLECT: 'off',
    LIMIT_LINKS: 'off',
    LIMIT_ADMIN: 'off',
    LIMIT_PERSON: 'off',
    LIMIT_INVITATIONS: 'off',
    // What is acknowledged can be read at once, and no test waits for the disk.
    ACCEPT_AFTER: 'clickhouse',
    FSYNC: 'false',
    // Engines of several suites run beside each other, and each suite waits for its own.
    CLICKHOUSE_NICE: '0',
    // A test that waits for derived rows is a little later; the others do not pay for looks at each of their records.
    DERIVE_PAUSE_MS: '1000',
  };
  // A process that has some of the roles answers 404 for the others.
  const isDocumented = env.ROLES === undefined;
  if (!env.DATABASE_URL && !env.CLICKHOUSE_URL && !env.DATA_DIR) copyPreparedFolder(dataDir);
  const outputFile = path.join(folder, 'output');
  const output = fs.openSync(outputFile, 'a');
  const connected = connectService({ url, clickhouseUrl, dataDir, outputFile }, isDocumented);
  let child: ChildProcess;

  const launch = async (extra: NodeJS.ProcessEnv) => {
    child = spawn(process.execPath, [...nodeFlags, path.join(built, 'dist', 'cli.js'), 'serve'], {
      env: { ...base, ...extra },
      stdio: ['ignore', output, output],
    });
    await eventually(
      'the service is ready',
      async () => {
        if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}: ${connected.output()}`);
        const response = await fetch(`${url}/readyz`).catch(() => undefined);
        return response?.status === 200 ? true : undefined;
      },
      50_000,
    );
  };
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  const enginePids = () => ({
    clickhouse: readChildren(child.pid as number, 'clickhouse/process'),
    postgres: readChildren(child.pid as number, 'postgres/process'),
  });
  const statements = async () => {
    if (!isMeasured() || child.exitCode !== null || child.signalCode !== null) return 0;
    const query = "SELECT toString(value) AS value FROM system.events WHERE event = 'Query'";
    return Number((await connected.rows<{ value: string }>(query).catch(() => []))[0]?.value ?? 0);
  };
  const stop = (more = {}) => {
    measure(() => enginePids().clickhouse, more);
    child.kill('SIGTERM');
    return ended();
  };
  const cleanUp = async () => {
    await connected.clickhouse.close();
    fs.closeSync(output);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  await launch(env).catch(async (error: unknown) => {
    // Its engines leave with it.
    child.kill('SIGKILL');
    await ended();
    // What is wrong is the first error.
    await cleanUp().catch(() => undefined);
    throw error;
  });
  return {
    ...connected,
    outputFile,
    get child() {
      return child;
    },
    enginePids,
    stop: () => stop(),
    async kill() {
      measure(() => enginePids().clickhouse);
      child.kill('SIGKILL');
      await ended();
    },
    restart: (extra = env) => launch(extra),
    async dispose() {
      await stop({ services: 1, statements: await statements() });
      await cleanUp();
    },
  };
}

/** The environment without anything that would configure the service. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours = [
    'HOST',
    'PORT',
    'ROLES',
    'WORKERS',
    'LOG_LEVEL',
    'DATA_DIR',
    'SEAL_KEY',
    'SEAL_KEY_BEFORE',
    'DATABASE_URL',
    'REDIS_URL',
    'ADMIN_TOKEN',
  ];
  const more = ['FSYNC', 'TRUST_PROXY', 'S2S_ENABLED', 'DATACENTER_RANGES', 'NODE_OPTIONS'];
  const prefixes = /^(ACCEPT|ATTRIBUTION|BACKUP|CLICKHOUSE|DERIVE|INGEST|LIMIT|OTEL|OUTBOX)_/;
  const isOurs = (name: string) => [...ours, ...more].includes(name) || prefixes.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

/** Process IDs of a process's children whose command line names `module`. */
export function readChildren(parent: number, module: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const ppid = Number(/^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
        return ppid === parent && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(module);
      } catch {
        return false;
      }
    });
}

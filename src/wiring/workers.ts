/** Several HTTP worker processes on one port: the primary process owns the engines, the workers serve. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config';
import { ApiError } from '../errors';
import type { Log } from '../lib/log';
import type { Connections, Service, ServiceProcess } from './service';

type ToPrimary = { type: 'listening-on'; port: number } | { type: 'gather-metrics'; id: number };
type ToWorker = { type: 'stop' } | { type: 'metrics'; id: number; text?: string };

/**
 * Starts the workers, replaces those that die, and answers for all of them. Once `stop` resolves none is started any
 * more, and those that are there, or on their way, are told to stop.
 */
export async function startWorkers(
  config: Config,
  at: Connections,
  log: Log,
  stop: Promise<unknown>,
): Promise<Pick<Service, 'port' | 'close'>> {
  // Without Redis the limits are counted here, one count for all workers.
  new RateLimiterClusterMaster();
  const registry = new AggregatorRegistry();
  // What the engines need reaches the workers as configuration, as if the engines were somebody else's.
  const env = {
    DATABASE_URL: at.databaseUrl,
    CLICKHOUSE_URL: at.clickhouseUrl,
    ADMIN_TOKEN: at.adminToken,
    SEAL_KEY: at.sealKey,
    IP_HASH_SECRET: at.ipHashSecret,
    ...(at.clickhousePassword === undefined ? {} : { CLICKHOUSE_PASSWORD: at.clickhousePassword }),
  };
  let stopping = false;
  let port = config.port;

  const startWorker = () =>
    new Promise<number>((resolve, reject) => {
      const worker = cluster.fork({ ...env, PORT: String(port) });
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'listening-on') resolve(message.port);
        if (message.type === 'gather-metrics')
          void registry.clusterMetrics().then(
            (text) => tell(worker, { type: 'metrics', id: message.id, text }),
            () => tell(worker, { type: 'metrics', id: message.id }),
          );
      });
      worker.once('exit', (code, signal) => {
        if (stopping) {
          resolve(port);
          return;
        }
        reject(new Error(`A worker ended with ${signal ?? code}`));
        log.warn(`Worker ${worker.id} ended with ${signal ?? code}; starting another`);
        setTimeout(() => !stopping && void startWorker().catch(() => undefined), 200);
      });
    });
  const close = async () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined);
    const exits = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) tell(worker, { type: 'stop' });
    await Promise.all(exits);
  };
  void stop.then(close);
  port = await startWorker();
  if (!stopping) await Promise.all(Array.from({ length: config.workers - 1 }, startWorker));
  return { port, close };
}

const tell = (worker: Worker, message: ToWorker) => worker.isConnected() && worker.send(message);

/** Serves as one of several workers until the primary process says stop, or is gone. */
export async function runAsWorker(
  config: Config,
  start: (at: Connections, process: ServiceProcess) => Promise<Service | undefined>,
): Promise<void> {
  const waiting = new Map<number, (text: string | undefined) => void>();
  // Answers the primary process when it gathers the metrics of all workers.
  new AggregatorRegistry();
  let asked = 0;
  const gatherMetrics = () =>
    new Promise<string>((resolve, reject) => {
      waiting.set(++asked, (text) =>
        text === undefined
          ? reject(new ApiError(503, 'Metrics are not available.', { 'Retry-After': '5' }))
          : resolve(text),
      );
      process.send?.({ type: 'gather-metrics', id: asked } satisfies ToPrimary);
    });
  const stopping = new Promise<void>((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'stop') resolve();
      if (message.type !== 'metrics') return;
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    });
    process.on('disconnect', resolve);
  });
  // Signals reach the whole group on Ctrl-C; the primary decides when it is time.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  const { databaseUrl, adminToken, sealKey, ipHashSecret = '', clickhouse } = config;
  if (!databaseUrl || !adminToken || !sealKey || !clickhouse.url)
    throw new Error('A worker needs to be told where the engines are');
  const service = await start(
    {
      databaseUrl,
      adminToken,
      sealKey,
      ipHashSecret,
      clickhouseUrl: clickhouse.url,
      clickhousePassword: clickhouse.password,
    },
    { stopping, gatherMetrics },
  );
  if (service) {
    AggregatorRegistry.setRegistries([service.metrics.registry]);
    process.send?.({ type: 'listening-on', port: service.port } satisfies ToPrimary);
    await stopping;
    await service.close();
  }
  process.exit(0);
}

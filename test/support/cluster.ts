/**
 * A ClickHouse cluster of two shards within one embedded engine, so that the product runs on it as it is.
 *
 * Both shards are this engine itself, which it therefore asks without a network, as a server asks the shard that it is
 * part of: each Distributed table is read and written shard by shard, by the plans of a cluster, and what a shard
 * evaluates by itself, such as a join that is not GLOBAL, meets only its own rows. The rows of all shards are in the
 * same local tables; a row filter leaves to each shard those that its sharding key gives it.
 *
 * What is not there: replication, so that a table that is on every node is always the same on all; ON CLUSTER, Keeper
 * and the network between nodes. A proxy in front of the engine takes away what of a statement is about these.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { renderForCluster } from '../../src/db/cluster-ddl';
import { readMigrations, splitStatements } from '../../src/db/sql';
import { leaveOutCompiler, writeEngineSettings } from './engine-settings';
import { CLICKHOUSE_PASSWORD, root, temporaryFolder, type RunningService } from './service';

export const CLUSTER = 'two_shards';
const SHARDS = 2;
/** Nobody listens here: a shard with the engine's own port is the engine itself. */
const PORT = 9_000;

const DISTRIBUTED = /ENGINE = Distributed\(.\w+., (\w+), (\w+), (.*)\)/;

/** The local tables of the sharded ones, and the expression that says to which shard a row goes. */
export function shardedTables(): { database: string; local: string; key: string }[] {
  const rendered = readMigrations('clickhouse')
    .flatMap(({ text }) => splitStatements(text))
    .flatMap((statement) => renderForCluster(statement, CLUSTER));
  return rendered.flatMap((statement) => {
    const [, database, local, key] = DISTRIBUTED.exec(statement) ?? [];
    return database && local && key ? [{ database, local, key }] : [];
  });
}

function configure(data: string): void {
  const shard =
    '<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host></replica></shard>';
  const filters = shardedTables().map(
    ({ local, key }) => `<${local}><filter>shardNum() = 0 OR ${key} % ${SHARDS} = shardNum() - 1</filter></${local}>`,
  );
  writeEngineSettings(
    data,
    'cluster',
    `
  <tcp_port>${PORT}</tcp_port>
  <merge_tree>
    <old_parts_lifetime>1</old_parts_lifetime>
    <merge_tree_clear_old_parts_interval_seconds>1</merge_tree_clear_old_parts_interval_seconds>
  </merge_tree>
  <remote_servers><${CLUSTER}>${shard.repeat(SHARDS)}</${CLUSTER}></remote_servers>
  <roles><service><grants><query id="nodes">GRANT READ ON REMOTE</query></grants></service></roles>
  <users><default><databases><adtrail>${filters.join('\n')}</adtrail></databases></default></users>
`,
  );
  leaveOutCompiler(data);
}

/** The statement as the engine can run it. */
const withoutReplication = (statement: string) =>
  statement
    .replace(` ON CLUSTER '${CLUSTER}'`, '')
    .replace(/ENGINE = Replicated(\w+)\('[^']*', '[^']*'(?:, )?/, 'ENGINE = $1(')
    .replace(/^SYSTEM SYNC REPLICA .*/, 'SELECT 1');

export interface ClusterClickHouse {
  readonly url: string;
  stop(): Promise<void>;
}

/** Is told of every statement that the cluster was sent, and with what it was refused, if it was. */
export type Listener = (statement: string, refusal: string | undefined) => void;

/** Starts the engine, and the proxy through which it is reached. */
export async function startClusterClickHouse(listen: Listener = () => undefined): Promise<ClusterClickHouse> {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  configure(data);
  const engine = fork(path.join(root, 'dist', 'embedded', 'clickhouse', 'process.js'), {
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: '32',
      ADTRAIL_CH_PATH: data,
      ADTRAIL_CH_PORT: '0',
      ADTRAIL_CH_PASSWORD: CLICKHOUSE_PASSWORD,
    },
    execArgv: [],
  });
  const [message] = (await once(engine, 'message')) as [{ type: string; port: number; message: string }];
  if (message.type !== 'ready') throw new Error(message.message);
  // Either end may close a kept connection at the moment in which the other uses it.
  const agent = new http.Agent({ keepAlive: false });
  const proxy = http.createServer(
    (request, response) => void forward({ agent, host: '127.0.0.1', port: message.port }, request, response, listen),
  );
  proxy.keepAliveTimeout = 120_000;
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      agent.destroy();
      engine.kill('SIGTERM');
      if (engine.exitCode === null && engine.signalCode === null) await once(engine, 'exit');
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function forward(
  engine: http.RequestOptions,
  request: IncomingMessage,
  response: ServerResponse,
  listen: Listener,
): Promise<void> {
  const sent = await buffer(request).catch(() => undefined);
  if (!sent) return;
  const at = new URL(request.url ?? '/', 'http://127.0.0.1');
  // An insert's statement is in the address, and its rows are the body.
  const inAddress = at.searchParams.get('query');
  const statement = inAddress ?? sent.toString();
  const body = inAddress === null ? Buffer.from(withoutReplication(statement)) : sent;
  // A node that is always asked over the network would not find itself.
  at.searchParams.delete('prefer_localhost_replica');
  const headers: http.OutgoingHttpHeaders = { ...request.headers, 'content-length': body.length };
  delete headers['transfer-encoding'];
  const asked = http.request({
    ...engine,
    method: request.method,
    path: at.pathname + at.search,
    headers,
  });
  asked.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
    if (answer.statusCode === 200) listen(statement, undefined);
    else void buffer(answer).then((text) => listen(statement, text.toString()));
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  asked.end(body);
}

/** Starts a service on a cluster of its own, which ends with the service. */
export async function startOnCluster(
  start: (engine: { CLICKHOUSE_URL: string; CLICKHOUSE_CLUSTER: string }) => Promise<RunningService>,
): Promise<RunningService> {
  const clickhouse = await startClusterClickHouse();
  const service = await start({ CLICKHOUSE_URL: clickhouse.url, CLICKHOUSE_CLUSTER: CLUSTER }).catch(
    async (error: unknown) => {
      await clickhouse.stop();
      throw error;
    },
  );
  const disposeOfService = () => service.dispose();
  return Object.assign(Object.create(service) as RunningService, {
    async dispose() {
      await disposeOfService();
      await clickhouse.stop();
    },
  });
}

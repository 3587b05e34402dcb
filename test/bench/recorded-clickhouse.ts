/**
 * An embedded ClickHouse behind a proxy that notes the statements that pass it, for benchmarks of what a service runs.
 * The embedded engine keeps no system.query_log.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { cleanEnvironment, root } from '../support/service';

/** A statement as the service sent it: with its settings and parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: URLSearchParams;
  /** When it came, and when its answer was through: performance.now(). */
  readonly from: number;
  to: number;
}

export interface RecordedClickHouse {
  /** The URL of the proxy. */
  readonly url: string;
  /** In the order in which they came. */
  readonly statements: Statement[];
  /** Runs a statement past the proxy, and resolves once its answer is read. */
  ask(sql: string, parameters: URLSearchParams): Promise<string>;
  stop(): Promise<void>;
}

/** How much of a statement is read: rows of an insert follow it. */
const LONGEST = 1_000_000;
const PROCESS = path.join(root, 'dist', 'embedded', 'clickhouse', 'process.js');

export async function startRecordedClickHouse(folder: string, password: string): Promise<RecordedClickHouse> {
  const environment = { ADTRAIL_CH_PATH: folder, ADTRAIL_CH_PORT: '0', ADTRAIL_CH_PASSWORD: password };
  const child = fork(PROCESS, { env: { ...cleanEnvironment(), ...environment } });
  const [ready] = (await once(child, 'message')) as [{ type: string; port: number; message?: string }];
  if (ready.type !== 'ready') throw new Error(ready.message);
  const { port } = ready;
  const agent = new http.Agent({ keepAlive: true });
  const statements: Statement[] = [];
  const proxy = http.createServer((request, response) => {
    const from = performance.now();
    const chunks: Buffer[] = [];
    const { url, method, headers } = request;
    const onward = http.request({ host: '127.0.0.1', port, agent, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      answer.once('end', () => {
        void note(url ?? '', headers, Buffer.concat(chunks), from, performance.now()).then(
          (statement) => statement && statements.push(statement),
        );
      });
    });
    onward.once('error', () => response.destroy());
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const user = { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': password };
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    statements,
    async ask(sql, parameters) {
      const form = new FormData();
      for (const [name, value] of parameters) form.set(name, value);
      form.set('query', sql);
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: user, body: form });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text;
    },
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The statement of a request; undefined for one without, such as /ping. */
async function note(
  url: string,
  headers: http.IncomingHttpHeaders,
  body: Buffer,
  from: number,
  to: number,
): Promise<Statement | undefined> {
  const parameters = new URL(url, 'http://clickhouse').searchParams;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') parameters.set(name, value);
  } else if (body.length > 0) {
    parameters.set('query', `${parameters.get('query') ?? ''}${body.subarray(0, LONGEST).toString()}`);
  }
  const sql = parameters.get('query');
  parameters.delete('query');
  parameters.delete('query_id');
  return sql ? { sql, parameters, from, to } : undefined;
}

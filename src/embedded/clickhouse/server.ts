/** ClickHouse's HTTP interface: paths, methods, and the order of checks before a statement runs. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Engine } from './engine';
import { execute } from './execute';
import { ClickHouseException } from './errors';
import { authenticate, checkOrigin, type Passwords } from './access-control';
import { Reply } from './reply';
import { Sessions } from './sessions';

const MEBIBYTE = 1024 * 1024;

/** Builds the server; the caller listens. Requests in progress can be awaited with `whenIdle`. */
export function createHttpServer(
  engine: Engine,
  passwords: Passwords,
): { server: Server; whenIdle: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const sessions = new Sessions();
  const server = createServer({ maxHeaderSize: 2 * MEBIBYTE }, (req, res) => {
    const answer = respond(req, res, { engine, passwords, sessions }).finally(() => running.delete(answer));
    running.add(answer);
  });
  server.requestTimeout = 0; // a client may stream its rows for as long as it likes
  server.keepAliveTimeout = 30_000;
  const whenIdle = async () => {
    while (running.size > 0) await Promise.allSettled(running);
  };
  return { server, whenIdle };
}

interface Host {
  engine: Engine;
  passwords: Passwords;
  sessions: Sessions;
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  { engine, passwords, sessions }: Host,
): Promise<void> {
  const { path, parameters } = splitTarget(req.url ?? '/');
  const givenId = parameters?.get('query_id') || [req.headers['x-clickhouse-query-id']].flat()[0];
  const queryId = (givenId || randomUUID()).replace(/[^\x20-\x7e]/g, '?');
  const reply = new Reply(res, { queryId, version: engine.version });
  try {
    checkOrigin(req.headers);
    const page = staticPage(req.method ?? '', path, parameters !== undefined);
    if (page) return sendPage(res, page);
    const given = parameters ?? new URLSearchParams();
    const user = await authenticate(req.headers, given, passwords, (name) => engine.findProjectReader(name));
    reply.onEnd = sessions.enter(user.name, given);
    await execute(req, given, engine, reply, user);
  } catch (error) {
    // The client left while sending: nobody is there to be answered.
    if (reply.isGone) return;
    reply.fail(error instanceof ClickHouseException ? error : unexpected(error));
  } finally {
    reply.onEnd();
  }
}

interface Page {
  status: number;
  text: string;
}

/** By hand, since URL throws on some targets that a client may well send. */
function splitTarget(target: string): { path: string; parameters?: URLSearchParams } {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target }
    : { path: target.slice(0, mark), parameters: new URLSearchParams(target.slice(mark + 1)) };
}

function staticPage(method: string, path: string, hasParameters: boolean): Page | undefined {
  if (!['GET', 'HEAD', 'POST'].includes(method)) return { status: 501, text: `Method ${method} is not supported.\n` };
  const isGet = method !== 'POST';
  if (isGet && (path === '/ping' || path === '/replicas_status')) return { status: 200, text: 'Ok.\n' };
  if (path !== '/') return { status: 404, text: notFound(path) };
  return isGet && !hasParameters ? { status: 200, text: 'Ok.\n' } : undefined;
}

function sendPage(res: ServerResponse, { status, text }: Page): void {
  res
    .writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}

function notFound(path: string): string {
  return [
    `There is no handle ${path.slice(0, 200)}`,
    '',
    'Use / or /ping for health checks.',
    'Or /replicas_status for more sophisticated health checks.',
    '',
    'Send queries from your program with POST method or GET /?query=...',
    '',
  ].join('\n');
}

function unexpected(error: unknown): ClickHouseException {
  // Never the request: it may carry the password.
  console.error('Embedded ClickHouse:', error);
  return new ClickHouseException(1001, 'STD_EXCEPTION', 'The embedded ClickHouse failed; its output tells why');
}

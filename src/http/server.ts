/** The HTTP server under the Koa apps: header sizes, malformed requests, and a shutdown that loses nobody. */
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runIn } from '../lib/context';
import { limitConnections } from './connections';
import { findReason, type OnRefusal } from './refusals';
import { newRequestId, REQUEST_ID, chooseRequestId } from './request-id';

/** A legal S2S request can be some 100 kB long (docs/contract/s2s.md). */
const MAX_HEADER_BYTES = 128 * 1024;

/** Everything that has arrived is answered well within this time, stored or refused. */
const CUT_AFTER_MS = 4_000;
/** Long enough for a busy event loop to accept what has queued up. */
const ACCEPT_MS = 100;
/** How often connections that have nothing under way are closed meanwhile. */
const SWEEP_MS = 100;

const json = (status: number, reason: string, msg: string, ...headers: string[]) => {
  const body = JSON.stringify({ msg, status });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${newRequestId()}`,
    ...headers,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
};

/** The answer to a request that could not be parsed; nothing of it was stored. */
function malformed(code: string | undefined): { status: number; answer: string } {
  const of = (status: number, reason: string, msg: string) => ({ status, answer: json(status, reason, msg) });
  if (code === 'HPE_HEADER_OVERFLOW')
    return of(431, 'Request Header Fields Too Large', 'Request line and headers must be at most 128 kB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return of(408, 'Request Timeout', 'The request took too long to arrive.');
  return of(400, 'Bad Request', 'Malformed HTTP request.');
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, answers what is in flight, and closes. */
  close(): Promise<void>;
}

/** Gives each request its ID, which its answer carries. */
const identified =
  (handler: http.RequestListener, isFollowed: boolean): http.RequestListener =>
  (req, res) => {
    const requestId = chooseRequestId(req);
    res.setHeader(REQUEST_ID, requestId);
    if (isFollowed) runIn({ requestId }, () => handler(req, res));
    else handler(req, res);
  };

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Whether each request has its own context, so that whatever is logged for it has its ID. */
  readonly isFollowed?: boolean;
  /** Connections of an address at a time; undefined for any number. */
  readonly connections?: number | undefined;
}

/**
 * Listens and hands every request to `handler`. Before Node 24 `isFollowed` makes each promise of the process dearer:
 * 8 µs a click.
 *
 * @throws Error when the address is taken.
 */
export async function listen(
  handler: http.RequestListener,
  { host, port, isFollowed = false, connections }: ListenOptions,
  onRefusal: OnRefusal,
): Promise<HttpServer> {
  const listener = identified(handler, isFollowed);
  const server = http.createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false, keepAliveTimeout: 65_000 },
    listener,
  );
  if (connections !== undefined) limitConnections(server, connections, onRefusal);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else {
      const { status, answer } = malformed(error.code);
      onRefusal('other', findReason(status) ?? 'malformed');
      socket.end(answer);
    }
  });
  // An Expect header or an Upgrade changes nothing here: the request is answered like any other.
  server.on('checkExpectation', listener);
  server.on('connect', (_req, socket) =>
    socket.end(json(405, 'Method Not Allowed', 'Method not allowed.', 'Allow: GET, HEAD, POST, PUT, PATCH, DELETE')),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 4096, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      // Connections that the kernel has taken on our behalf are accepted first; closing would reset them.
      await sleep(ACCEPT_MS);
      // http.Server's own close cuts idle connections at once, and with them requests that have arrived but are not
      // read yet; net.Server's only stops accepting.
      const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      // A connection kept alive past its answer, and one whose request never arrives in full, must not hold this up.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const cut = setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** A server that postbacks and webhooks are sent to: it keeps what it gets, and answers as it is told. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../service';

export interface Received {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** When it came, in milliseconds. */
  readonly at: number;
}

/** What a request is answered with; `hang` is never answered. */
export type Reply = number | 'hang' | { readonly status: number; readonly headers?: Record<string, string> };

export interface Receiver {
  readonly port: number;
  /** Its address without a path. */
  readonly url: string;
  readonly received: readonly Received[];
  /** How requests for a path are answered from now on: each in turn, the last one for good. 200 by itself. */
  answer(path: string, ...replies: Reply[]): void;
  /** What came for a path so far. */
  at(path: string): Received[];
  /** Waits for so many requests for a path. */
  waitFor(path: string, count?: number, ms?: number): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  const replies = new Map<string, Reply[]>();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const { pathname, searchParams: query } = new URL(url, 'http://receiver');
      const body = Buffer.concat(chunks).toString();
      received.push({ method, url, query, headers, body, at: Date.now() });
      const left = replies.get(pathname) ?? [200];
      const reply = (left.length > 1 ? left.shift() : left[0]) ?? 200;
      if (reply === 'hang') return;
      const { status, headers: sent } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
      response.writeHead(status, sent).end('ok');
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => received.filter(({ url }) => url.split('?')[0] === path);
  return {
    port,
    url: `http://${host}:${port}`,
    received,
    answer: (path, ...given) => void replies.set(path, given),
    at,
    waitFor: (path, count = 1, ms = 15_000) =>
      eventually(`${count} requests for ${path}`, () => (at(path).length >= count ? at(path) : undefined), ms),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

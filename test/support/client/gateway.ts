/** A proxy in front of a service that answers as it is told, or spoils the service's answers, and notes what it saw. */
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

export const ROW_BYTES = 1_000;
/** How the length of an answer is told. */
const LENGTHS = ['content-length', 'transfer-encoding'];

/** What is done with one request; those beyond the list are handed on. */
export type Act =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** The connection ends without an answer, before the service is asked or after it has done its work. */
  | 'cut'
  | 'cut-after-work'
  /** No answer ever comes. */
  | 'hang'
  /** The answer breaks off after so many bytes, or ends there as if it were whole. */
  | { readonly cutAt: number }
  | { readonly endAt: number }
  /** So many rows of NDJSON, 1,000 bytes each, as fast as they are taken. */
  | { readonly rows: number }
  | 'hand-on';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
}

export interface Gateway {
  readonly url: string;
  readonly seen: Seen[];
  /** Bytes that were written of answers with `rows` since the last play. */
  written(): number;
  /** What happens to the next requests; forgets what was seen. */
  play(...acts: Act[]): void;
  stop(): Promise<void>;
}

export async function startGateway(to: string): Promise<Gateway> {
  const acts: Act[] = [];
  const seen: Seen[] = [];
  let written = 0;

  const handOn = (request: IncomingMessage, body: Buffer, take: (answer: IncomingMessage) => void) => {
    const headers = { ...request.headers, host: new URL(to).host };
    http.request(`${to}${request.url}`, { method: request.method, headers }, take).end(body);
  };
  const copy = (answer: IncomingMessage, response: ServerResponse, act: Act) => {
    const limit = typeof act === 'object' && ('cutAt' in act || 'endAt' in act) ? act : undefined;
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !LENGTHS.includes(name)));
    if (limit && 'endAt' in limit) response.useChunkedEncodingByDefault = false;
    response.writeHead(answer.statusCode ?? 502, limit ? headers : answer.headers);
    let left = limit ? ('cutAt' in limit ? limit.cutAt : limit.endAt) : Infinity;
    answer.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (part.length > 0 && !response.write(part)) {
        answer.pause();
        response.once('drain', () => answer.resume());
      }
      if (left > 0) return;
      answer.destroy();
      if (limit && 'endAt' in limit) response.end();
      else setTimeout(() => response.destroy(), 20);
    });
    answer.on('end', () => left > 0 && response.end());
    response.on('close', () => answer.destroy());
  };
  const writeRows = async (response: ServerResponse, count: number) => {
    const row = `${JSON.stringify({ text: 'x'.repeat(ROW_BYTES - 12) })}\n`;
    const rows = function* () {
      for (let i = 0; i < count; i += 1) {
        written += row.length;
        yield row;
      }
    };
    // A client that leaves is no fault of the gateway.
    await pipeline(rows, response).catch(() => undefined);
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, at: Date.now() });
      const act = acts.shift() ?? 'hand-on';
      if (act === 'cut') response.destroy();
      else if (act === 'hang') return;
      else if (typeof act === 'object' && 'rows' in act) void writeRows(response, act.rows);
      else if (typeof act === 'object' && 'status' in act) response.writeHead(act.status, act.headers).end(act.body);
      else
        handOn(request, Buffer.concat(chunks), (answer) => {
          if (act === 'cut-after-work') answer.resume().on('end', () => response.destroy());
          else copy(answer, response, act);
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    written: () => written,
    play: (...next) => {
      acts.splice(0, acts.length, ...next);
      seen.length = 0;
      written = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

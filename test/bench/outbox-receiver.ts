/**
 * A receiver in a process of its own, for test/bench/outbox.ts: it counts what comes on each of its ports, and one of
 * them never answers. Tells its ports, and its counts whenever it is asked.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Counts {
  /** Requests so far, by port. */
  readonly counts: Readonly<Record<number, number>>;
  /** When an install was told of first on the first port, in milliseconds, by its ID. */
  readonly installs: Readonly<Record<string, number>>;
}

const counts: Record<number, number> = {};
const installs: Record<string, number> = {};

const listen = (answers: boolean, notes: boolean) =>
  new Promise<number>((resolve) => {
    const server = http.createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      counts[port] = (counts[port] ?? 0) + 1;
      const install = notes ? /[?&]i=([^&]*)/.exec(request.url ?? '')?.[1] : undefined;
      if (install) installs[install] ??= Date.now();
      if (answers) response.end('ok');
    });
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

async function main(): Promise<void> {
  const ports = [await listen(true, true), await listen(true, false), await listen(false, false)];
  process.send?.({ ports });
  process.on('message', () => {
    process.send?.({ counts, installs } satisfies Counts);
  });
}

void main();

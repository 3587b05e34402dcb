/** A server in front of the service that answers batches as it is told, and hands on those that it is not. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Service } from '../service';

/** Status 0 breaks the connection. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Gateway {
  readonly url: string;
  /** The batches that came, with the IDs of their records. */
  readonly batches: readonly { readonly at: number; readonly tids: readonly string[] }[];
  stop(): void;
}

const readTids = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { tid: string }).tid);

/** `answer` is asked for each batch, by its number and records; undefined hands the batch on. */
export async function startGateway(
  service: Service,
  answer: (number: number, tids: readonly string[]) => GatewayAnswer | undefined,
): Promise<Gateway> {
  const batches: { at: number; tids: string[] }[] = [];
  async function respond(req: IncomingMessage): Promise<GatewayAnswer> {
    const at = Date.now();
    const body = await text(req);
    const tids = readTids(body);
    batches.push({ at, tids });
    const own = answer(batches.length - 1, tids);
    if (own) return own;
    const token = String(req.headers['x-service-token']);
    const answered = await service.request('/v1/batch', {
      method: 'POST',
      headers: { 'X-Service-Token': token },
      body,
    });
    return { status: answered.status, body: await answered.text() };
  }
  const server = createServer((req, res) => {
    void respond(req).then(({ status, headers = {}, body = '{"reason":"unavailable"}' }) =>
      status === 0 ? res.destroy() : res.writeHead(status, headers).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    stop: () => void server.close(),
  };
}

/** Shows postbacks and webhooks as they arrive, for who builds what receives them: `adtrail listen`. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { StartError } from '../errors';

/** More of a body is not taken. */
const BODY_BYTES = 64 * 1024;

/** What a request is answered with: a status, or nothing at all. */
export type ListenAnswer = number | 'hang';

export interface ListenOptions {
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  /** The webhook's secret; without it no signature is checked. */
  readonly secret: string | undefined;
  readonly answer: ListenAnswer;
  /** N: every Nth request is answered so, and the others with 200. */
  readonly every: number;
  readonly write: (text: string) => void;
  readonly now: () => number;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** @throws StartError when the address is taken. */
export async function startListening(options: ListenOptions): Promise<Listening> {
  const { host, port, answer, every, write } = options;
  let count = 0;
  const server = http.createServer((request, response) => {
    void readBody(request).then(
      (body) => {
        count += 1;
        const given = body === undefined ? 413 : count % every === 0 ? answer : 200;
        write(`${describe(request, body, given, count, options)}\n\n`);
        if (given !== 'hang') response.writeHead(given, { 'Content-Type': 'text/plain' }).end();
        if (body === undefined) request.resume();
      },
      () => undefined,
    );
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new StartError(`Cannot listen at ${host}:${port}: ${error.message}`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Undefined for a body that is too long. */
async function readBody(request: http.IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function describe(
  { method = '', url = '', headers }: http.IncomingMessage,
  body: string | undefined,
  answer: ListenAnswer,
  count: number,
  { secret, now }: ListenOptions,
): string {
  const [path = '', ...query] = url.split('?');
  const isTest = headers['x-adtrail-test'] !== undefined;
  const lines = [
    `#${count} ${new Date(now()).toISOString().slice(11, 23)} ${method} ${path}${isTest ? ' (a test)' : ''}`,
    ...listFields(new URLSearchParams(query.join('?'))),
    ...(body === undefined ? [`body: more than ${BODY_BYTES} bytes`] : bodyLines(body, headers['content-type'])),
    ...signatureLines(body, headers, secret),
    answer === 'hang' ? 'not answered' : `answered ${answer}`,
  ];
  return lines.map((line, i) => `${i === 0 ? '' : '  '}${printable(line)}`).join('\n');
}

const listFields = (fields: URLSearchParams) => [...fields].map(([name, value]) => `${name} = ${value}`);

/** JSON over several lines, a form field by field, anything else as it is. */
function bodyLines(body: string, type = ''): string[] {
  if (body === '') return [];
  if (type.startsWith('application/x-www-form-urlencoded')) return listFields(new URLSearchParams(body));
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2).split('\n');
  } catch {
    return body.split('\n');
  }
}

function signatureLines(
  body: string | undefined,
  headers: http.IncomingHttpHeaders,
  secret: string | undefined,
): string[] {
  const isSigned = headers['webhook-signature'] !== undefined;
  if (!isSigned) return secret === undefined ? [] : ['signature: none'];
  const id = `webhook-id ${String(headers['webhook-id'])}`;
  if (secret === undefined || body === undefined) return [`signature: not checked, ${id}`];
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return [`signature: right, ${id}`];
  } catch (error) {
    return [`signature: WRONG (${(error as Error).message}), ${id}`];
  }
}

/** Nothing that a terminal would obey. */
const printable = (text: string) =>
  text.replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

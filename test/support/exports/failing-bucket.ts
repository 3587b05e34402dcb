/**
 * A bucket behind proxies, one for each process that uses it, that fail on request. A request is there as a whole or
 * not at all, as at Amazon: one after the other reaches the server, and each once all of it has arrived.
 */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Mutex } from 'async-mutex';
import S3rver from 's3rver';
import { freePort } from '../service';

export const BUCKET = 'lake';
/** What the server takes. */
export const BUCKET_KEY = 'S3RVER';

/** What a request is for, as an export goes through them. */
export const PHASES = ['look', 'read', 'list', 'first part', 'later part', 'manifest', 'success', 'removal'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * `late` is cut off after a while without an answer; `unanswered` and `dies after` are done, and nobody hears of it;
 * `refused` says that the keys may not do it.
 */
export const FAULTS = ['500', '503', 'reset', 'late', 'unanswered', 'dies before', 'dies after', 'refused'] as const;
/** What is written arrives long after its sender has died, or has asked once more: when `deliver` is called. */
export const LATE_FAULTS = ['late after death', 'late after another'] as const;
export type Fault = (typeof FAULTS)[number] | (typeof LATE_FAULTS)[number];

export interface Failure {
  /** The first part of the path of its objects. */
  readonly prefix: string;
  readonly phase: Phase;
  readonly fault: Fault;
  /** Requests in a row: the client asks again twice. */
  times: number;
}

export interface FailingBucket {
  /** Where each process finds the bucket. */
  readonly endpoints: readonly string[];
  /** What is still to happen. */
  readonly failures: Failure[];
  /** How many requests are on their way. */
  countLate(): number;
  /** They reach the bucket. */
  deliver(): Promise<void>;
  /** The bytes of an object. */
  read(key: string): Buffer | undefined;
  /** The keys of all objects under a path. */
  list(under: string): string[];
  close(): Promise<void>;
}

interface Parts {
  readonly folder: string;
  readonly processes: number;
  /** Ends a process at once. */
  readonly kill: (index: number) => void;
  /** Called after each request, before the next one. */
  readonly afterEach: (prefix: string) => void;
}

const LATE_MS = 2_000;
const OBJECT = '._S3rver_object';
const REFUSAL = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;

export async function startFailingBucket({ folder, processes, kill, afterEach }: Parts): Promise<FailingBucket> {
  const port = await freePort();
  const configureBuckets = [{ name: BUCKET, configs: [] }];
  const server = new S3rver({ port, address: '127.0.0.1', silent: true, directory: folder, configureBuckets });
  await server.run();
  const failures: Failure[] = [];
  const turns = new Mutex();
  const late: { readonly request: http.IncomingMessage; readonly body: Buffer; readonly prefix: string }[] = [];
  const root = path.join(folder, BUCKET);

  const answer = async (index: number, request: http.IncomingMessage, response: http.ServerResponse) => {
    const body = await buffer(request);
    const { prefix, phase } = readPurpose(request);
    const failure = failures.find((one) => one.prefix === prefix && one.phase === phase);
    if (failure && --failure.times <= 0) failures.splice(failures.indexOf(failure), 1);
    const fault = failure?.fault;
    if (fault === 'dies before') return kill(index);
    if (fault === 'late after death' || fault === 'late after another') {
      late.push({ request, body, prefix });
      return fault === 'late after death' ? kill(index) : request.socket.destroy();
    }
    if (fault === 'reset' && phase !== 'read') return request.socket.destroy();
    if (fault === 'late' && phase !== 'read') return cutLater(request);
    if (fault === '500' || fault === '503') return response.writeHead(Number(fault)).end();
    // As at Google, and some others.
    if (isListOfRemovals(request)) return response.writeHead(501).end();
    if (fault === 'refused') return response.writeHead(403, { 'Content-Type': 'application/xml' }).end(REFUSAL);
    const [answered, data] = await forward(port, request, body);
    afterEach(prefix);
    if (fault === 'dies after') return kill(index);
    if (fault === 'unanswered') return request.socket.destroy();
    response.writeHead(answered.statusCode as number, answered.headers);
    if (fault === undefined) return response.end(data);
    // Breaks off, or stops, in the middle of what is read.
    return response.write(data.subarray(0, data.length / 2), () => {
      if (fault === 'reset') request.socket.destroy();
      else cutLater(request);
    });
  };
  const proxies = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const proxy = http.createServer((request, response) => {
        turns.runExclusive(() => answer(index, request, response)).catch(() => request.socket.destroy());
      });
      const at = await freePort();
      await new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
      return { proxy, endpoint: `http://127.0.0.1:${at}` };
    }),
  );
  return {
    endpoints: proxies.map(({ endpoint }) => endpoint),
    failures,
    countLate: () => late.length,
    deliver: () =>
      turns.runExclusive(async () => {
        for (const { request, body, prefix } of late.splice(0)) {
          await forward(port, request, body);
          afterEach(prefix);
        }
      }),
    read(key) {
      const file = path.join(root, key + OBJECT);
      return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    },
    list: (under) =>
      fs
        .readdirSync(path.join(root, under), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(OBJECT))
        .map((name) => name.slice(0, -OBJECT.length)),
    async close() {
      for (const { proxy } of proxies) {
        proxy.closeAllConnections();
        proxy.close();
      }
      await server.close();
    },
  };
}

const cutLater = ({ socket }: http.IncomingMessage) => void setTimeout(() => socket.destroy(), LATE_MS).unref();

/** Sends a request on as it is: its signature is of the host that its sender knows. */
function forward(port: number, { method, url, headers }: http.IncomingMessage, body: Buffer) {
  return new Promise<[http.IncomingMessage, Buffer]>((resolve, reject) => {
    const sent = http.request({ port, host: '127.0.0.1', method, path: url, headers, agent: false }, (response) => {
      buffer(response).then((data) => resolve([response, data]), reject);
    });
    sent.once('error', reject).end(body);
  });
}

const readAddress = ({ url = '' }: http.IncomingMessage) => new URL(url, 'http://bucket');
const isListOfRemovals = (request: http.IncomingMessage) => readAddress(request).searchParams.has('delete');

function readPurpose(request: http.IncomingMessage): { prefix: string; phase: Phase } {
  const { method } = request;
  const { pathname, searchParams } = readAddress(request);
  const key = searchParams.get('prefix') ?? pathname.slice(`/${BUCKET}/`.length);
  return { prefix: key.split('/')[0] as string, phase: readPhase(method, searchParams, path.posix.basename(key)) };
}

function readPhase(method: string | undefined, searchParams: URLSearchParams, name: string): Phase {
  if (method === 'HEAD') return 'look';
  if (method === 'DELETE') return 'removal';
  if (method === 'GET') return searchParams.has('list-type') ? 'list' : 'read';
  if (name === 'manifest.json') return 'manifest';
  if (name === '_SUCCESS') return 'success';
  return name.startsWith('part-000') ? 'first part' : 'later part';
}

/** Sends one message over HTTP, and says what came of it; it never throws for what a receiver does. */
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { AddressRefusedError, type Addresses } from './addresses';

/** From the connection to the end of the answer. */
const TIMEOUT_MS = 10_000;
/** More of an answer is not read. */
const ANSWER_BYTES = 64 * 1024;
/** Connections to one host. */
const CONNECTIONS = 64;
const IDLE_MS = 10_000;

/** A message as it goes over the wire. */
export interface Letter {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: string | null;
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  /** Why there was none; empty where there was one. */
  readonly error: string;
  /** What the receiver asks to wait, as its header Retry-After says it. */
  readonly retryAfter?: string;
  readonly latencyMs: number;
}

export interface Sender {
  readonly send: (letter: Letter) => Promise<Answer>;
  close(): Promise<void>;
}

/** Redirects are answers like any other: nothing is sent where they lead. */
export function createSender(addresses: Addresses): Sender {
  const agent = new Agent({
    connect: { lookup: addresses.lookup, timeout: TIMEOUT_MS },
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async send({ method, url, headers, body }) {
      const started = performance.now();
      const latency = () => Math.round(performance.now() - started);
      try {
        refuseLiteral(addresses, url);
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await request(url, { dispatcher: agent, method, headers, body, signal });
        await answer.body.dump({ limit: ANSWER_BYTES, signal });
        const retryAfter = answer.headers['retry-after'];
        const asked = typeof retryAfter === 'string' ? { retryAfter } : {};
        return { status: answer.statusCode, error: '', latencyMs: latency(), ...asked };
      } catch (error) {
        const why = explain(error);
        return { status: 0, error: why, latencyMs: why === NO_PUBLIC_ADDRESS ? 0 : latency() };
      }
    },
    close: () => agent.destroy(),
  };
}

/** An address in the URL itself is not looked up. */
function refuseLiteral({ isAllowed }: Addresses, url: string): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new AddressRefusedError(host);
}

/**
 * Why nothing was sent by a name. Whether nobody knows the name or it leads inside is not told, nor how long it took to
 * find out: whoever may try out destinations must not learn which names there are inside.
 */
export const NO_PUBLIC_ADDRESS = 'the name of the host leads to no public address';
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN']);

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within 10 seconds',
  UND_ERR_BODY_TIMEOUT: 'no answer within 10 seconds',
};

/** The reason for an error, in words; never the address, which may hold a secret. */
function explain(error: unknown): string {
  if (error instanceof AddressRefusedError) return error.isLiteral ? error.message : NO_PUBLIC_ADDRESS;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'no answer within 10 seconds';
  const { code } = error as NodeJS.ErrnoException;
  if (UNKNOWN_NAME.has(code ?? '')) return NO_PUBLIC_ADDRESS;
  return EXPLANATIONS[code ?? ''] ?? (code ? `failed: ${code}` : 'failed');
}

/** Makes clients: what is asked becomes a request, with the key that its path takes and a plan for its failures. */
import createFetchClient from 'openapi-fetch';
import { isSafeTwice, makeKey, send, takesKey, type Plan, type Retrying } from './attempts.ts';
import { ApiFailure, readRequestId } from './failure.ts';
import type { paths } from './generated.ts';
import { PAGES, STREAMS } from './generated-operations.ts';
import { checkKeys, chooseKey, hasKeys, type Keys } from './keys.ts';
import { readPages } from './pages.ts';
import { readRows } from './stream.ts';
import type { Client, PagedPath, StreamedPath } from './types.ts';

export interface ClientOptions extends Keys, Retrying {
  /** Address of the service, for example `https://adtrail.example`. */
  readonly url: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each failure that is thrown. */
  readonly onFailure?: (failure: ApiFailure, request: { readonly path: string; readonly headers: Headers }) => void;
  readonly fetch?: typeof fetch;
}

/** What the options of requests have in common, whatever their operations are. */
interface Init {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly parseAs?: string;
  readonly redirect?: RequestRedirect;
  readonly signal?: AbortSignal | null;
}
interface StreamInit extends Init {
  readonly parse?: (line: string) => unknown;
}
type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
type Send = (path: string, init: object) => Promise<{ readonly data?: unknown; readonly response: Response }>;

const ATTEMPTS = { maxRetries: 3, maxWaitMs: 60_000, timeoutMs: 120_000 };

/** @throws TypeError for an address or a key that cannot be one; its message does not say the key. */
export function createClient(options: ClientOptions): Client {
  checkKeys(options);
  const inner = createFetchClient<paths>({ baseUrl: readAddress(options.url), headers: options.headers });
  const ask = async (method: Method, path: string, init: Init = {}) => {
    const plan = makePlan(options, method, path, init);
    const own = { ...chooseKey(path, options), ...(plan.isKeyed && { 'Idempotency-Key': makeKey() }) };
    // Elsewhere nobody is to see the key.
    const redirect = init.redirect ?? (hasKeys(options) ? 'manual' : 'follow');
    let headers = new Headers();
    let answered: Response | undefined;
    const fetch = async (request: Request) => {
      headers = request.headers;
      for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value);
      answered = await send(request, plan);
      return answered;
    };
    try {
      return await (inner[method] as Send)(path, { ...asItIs(init.body), ...init, redirect, fetch });
    } catch (error) {
      const failure = answered && error instanceof SyntaxError ? unreadable(answered, error) : error;
      if (failure instanceof ApiFailure) options.onFailure?.(failure, { path, headers });
      throw failure;
    }
  };
  return {
    ...makeMethods(ask),
    pages: (path: PagedPath, init: Init = {}) =>
      readPages(PAGES[path], init.params?.query ?? {}, async (query) => {
        const { data } = await ask('GET', path, { ...init, params: { ...init.params, query } });
        return data;
      }),
    stream: async (path: StreamedPath, { parse = JSON.parse, ...init }: StreamInit) => {
      const { method, takesFormat } = STREAMS[path];
      const query = { ...init.params?.query, ...(takesFormat && { format: 'ndjson' }) };
      const asked = { ...init, params: { ...init.params, query }, parseAs: 'stream' };
      const { response } = await ask(method, path, asked);
      return readRows(response, parse, init.signal ?? undefined);
    },
    // Each is typed by its operations, which are not known here.
  } as unknown as Client;
}

function makeMethods(ask: (method: Method, path: string, init?: Init) => Promise<unknown>) {
  const make = (method: Method) => (path: string, init?: Init) => ask(method, path, init);
  return { GET: make('GET'), PUT: make('PUT'), POST: make('POST'), PATCH: make('PATCH'), DELETE: make('DELETE') };
}

function makePlan(options: ClientOptions, method: Method, path: string, { signal, ...init }: Init): Plan {
  const { maxRetries, maxWaitMs, timeoutMs } = { ...ATTEMPTS, ...withoutUndefined(options) };
  return {
    maxRetries,
    maxWaitMs,
    timeoutMs,
    onRetry: options.onRetry,
    // The one of that moment: pages and tests put their own in its place.
    fetch: options.fetch ?? globalThis.fetch,
    isRepeatable: isSafeTwice(method, path),
    isKeyed: maxRetries > 0 && takesKey(method, path),
    isReplayable: !(init.body instanceof ReadableStream),
    isStreamed: init.parseAs === 'stream',
    takesRedirects: init.redirect === 'manual',
    signal: signal ?? undefined,
  };
}

/** How a body is sent that is no JSON: byte by byte, and a stream while it is read. */
function asItIs(body: unknown): object {
  const isStream = body instanceof ReadableStream;
  const isRaw = isStream || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return isRaw ? { bodySerializer: (raw: unknown) => raw, ...(isStream && { duplex: 'half' }) } : {};
}

const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

const unreadable = (answered: Response, cause: SyntaxError) =>
  new ApiFailure(answered.status, 'The answer is no JSON: `parseAs` says how others are read', {
    code: 'unreadable',
    requestId: readRequestId(answered),
    cause,
  });

function readAddress(url: string): string {
  let address: URL | undefined;
  try {
    address = new URL(url);
  } catch {
    // Said below, without what was given: it may hold a password.
  }
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password || address.search)
    throw new TypeError('url: must be http or https, without credentials and parameters');
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`;
}

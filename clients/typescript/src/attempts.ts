/** Sends a request, and again where that is safe and helps: within limits, after the time that the service names. */
import { ApiFailure, readFailure, readRequestId } from './failure.ts';
import { KEYED, REPEATABLE } from './generated-operations.ts';

export interface Retrying {
  /** How often a request is sent again at most: 3; 0 for never. */
  readonly maxRetries?: number;
  /** The longest pause, in milliseconds: 60,000. Where `Retry-After` is longer the failure is thrown at once. */
  readonly maxWaitMs?: number;
  /** How long an answer may take, or a stream to begin, in milliseconds: 120,000; Infinity for any time. */
  readonly timeoutMs?: number;
  /** Called before each pause. */
  readonly onRetry?: (retry: {
    readonly failure: ApiFailure;
    readonly attempt: number;
    readonly waitMs: number;
  }) => void;
}

/** What is known of a request beside what is sent. */
export interface Plan extends Required<Pick<Retrying, 'maxRetries' | 'maxWaitMs' | 'timeoutMs'>> {
  readonly fetch: typeof fetch;
  readonly onRetry: Retrying['onRetry'];
  /** Whether it may be sent again although the service may have done it. */
  readonly isRepeatable: boolean;
  /** Whether it has an `Idempotency-Key`. */
  readonly isKeyed: boolean;
  /** False for a body that is a stream: it can be sent once. */
  readonly isReplayable: boolean;
  /** Whether the body of the answer is handed on unread. */
  readonly isStreamed: boolean;
  /** Whether a redirect is an answer like others. */
  readonly takesRedirects: boolean;
  readonly signal: AbortSignal | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_GUESSED_WAIT_MS = 10_000;
/** Whole seconds are rounded by those who say them, and many wait for the same one. */
const SPREAD_MS = 250;
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const repeatable = new Set<string>(REPEATABLE);
const keyed = new Set<string>(KEYED);

/** Whether the method says that a request may be sent twice, or the service does of this operation. */
export const isSafeTwice = (method: string, path: string) =>
  IDEMPOTENT.has(method) || repeatable.has(`${method} ${path}`);

/** Whether an operation takes an `Idempotency-Key`. */
export const takesKey = (method: string, path: string) => keyed.has(`${method} ${path}`);

/** Any text that no other request has; `randomUUID` is there on secure pages only. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws ApiFailure for what is no success after the last attempt; the reason of the signal once it is aborted. */
export async function send(request: Request, plan: Plan): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= plan.maxRetries || !plan.isReplayable;
    try {
      return await attemptOnce(isLast ? request : request.clone(), plan);
    } catch (error) {
      plan.signal?.throwIfAborted();
      if (!(error instanceof ApiFailure) || isLast || !isWorthRepeating(error, plan, attempt)) throw error;
      const waitMs = chooseWait(error, attempt);
      if (waitMs > plan.maxWaitMs) throw error;
      plan.onRetry?.({ failure: error, attempt: attempt + 1, waitMs });
      await pause(waitMs, plan.signal);
    }
  }
}

/** A request that is limited was not begun; every other one that fails may have been done. */
function isWorthRepeating({ status, code }: ApiFailure, { isRepeatable, isKeyed }: Plan, attempt: number): boolean {
  if (status === 429) return true;
  // The answer of the attempt before may be on its way still.
  if (status === 409) return isKeyed && attempt > 0;
  if (code === 'redirected' || code === 'unreadable') return false;
  return (isRepeatable || isKeyed) && [0, 502, 503, 504].includes(status);
}

function chooseWait({ retryAfter }: ApiFailure, attempt: number): number {
  if (retryAfter !== undefined) return 1_000 * retryAfter + SPREAD_MS * Math.random();
  const most = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_GUESSED_WAIT_MS);
  return most / 2 + (most / 2) * Math.random();
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

async function attemptOnce(request: Request, plan: Plan): Promise<Response> {
  const { fetch, signal } = plan;
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const late = new ApiFailure(0, `No answer within ${plan.timeoutMs} ms`, { code: 'timeout' });
  const timer = Number.isFinite(plan.timeoutMs) ? setTimeout(() => ending.abort(late), plan.timeoutMs) : undefined;
  let isHandedOn = false;
  try {
    const response = await fetch(request, { signal: ending.signal }).catch((cause: unknown) => {
      throw new ApiFailure(0, tell(cause), { cause });
    });
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    if (isRedirect && !plan.takesRedirects)
      throw new ApiFailure(0, 'The service answers with a redirect: is its address right?', { code: 'redirected' });
    if (!response.ok && !isRedirect) throw await readFailure(response);
    isHandedOn = plan.isStreamed;
    return isHandedOn || !response.body ? response : await readWhole(response);
  } catch (error) {
    throw ending.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
    // A stream that is handed on is still ended by its signal.
    if (!isHandedOn) signal?.removeEventListener('abort', abort);
  }
}

/** An answer that is there to its last byte: what breaks off while it is read is a failure of the request. */
async function readWhole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer().catch((cause: unknown) => {
    const requestId = readRequestId(response);
    throw new ApiFailure(0, 'The answer broke off', { code: 'broken_off', requestId, cause });
  });
  const { status, statusText, headers } = response;
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

const tell = (error: unknown) =>
  error instanceof Error && error.message ? error.message : 'The service was not reached';

/** One attempt to send a batch, and what its records were answered. */
import type { Line } from './chunks.ts';

/** Why a record is not stored: the status that its own request would have had, and the reason of the contract. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
}

export interface Outcomes {
  readonly refused: readonly { readonly line: Line; readonly refusal: Refusal }[];
  /** Records that may be sent again, after `waitMs`. */
  readonly again: readonly Line[];
  readonly waitMs: number;
  /** Whether the batch was refused and not its records: their sender is at fault, and so will the next batch be. */
  readonly isWhole: boolean;
}

/** Why a batch as a whole is sent again. */
export interface Problem {
  readonly message: string;
  readonly waitMs: number;
}

interface Result {
  readonly status: 'accepted' | 'rejected';
  readonly code?: number;
  readonly reason?: string;
  readonly retry_after?: number;
}

export interface Target {
  readonly endpoint: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

/** The service says so itself; a gateway says that it could not be reached. */
const MAY_RETRY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const TOO_LARGE = 413;
/** A longer wait that is named is a mistake, which would stop a sender for good. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Sends lines once; in halves where they are too large together, so that one that is too large by itself does not
 * cost the others.
 *
 * @throws Error of the network, or for a 200 that is no answer of adtrail: the batch may be sent again.
 */
export async function sendBatch(lines: readonly Line[], target: Target): Promise<Outcomes | Problem> {
  const { endpoint, token, timeoutMs, fetch: send } = target;
  const response = await send(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', 'X-Service-Token': token },
    body: lines.join('\n'),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  const text = await response.text();
  if (MAY_RETRY.has(response.status))
    return { message: `HTTP ${response.status}`, waitMs: readRetryAfter(response.headers.get('Retry-After')) };
  if (response.status === TOO_LARGE && lines.length > 1) return sendHalves(lines, target);
  return readOutcomes(lines, response.status, text);
}

/** Where the second half is to be sent again, so is the first: what it stored counts once. */
async function sendHalves(lines: readonly Line[], target: Target): Promise<Outcomes | Problem> {
  const middle = Math.ceil(lines.length / 2);
  const first = await sendBatch(lines.slice(0, middle), target);
  if ('message' in first) return first;
  const second = await sendBatch(lines.slice(middle), target);
  if ('message' in second) return second;
  return {
    refused: [...first.refused, ...second.refused],
    again: [...first.again, ...second.again],
    waitMs: Math.max(first.waitMs, second.waitMs),
    isWhole: first.isWhole && second.isWhole,
  };
}

/** Sorts the records of an answer. One that is of the whole batch is that of each record. */
function readOutcomes(lines: readonly Line[], status: number, text: string): Outcomes {
  if (status !== 200) {
    const refusal = { code: status, reason: readReason(text) };
    return { refused: lines.map((line) => ({ line, refusal })), again: [], waitMs: 0, isWhole: true };
  }
  const { results } = JSON.parse(text) as { results?: readonly Result[] };
  if (results?.length !== lines.length) throw new Error('The answer has not one result for each record.');
  const refused: { line: Line; refusal: Refusal }[] = [];
  const again: Line[] = [];
  let waitMs = 0;
  results.forEach(({ status: outcome, code = 400, reason = '', retry_after: seconds }, i) => {
    const line = lines[i] as Line;
    if (outcome === 'accepted') return;
    if (seconds === undefined) refused.push({ line, refusal: { code, reason } });
    else {
      again.push(line);
      waitMs = Math.max(waitMs, boundWait(seconds * 1000));
    }
  });
  return { refused, again, waitMs, isWhole: false };
}

/** Seconds, or a date; in milliseconds. */
function readRetryAfter(header: string | null): number {
  if (!header) return 0;
  return boundWait(/^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now());
}

/** What is no number is no wait. */
const boundWait = (ms: number) => (ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : 0);

function readReason(text: string): string {
  try {
    const { reason, msg } = JSON.parse(text) as { reason?: string; msg?: string };
    return reason ?? msg ?? '';
  } catch {
    return '';
  }
}

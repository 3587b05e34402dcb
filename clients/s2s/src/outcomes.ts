/** What a batch was answered, record by record. */
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
}

interface Result {
  readonly status: 'accepted' | 'rejected';
  readonly code?: number;
  readonly reason?: string;
  readonly retry_after?: number;
}

/**
 * Sorts the records of an answer. One that is of the whole batch is that of each record.
 *
 * @throws Error for a 200 that is no answer of adtrail: the batch may be sent again.
 */
export function readOutcomes(lines: readonly Line[], status: number, text: string): Outcomes {
  if (status !== 200) {
    const refusal = { code: status, reason: readReason(text) };
    return { refused: lines.map((line) => ({ line, refusal })), again: [], waitMs: 0 };
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
      waitMs = Math.max(waitMs, seconds * 1000);
    }
  });
  return { refused, again, waitMs };
}

function readReason(text: string): string {
  try {
    const { reason, msg } = JSON.parse(text) as { reason?: string; msg?: string };
    return reason ?? msg ?? '';
  } catch {
    return '';
  }
}

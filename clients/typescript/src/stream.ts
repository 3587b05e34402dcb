/** NDJSON as it arrives: one line is read when one is asked for, so that a slow reader slows the service down. */
import { ApiFailure, readRequestId } from './failure.ts';

/** Rows that can be gone through once, with `for await`. */
export interface RowStream<T> extends AsyncIterable<T> {
  /** The time up to which everything accepted is in it; undefined where that is not said. */
  readonly completeUntil: string | undefined;
  readonly requestId: string | undefined;
  /** Gives up what was not read. Leaving a `for await` early does the same. */
  cancel(): Promise<void>;
}

/** No row is longer: what is read without an end of a line is no NDJSON. */
const MAX_LINE = 64 * 1024 * 1024;

export function readRows<T>(response: Response, parse: (line: string) => T, signal?: AbortSignal): RowStream<T> {
  const requestId = readRequestId(response);
  const reader = response.body?.getReader();
  let isTaken = false;
  async function* read(): AsyncGenerator<T, void, undefined> {
    if (isTaken) throw new TypeError('A stream of rows can be gone through once');
    isTaken = true;
    let count = 0;
    const brokenOff = (why: string, cause?: unknown) =>
      new ApiFailure(0, `The stream broke off after ${count} rows: ${why}`, { code: 'broken_off', requestId, cause });
    try {
      for await (const line of readLines(reader)) {
        if (line === undefined) throw brokenOff('it ends within a line');
        const row = parse(line);
        count += 1;
        yield row;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ConnectionLost) throw brokenOff('the connection was lost', error.cause);
      throw error;
    } finally {
      await reader?.cancel().catch(() => undefined);
    }
  }
  return {
    completeUntil: response.headers.get('Complete-Until') ?? undefined,
    requestId,
    cancel: async () => reader?.cancel().catch(() => undefined),
    [Symbol.asyncIterator]: read,
  };
}

class ConnectionLost extends Error {}

/** The lines, without empty ones; undefined for a last one that has no end. */
async function* readLines(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<string | undefined, void, undefined> {
  const decoder = new TextDecoder();
  // The pieces of a line that is not ended: joined once, however many they are.
  let pieces: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read().catch((cause: unknown) => {
      throw new ConnectionLost('lost', { cause });
    })) ?? { done: true, value: undefined };
    const text = decoder.decode(value, { stream: !done });
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const whole = pieces.join('') + line;
      pieces = [];
      length = 0;
      if (whole.trim() !== '') yield whole;
    }
    if (rest !== '') pieces.push(rest);
    length += rest.length;
    if (length > MAX_LINE) throw new ApiFailure(0, 'A row has no end: this is no NDJSON', { code: 'unreadable' });
    if (!done) continue;
    if (pieces.join('').trim() !== '') yield undefined;
    return;
  }
}

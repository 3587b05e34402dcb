/** `adtrail import spend`: sends a file of ad spend to a running service, batch by batch. Run again, it restates the same rows. */
import fs from 'node:fs';
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { parse } from 'csv-parse';

export interface SpendImport {
  /** A CSV file whose first line names the columns, or one JSON object a line where its name ends in .ndjson or .jsonl. */
  readonly file: string;
  /** Address of the service, without a path. */
  readonly url: string;
  /** Server key of the project. */
  readonly key: string;
  /** Told of what the service refuses; rows count from 1, without the header. */
  readonly onRejected: (row: number, reason: string, field: string) => void;
}

export interface Imported {
  readonly accepted: number;
  readonly rejected: number;
}

const BATCH = 5_000;
/** The service may be away for so long before the import gives up. */
const PATIENCE_MS = 60_000;

/** @throws Error that says why the file could not be sent; what was sent stays, and may be sent again. */
export async function importSpend(options: SpendImport): Promise<Imported> {
  const input = fs.createReadStream(options.file);
  const bar = new SingleBar({ format: 'spend [{bar}] {percentage}% | {rows} rows | {rejected} rejected', clearOnComplete: false, noTTYOutput: false });
  bar.start(fs.statSync(options.file).size, 0, { rows: 0, rejected: 0 });
  let accepted = 0;
  let rejected = 0;
  let batch: unknown[] = [];
  const send = async () => {
    if (batch.length === 0) return;
    const answer = await put(options, batch);
    for (const one of answer.rejected) options.onRejected(accepted + rejected + one.index + 1, one.reason, one.field);
    accepted += answer.accepted;
    rejected += answer.rejected.length;
    batch = [];
    bar.update(input.bytesRead, { rows: accepted, rejected });
  };
  try {
    for await (const row of rowsOf(options.file, input)) {
      batch.push(row);
      if (batch.length === BATCH) await send();
    }
    await send();
  } finally {
    bar.stop();
  }
  return { accepted, rejected };
}

async function* rowsOf(file: string, input: Readable): AsyncIterable<unknown> {
  if (!/\.(nd)?jsonl?$/i.test(file)) {
    yield* input.pipe(parse({ columns: true, record_delimiter: ['\r\n', '\n', '\r'], bom: true, trim: true, skip_empty_lines: true, relax_column_count: true })) as AsyncIterable<unknown>;
    return;
  }
  let line = 0;
  for await (const text of readline.createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    try {
      yield JSON.parse(text);
    } catch {
      throw new Error(`Line ${line} of ${file} is not JSON.`);
    }
  }
}

type Answer = { accepted: number; rejected: { index: number; reason: string; field: string }[] };

/** Sends one batch, again and again while the service is away or asks for time. */
async function put({ url, key }: SpendImport, rows: readonly unknown[]): Promise<Answer> {
  const giveUp = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${url}/collect/v1/spend`, { method: 'PUT', headers: { 'service-key': key, 'Content-Type': 'application/json' }, body: JSON.stringify({ rows }) }).catch(() => undefined);
    if (response?.status === 200) return (await response.json()) as Answer;
    const canWait = response === undefined || response.status === 429 || response.status === 503;
    if (!canWait || Date.now() > giveUp) {
      const { msg } = ((await response?.json().catch(() => undefined)) ?? {}) as { msg?: string };
      throw new Error(msg ?? `No service answers at ${url}`);
    }
    await sleep(1000 * Math.min(30, Number(response?.headers.get('retry-after') ?? 1) || 1));
  }
}

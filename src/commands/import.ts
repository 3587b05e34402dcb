/** Sends the rows of a file to a running service, batch by batch: `adtrail import`. */
import fs from 'node:fs';
import readline from 'node:readline';
import { Readable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { isObject, type BatchAnswer, type FieldError, type Rejection, type Row } from '../ingest/batch';
import { createDecoder, DEFAULT_CHARSET, UnknownCharset, WrongBytes, type Decoder } from '../lib/charset';
import { readTable, type Columns } from '../ingest/csv-table';
import { fetchWithRetry } from '../lib/retry';

/** A reason why an import ends early; its message is all there is to say. */
export class ImportError extends Error {}

/**
 * Where rows go: one request takes `{[field]: rows}` and answers `{"accepted": n, "rejected": [{"index", "reason",
 * "field"}]}`.
 */
export interface Target {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string;
  /** The columns that a CSV file has. */
  readonly columns: Columns;
  /** Finds what only the whole file shows: which rows are refused, by their place among all. */
  readonly check?: (rows: readonly (Row | undefined)[], isTable: boolean) => Promise<readonly Rejection[]>;
}

/** How far an import has come. Rows are counted from 1, the header of a CSV file and empty lines not included. */
interface Progress {
  rows: number;
  accepted: number;
  rejected: number;
}

interface Numbered {
  readonly number: number;
  /** Undefined: the line is no row. */
  readonly row: Row | undefined;
  /** Why it is not sent. */
  readonly refusal?: FieldError;
  /** Bytes of the file up to the end of the row. */
  readonly bytes: number;
}

/** Small enough for the service to answer other requests in between. */
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 4_000_000;
/** How often progress is printed where standard error is no terminal. */
const REPORT_MS = 5_000;
/** How long to wait for a service that is away or refuses for now. */
const PATIENCE_MS = 60_000;

/**
 * Sends a file of CSV with a header, or of one JSON object a line where its name ends in .ndjson, .jsonl or .json, in
 * the charset of this label where no byte order mark says another, and resolves with how many rows were accepted and
 * rejected. Rejected rows are written to stderr. How far it came is kept beside the file until it is through: an import
 * that was interrupted continues there. Rows that are sent again change nothing.
 *
 * @throws ImportError when the file cannot be read or the service does not take a request.
 */
export async function importFile(
  file: string,
  target: Target,
  charset = DEFAULT_CHARSET,
  stderr = process.stderr,
): Promise<Progress> {
  const size = readSize(file);
  const bookmark = new Bookmark(`${file}.import`, `${target.url} ${size} ${fs.statSync(file).mtimeMs}`);
  const progress = bookmark.read();
  if (progress.rows > 0) stderr.write(`going on after row ${progress.rows}\n`);
  const report = reporter(size, progress, stderr);
  try {
    for await (const batch of batches(readRows(file, target, charset), progress.rows)) {
      const { accepted, rejected } = await sendRows(batch, target);
      for (const { number, reason, field } of rejected) report.line(`row ${number}: ${reason}${field && ` ${field}`}`);
      Object.assign(progress, {
        rows: batch.at(-1)?.number,
        accepted: progress.accepted + accepted,
        rejected: progress.rejected + rejected.length,
      });
      bookmark.write(progress);
      report.at(batch.at(-1)?.bytes ?? 0);
    }
  } finally {
    report.end();
  }
  bookmark.remove();
  return progress;
}

function readSize(file: string): number {
  try {
    return fs.statSync(file).size;
  } catch (error) {
    throw new ImportError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/**
 * Keeps the progress of an import of one file to one place; where it cannot be written, an interrupted import starts
 * over.
 */
class Bookmark {
  private readonly unfinished: string;

  constructor(
    private readonly path: string,
    private readonly of: string,
  ) {
    this.unfinished = `${path}.unfinished`;
  }

  read(): Progress {
    try {
      const { of, progress } = JSON.parse(fs.readFileSync(this.path, 'utf8')) as { of: string; progress: Progress };
      if (of === this.of) return progress;
    } catch {
      // None, or one that broke off: the whole file again changes nothing.
    }
    return { rows: 0, accepted: 0, rejected: 0 };
  }

  /** Renamed into its place, so that a kill in the middle leaves the one before. */
  write(progress: Progress): void {
    try {
      fs.writeFileSync(this.unfinished, JSON.stringify({ of: this.of, progress }));
      fs.renameSync(this.unfinished, this.path);
    } catch {
      // A folder that only can be read.
    }
  }

  remove(): void {
    for (const file of [this.path, this.unfinished]) fs.rmSync(file, { force: true });
  }
}

/** The rows of a file; all at once where they have to be checked together. */
async function* readRows(file: string, { columns, check }: Target, charset: string): AsyncGenerator<Numbered> {
  const isTable = !/\.(nd)?jsonl?$/i.test(file);
  const found = isTable ? csvRows(file, columns, charset) : jsonRows(file, charset);
  if (!check) {
    yield* found;
    return;
  }
  const all: Numbered[] = [];
  for await (const one of found) all.push(one);
  const refusals = new Map(
    (
      await check(
        all.map(({ row }) => row),
        isTable,
      )
    ).map((one) => [one.index, one] as const),
  );
  for (const [i, one] of all.entries()) yield { ...one, refusal: refusals.get(i) };
}

async function* readText(file: string, charset: string): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  try {
    for await (const bytes of fs.createReadStream(file) as AsyncIterable<Buffer>) {
      decoder ??= createDecoder(charset, bytes);
      yield decoder.write(bytes);
    }
    if (decoder) yield decoder.end();
  } catch (error) {
    if (error instanceof UnknownCharset) throw new ImportError(`The charset ${charset} is not known.`);
    if (error instanceof WrongBytes)
      throw new ImportError(`${file} is no text in ${error.message}. Name its charset with --charset.`);
    throw error;
  }
}

async function* csvRows(file: string, columns: Columns, charset: string): AsyncGenerator<Numbered> {
  let number = 0;
  try {
    for await (const { row, bytes } of readTable(readText(file, charset), columns))
      yield { number: ++number, row, bytes };
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError(`${file} is not CSV: ${(error as Error).message}`);
  }
}

async function* jsonRows(file: string, charset: string): AsyncGenerator<Numbered> {
  let [number, bytes] = [0, 0];
  const lines = readline.createInterface({ input: Readable.from(readText(file, charset)), crlfDelay: Infinity });
  for await (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (line.trim() !== '') yield { number: ++number, row: parseLine(line), bytes };
  }
}

function parseLine(line: string): Row | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return isObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** The rows after row `done`, as many at a time as one request takes. */
async function* batches(rows: AsyncIterable<Numbered>, done: number): AsyncGenerator<Numbered[]> {
  let batch: Numbered[] = [];
  let from = 0;
  for await (const row of rows) {
    if (row.number <= done) {
      from = row.bytes;
      continue;
    }
    batch.push(row);
    if (batch.length < BATCH_ROWS && row.bytes - from < BATCH_BYTES) continue;
    yield batch;
    [batch, from] = [[], row.bytes];
  }
  if (batch.length > 0) yield batch;
}

async function sendRows(
  batch: readonly Numbered[],
  target: Target,
): Promise<{ accepted: number; rejected: { number: number; reason: string; field: string }[] }> {
  const good = batch.filter((one): one is Numbered & { row: Row } => one.row !== undefined && !one.refusal);
  const bad = batch.flatMap(({ number, row, refusal }) => {
    if (row === undefined) return [{ number, reason: 'invalid_row', field: '' }];
    return refusal ? [{ number, reason: refusal.reason, field: refusal.field }] : [];
  });
  if (good.length === 0) return { accepted: 0, rejected: bad };
  const { accepted, rejected } = await request(
    good.map(({ row }) => row),
    target,
  );
  const refused = rejected.map(({ index, reason, field }) => ({ number: good[index]?.number ?? 0, reason, field }));
  return { accepted, rejected: [...bad, ...refused].sort((a, b) => a.number - b.number) };
}

/** Sends rows until the service takes them: the same rows again are safe. */
async function request(rows: readonly Row[], { url, method, headers, field }: Target): Promise<BatchAnswer> {
  const body = JSON.stringify({ [field]: rows });
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, body };
  const response = await fetchWithRetry(url, init, PATIENCE_MS).catch((error: Error) => error);
  if (!(response instanceof Error) && response.ok) return (await response.json()) as BatchAnswer;
  throw new ImportError(`${await readReason(url, response)} The same command goes on from here.`);
}

async function readReason(url: string, response: Response | Error): Promise<string> {
  if (response instanceof Error) return `No service answers at ${new URL(url).origin}: ${response.message}.`;
  const { msg } = (await response.json().catch(() => ({}))) as { msg?: string };
  return msg ?? `The service answered ${response.status}.`;
}

/** A bar on a terminal; elsewhere a line every few seconds. */
function reporter(size: number, progress: Progress, stderr: NodeJS.WriteStream) {
  const text = () => `${progress.accepted} accepted, ${progress.rejected} rejected`;
  if (!stderr.isTTY) {
    let reportedAt = Date.now();
    return {
      line: (line: string) => stderr.write(`${line}\n`),
      at(bytes: number) {
        if (Date.now() - reportedAt < REPORT_MS) return;
        reportedAt = Date.now();
        stderr.write(`${Math.floor((100 * bytes) / size)} %: ${text()}\n`);
      },
      end: () => undefined,
    };
  }
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {text} | {eta_formatted} left',
    clearOnComplete: true,
    stream: stderr,
  });
  bar.start(Math.max(1, size), 0, { text: text() });
  return {
    line(line: string) {
      stderr.clearLine(0);
      stderr.cursorTo(0);
      stderr.write(`${line}\n`);
    },
    at: (bytes: number) => bar.update(bytes, { text: text() }),
    end: () => bar.stop(),
  };
}

/** Saves what a running service exports to files: `adtrail export`. */
import fs from 'node:fs';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import { StartError } from '../errors';
import { reachService } from '../lib/ask-service';
import { addDays, daysInRange } from '../lib/time';
import { FORMAT_NAMES, type Format } from '../files/formats';

export interface Source {
  /** Address of the service. */
  readonly service: string;
  /** Server key of the project. */
  readonly key: string;
}

/** @throws StartError for a name that no format has. */
function formatOfFile(file: string): Format {
  const format = FORMAT_NAMES.find((one) => file.toLowerCase().endsWith(`.${one}`));
  if (!format) throw new StartError(`The name of ${file} must end in .${FORMAT_NAMES.join(', .')}.`);
  return format;
}

/**
 * Saves all rows of a query to a file, whose name says its format. A file that breaks off is not there.
 *
 * @throws StartError when the service refuses, does not answer, or breaks off.
 */
export async function saveQuery({ service, key }: Source, query: string, file: string): Promise<number> {
  const format = formatOfFile(file);
  const url = `${service}/api/v1/reporting/query?format=${format}`;
  const request = { method: 'POST', headers: { 'service-key': key, 'Content-Type': 'application/json' }, body: query };
  const bar = progressBar('{value} MB written');
  bar.start(0, 0);
  try {
    return await save(url, request, file, (bytes) => bar.update(megabytes(bytes)));
  } finally {
    bar.stop();
  }
}

/**
 * Saves the records of a project to a folder, a file for each day of receipt. A file has the time up to which the
 * service calls it complete; where that is after its day, it is not asked for again, so that what was interrupted
 * continues where it stopped. Resolves with how many files were written.
 *
 * @throws StartError as saveQuery.
 */
export async function saveRecords(
  { service, key }: Source,
  { kind, from, to, format, folder }: { kind: string; from: string; to: string; format: string; folder: string },
): Promise<number> {
  fs.mkdirSync(folder, { recursive: true });
  const days = Array.from({ length: Math.max(0, daysInRange(from, to)) }, (_, i) => addDays(from, i));
  const bar = progressBar('{bar} {value} of {total} days');
  bar.start(days.length, 0);
  let written = 0;
  try {
    for (const day of days) {
      const file = path.join(folder, `${kind}-${day}.${format}`);
      const url = `${service}/api/v1/export/${encodeURIComponent(kind)}?from=${day}&to=${day}&format=${format}`;
      if (!isWhole(file, day)) {
        await save(url, { headers: { 'service-key': key } }, file, () => undefined);
        written += 1;
      }
      bar.increment();
    }
  } finally {
    bar.stop();
  }
  return written;
}

/** Whether everything that was accepted on its day is in a file. */
function isWhole(file: string, day: string): boolean {
  const completeUntil = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return completeUntil >= Date.parse(addDays(day, 1));
}

const progressBar = (format: string) => new SingleBar({ format, clearOnComplete: true, noTTYOutput: false });
const megabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;

/** Renamed into its place once it is whole. Resolves with its bytes. */
async function save(url: string, request: RequestInit, file: string, onBytes: (bytes: number) => void) {
  const unfinished = `${file}.unfinished`;
  const response = await reachService(url, request);
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(bytes);
      done(null, chunk);
    },
  });
  try {
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, counting, fs.createWriteStream(unfinished));
    const completeUntil = new Date(response.headers.get('Complete-Until') ?? 0);
    fs.utimesSync(unfinished, completeUntil, completeUntil);
    fs.renameSync(unfinished, file);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw new StartError(`${file} broke off: ${(error as Error).message}`);
  }
  return bytes;
}

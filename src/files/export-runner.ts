/** Where files are written: few at a time, since each may take minutes, and beside reports. */
import { ClickHouseError } from '@clickhouse/client';
import { finished, type Readable } from 'node:stream';
import type { ClickHouseReads, Limits } from '../db/clickhouse';
import { ApiError, UnavailableError } from '../errors';
import type { Log } from '../lib/log';

/** Files that are written at a time, in each process. */
const MAX_EXPORTS = 4;
/** A file that takes longer, or whoever takes it so slowly, is cut off. */
const MAX_SECONDS = 3_600;

const busy = () =>
  new ApiError(503, 'Too many files are being written. Please try again later.', { 'Retry-After': '10' });

export interface ExportLimits {
  readonly bytes: number;
  readonly threads: number;
}

/** What became of a file: `busy` where too many were written, `broken_off` by either side. */
export type ExportOutcome = 'done' | 'failed' | 'broken_off' | 'busy';

/** Called for every file, for metrics. */
export type ObserveExport = (kind: string, outcome: ExportOutcome, seconds: number) => void;

/** What the rows of files are read with, and what that may cost. */
export interface FileReads {
  readonly clickhouse: ClickHouseReads;
  readonly limits: Limits;
}

export interface ExportedFile {
  /** One of a few, for metrics. */
  readonly kind: string;
  readonly name: string;
  /** The request that it answers. */
  readonly requestId: string;
}

export class ExportRunner implements FileReads {
  private running = 0;

  /** Files that are being written. */
  get count(): number {
    return this.running;
  }

  constructor(
    readonly clickhouse: ClickHouseReads,
    limits: ExportLimits,
    private readonly log: Pick<Log, 'warn'>,
    private readonly observe: ObserveExport,
  ) {
    this.limits = {
      max_memory_usage: String(limits.bytes),
      max_threads: limits.threads,
      max_execution_time: MAX_SECONDS,
    };
  }

  /** What the statement of a file may cost. */
  readonly limits: Limits;

  /**
   * Opens a file. Until its first bytes are there an error is an answer like others; after that the stream fails, and
   * the connection is cut, so that nobody takes a part for the whole; the log then names the request.
   *
   * @throws ApiError 503 with Retry-After where too many are written, UnavailableError when ClickHouse fails.
   */
  async open({ kind, name, requestId }: ExportedFile, start: () => Promise<Readable>): Promise<Readable> {
    const started = performance.now();
    const observe = (outcome: ExportOutcome) => this.observe(kind, outcome, (performance.now() - started) / 1000);
    if (this.running >= MAX_EXPORTS) {
      observe('busy');
      throw busy();
    }
    this.running += 1;
    let stream: Readable;
    try {
      stream = await start();
      await readable(stream);
    } catch (error) {
      this.running -= 1;
      observe('failed');
      throw error instanceof ClickHouseError
        ? new UnavailableError('ClickHouse did not write the file', { cause: error })
        : error;
    }
    finished(stream, (error) => {
      this.running -= 1;
      observe(error ? 'broken_off' : 'done');
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        this.log.warn({ requestId }, `The file ${name} broke off: ${error.message}`);
    });
    return stream;
  }
}

/** Resolves once there is something to read, or the end; throws what fails before. */
function readable(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error) => {
      stream.off('readable', onReadable);
      stream.off('error', done);
      stream.off('end', onReadable);
      if (error) reject(error);
      else resolve();
    };
    const onReadable = () => done();
    stream.on('readable', onReadable);
    stream.on('end', onReadable);
    stream.on('error', done);
  });
}

/** The ClickHouse engine of this process: a fresh connection for every statement, in lanes of their own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorOfEngine } from './errors';
import { ConnectionPool } from './session-pool';
import { loadNative, type Connection, type NativeAddon } from './native';
import { createPipes, readThrough, type ChunkSink } from './pipes';
import { quote } from './settings';

const LANE_SLOTS = 8;

export interface Format {
  name: string;
  contentType: string;
}

/** What a statement did; rows and bytes as ClickHouse counts them in memory. */
export interface Outcome {
  resultRows: number;
  resultBytes: number;
  writtenRows: number;
  writtenBytes: number;
}

export class Engine {
  private readonly queries: ConnectionPool<string>;
  private readonly writes = new ConnectionPool<number>(Array.from({ length: LANE_SLOTS }, (_, index) => index));
  private readonly running = new Set<Promise<unknown>>();

  private constructor(
    private readonly native: NativeAddon,
    private readonly path: string,
    /** Keeps the engine loaded between requests. */
    private readonly anchor: Connection,
    /** Folder for request bodies on their way into the engine. */
    readonly spoolFolder: string,
    readonly version: string,
    /** Output formats by their names in lower case. */
    readonly formats: ReadonlyMap<string, Format>,
  ) {
    this.queries = new ConnectionPool(createPipes(spoolFolder, LANE_SLOTS));
  }

  /** Opens the data folder, creating it if needed. Rejects when another process has it open. */
  static async open(folder: string): Promise<Engine> {
    const path = resolve(folder);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const native = loadNative();
    const anchor = connect(native, path);
    const rows = await native.QueryAsyncConnection(
      anchor,
      'SELECT version(), name, content_type FROM system.formats WHERE is_output',
      'TSVRaw',
    );
    const lines = rows.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const formats = new Map(
      lines.map(([, name = '', contentType = '']) => [name.toLowerCase(), { name, contentType }]),
    );
    // Only now is the folder surely ours, and what a killed process left behind can go.
    return new Engine(native, path, anchor, freshSpoolFolder(path), lines[0]?.[0] ?? '', formats);
  }

  /** Runs a statement whose output goes to `sink` as it is produced; `sql` gets the literal of the file to write. */
  async query(
    preamble: string,
    sql: (fileLiteral: string) => string,
    sink: ChunkSink,
    isWanted: () => boolean,
  ): Promise<Outcome | undefined> {
    return this.queries.use(async (pipe) => {
      if (!isWanted()) return undefined;
      // The format named here is not used, but SHOW gives no rows at all if it is Null.
      const run = () =>
        this.withConnection((connection) =>
          this.native.QueryAsyncConnection(connection, preamble + sql(quote(pipe)), 'TabSeparated'),
        );
      const { rowsRead, bytesRead } = await readThrough(pipe, run, sink);
      return { resultRows: rowsRead, resultBytes: bytesRead, writtenRows: 0, writtenBytes: 0 };
    });
  }

  /** Runs DDL or any other statement; its output, if it has any, comes back whole in `format`. */
  async command(preamble: string, sql: string, format: string): Promise<Outcome & { bytes: Buffer }> {
    return this.writes.use(async () => {
      const { bytes, rowsRead, bytesRead } = await this.withConnection((connection) =>
        this.native.QueryAsyncConnection(connection, preamble + sql, format),
      );
      return { bytes, resultRows: rowsRead, resultBytes: bytesRead, writtenRows: 0, writtenBytes: 0 };
    });
  }

  /** Runs an INSERT, from a SELECT or FROM INFILE. */
  async insert(preamble: string, sql: string): Promise<Outcome> {
    return this.writes.use(async () => {
      const statement = Buffer.from(sql);
      const { rowsWritten, bytesWritten } = await this.withConnection((connection) =>
        this.native.InsertRawAsyncConnection(connection, preamble, statement, false),
      );
      return { resultRows: 0, resultBytes: 0, writtenRows: rowsWritten, writtenBytes: bytesWritten };
    });
  }

  /** Waits for what runs, then closes the engine; closing under a running query would abort the process. */
  async close(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
    this.native.CloseConnection(this.anchor);
    rmSync(this.spoolFolder, { recursive: true, force: true });
  }

  /** A connection of its own for each statement: settings, parameters and temporary tables end with it. */
  private async withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = connect(this.native, this.path);
    const promise = work(connection)
      .catch((error: unknown) => {
        throw errorOfEngine(error);
      })
      .finally(() => this.native.CloseConnection(connection));
    this.running.add(promise);
    try {
      return await promise;
    } finally {
      this.running.delete(promise);
    }
  }
}

function connect(native: NativeAddon, path: string): Connection {
  const connection = native.CreateConnection(path);
  if (!connection) throw new Error(`ClickHouse did not open ${path}.`);
  return connection;
}

function freshSpoolFolder(path: string): string {
  // FROM INFILE expands glob characters and offers no escape for them.
  if (/[*?{}[\]]/.test(path)) return mkdtempSync(join(tmpdir(), 'adtrail-clickhouse-'));
  const folder = join(path, 'adtrail-spool');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** The ClickHouse engine of this process: a new connection for every statement, a few at a time for each kind. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAX_BACKTRACKS } from '../../lib/parser-bounds';
import { FILTERED_TABLES, projectFilters } from '../../lib/project-only';
import { writeEngineConfig } from './engine-config';
import { ClickHouseException, errorOfEngine } from './errors';
import { ConnectionPool } from './session-pool';
import { loadNative, type Connection, type NativeAddon } from './native';
import { createPipes, readThrough, type ChunkSink } from './pipes';
import { quote } from './settings';

const SERVICE_SLOTS = 8;
/** Data engineers wait for each other, and never make the service wait. */
const READER_SLOTS = 4;
/** How often it is looked whether somebody still waits for a statement. */
const LOOK_MS = 100;
/** UNKNOWN_TABLE and UNKNOWN_DATABASE. */
const NOT_MADE_YET = [60, 81];

export type Caller = 'service' | 'reader';

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
  private readonly queries: Readonly<Record<Caller, ConnectionPool<string>>>;
  private readonly writes = new ConnectionPool<number>(Array.from({ length: SERVICE_SLOTS }, (_, index) => index));
  /** Short questions of our own about requests of data engineers, and of those who may not be any. */
  private readonly questions = new ConnectionPool<number>(Array.from({ length: READER_SLOTS }, (_, index) => index));
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
    /** Names of all table functions, in lower case. */
    readonly tableFunctions: ReadonlySet<string>,
  ) {
    const pipes = createPipes(spoolFolder, SERVICE_SLOTS + READER_SLOTS);
    this.queries = {
      service: new ConnectionPool(pipes.slice(0, SERVICE_SLOTS)),
      reader: new ConnectionPool(pipes.slice(SERVICE_SLOTS)),
    };
  }

  /** Opens the data folder, creating it if needed. Rejects when another process has it open. */
  static async open(folder: string): Promise<Engine> {
    const path = resolve(folder);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const native = loadNative();
    const anchor = connect(native, path, writeEngineConfig(path));
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
    const names = await native.QueryAsyncConnection(anchor, 'SELECT lower(name) FROM system.table_functions', 'TSVRaw');
    const tableFunctions = new Set(names.bytes.toString().trimEnd().split('\n'));
    // Only now is the folder certainly ours, and what a killed process left behind can go.
    return new Engine(native, path, anchor, freshSpoolFolder(path), lines[0]?.[0] ?? '', formats, tableFunctions);
  }

  /**
   * Runs a statement whose output goes to `sink` as it is produced; `sql` gets the literal of the file to write. One
   * with a `tag` is ended once nobody wants it; the tag is the setting log_comment of the preamble, and needs no
   * escapes.
   */
  async query(
    preamble: string,
    sql: (fileLiteral: string) => string,
    sink: ChunkSink,
    isWanted: () => boolean,
    { caller = 'service', tag }: { readonly caller?: Caller; readonly tag?: string | undefined } = {},
  ): Promise<Outcome | undefined> {
    return this.queries[caller].use(async (pipe) => {
      if (!isWanted()) return undefined;
      // The format named here is not used, but SHOW gives no rows at all if it is Null.
      const run = async () => {
        const watch = tag === undefined ? undefined : this.endUnwanted(tag, isWanted);
        try {
          return await this.withConnection((connection) =>
            this.native.QueryAsyncConnection(connection, preamble + sql(quote(pipe)), 'TabSeparated'),
          );
        } finally {
          clearInterval(watch);
        }
      };
      const { rowsRead, bytesRead } = await readThrough(pipe, run, sink);
      return { resultRows: rowsRead, resultBytes: bytesRead, writtenRows: 0, writtenBytes: 0 };
    });
  }

  /** The user of that name that sees one project, as `/admin/v1` made it; the name needs no escapes. */
  async findProjectReader(name: string): Promise<{ projectId: number; sha256: string } | undefined> {
    const sql =
      'SELECT project_id, sha256 FROM adtrail.project_readers FINAL ' +
      `WHERE user = ${quote(name)} AND is_deleted = 0`;
    const row = await this.text(sql, 'TSVRaw').catch((error: unknown) => {
      // Before the first migration there are none.
      if (error instanceof ClickHouseException && NOT_MADE_YET.includes(error.code)) return '';
      throw error;
    });
    const [projectId, sha256] = row.trimEnd().split('\t');
    return projectId && sha256 ? { projectId: Number(projectId), sha256 } : undefined;
  }

  /** The value of `additional_table_filters` that leaves the rows of one project. */
  async projectFilters(projectId: number): Promise<string> {
    const rows = (await this.text(FILTERED_TABLES, 'TSVRaw')).split('\n').filter(Boolean);
    const tables = rows.map((row) => row.split('\t')).map(([name = '', has]) => [name, has === '1'] as const);
    return projectFilters(tables, projectId);
  }

  /** Looks now and then whether a statement is still wanted, and ends it if not; asks again while it runs on. */
  private endUnwanted(tag: string, isWanted: () => boolean): NodeJS.Timeout {
    let isEnding = false;
    const look = async () => {
      if (isWanted() || isEnding) return;
      isEnding = true;
      await this.text(`KILL QUERY WHERE Settings['log_comment'] = ${quote(tag)} ASYNC`, 'Null')
        .catch((error: unknown) => console.error('Embedded ClickHouse: a statement could not be ended:', error))
        .finally(() => (isEnding = false));
    };
    return setInterval(() => void look(), LOOK_MS);
  }

  private text(sql: string, format: string): Promise<string> {
    return this.questions.use(async () => {
      const { bytes } = await this.withConnection((connection) =>
        this.native.QueryAsyncConnection(connection, `SET max_execution_time=10; ${sql}`, format),
      );
      return bytes.toString();
    });
  }

  /**
   * The statement as the engine's own parser writes it: one statement, without comments, names and texts in their
   * plainest form. Throws a syntax error for several statements, and for text that does not stay the same when it is
   * parsed again: what is checked must be what runs.
   */
  async parsed(sql: string): Promise<string> {
    const literal = quote(sql);
    const statement =
      `SET max_query_size=${2 * Buffer.byteLength(literal) + 1_000_000}, implicit_select=0, ` +
      `max_parser_backtracks=${MAX_BACKTRACKS}; ` +
      `WITH formatQuery(${literal}) AS once, formatQuery(once) AS twice ` +
      "SELECT if(formatQuery(twice) = twice, twice, '')";
    const text = await this.text(statement, 'RawBLOB').catch((error: unknown) => {
      throw error instanceof ClickHouseException
        ? new ClickHouseException(
            error.code,
            error.type,
            (error.message.split(/:? In scope (?:WITH|SELECT)/, 1)[0] as string).trimEnd(),
          )
        : error;
    });
    if (text !== '') return text;
    throw new ClickHouseException(62, 'SYNTAX_ERROR', 'The statement cannot be told from others; write it another way');
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

  /** A separate connection for each statement: settings, parameters and temporary tables end with it. */
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

/** Arguments count only for the first connection, which starts the engine. */
function connect(native: NativeAddon, path: string, args: readonly string[] = []): Connection {
  const connection = native.CreateConnection(path, args);
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

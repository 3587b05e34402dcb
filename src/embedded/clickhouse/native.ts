/** The native addon of chDB, resolved the way the `chdb` package does it, with types for what we call. */
import { createRequire } from 'node:module';

export type Connection = object;

export interface QueryOutcome {
  bytes: Buffer;
  elapsed: number;
  /** Rows and bytes of the result, not of the storage read. */
  rowsRead: number;
  bytesRead: number;
}

export interface InsertOutcome {
  elapsed: number;
  rowsWritten: number;
  bytesWritten: number;
}

export interface NativeAddon {
  /** `args` are those of clickhouse-local. */
  CreateConnection(path: string, args: readonly string[]): Connection | null;
  CloseConnection(connection: Connection): void;
  QueryAsyncConnection(connection: Connection, sql: string, format: string): Promise<QueryOutcome>;
  InsertRawAsyncConnection(
    connection: Connection,
    prefix: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<InsertOutcome>;
}

const PACKAGES: Record<string, string> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

/**
 * Loads the addon for this platform. The Session class of `chdb` is left out on purpose: its close() waits
 * for every running query of the process, so one slow report would keep thousands of connections open.
 */
export function loadNative(): NativeAddon {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined)
    throw new Error(`The embedded ClickHouse does not run on ${platform}; set CLICKHOUSE_URL to a server.`);
  // The platform package is a dependency of chdb, which a strict node_modules layout hides from us.
  const requireFromChdb = createRequire(require.resolve('chdb'));
  return requireFromChdb(name) as NativeAddon;
}

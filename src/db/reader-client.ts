/** Asks ClickHouse as one of its readers, for people who write their own statements. */
import type { Readable } from 'node:stream';
import { ClickHouseError, createClient, type ClickHouseSettings } from '@clickhouse/client';
import { UnavailableError } from '../errors';

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** What a statement may cost, and how its values are written: a reader may set nothing else. */
export type ReaderLimits = Pick<ClickHouseSettings, 'max_execution_time' | 'max_result_rows' | 'max_result_bytes'>;

export interface ReaderAnswer {
  /** The format of the rows, as the statement or else its caller wanted it. */
  readonly format: string;
  readonly rows: Readable;
}

export interface ReaderClient {
  /**
   * Runs a statement as it is; its rows have `format` unless it names another. Past the limit of rows or bytes the
   * result ends. Once `gone` is aborted the statement is ended in ClickHouse too.
   *
   * @throws ClickHouseError for what ClickHouse says of the statement or the login, UnavailableError if it is away.
   */
  ask(statement: string, login: Login, format: string, limits: ReaderLimits, gone?: AbortSignal): Promise<ReaderAnswer>;
  close(): Promise<void>;
}

/** A request waits longer than a statement may take: others may be before it. */
const PATIENCE_MS = 40_000;
const CONNECTIONS = 8;

/** The client logs in by the request, whatever the URL names. */
export function connectAsReader(url: string): ReaderClient {
  const client = createClient({
    url,
    application: 'adtrail',
    max_open_connections: CONNECTIONS,
    request_timeout: PATIENCE_MS,
    compression: { request: false, response: false },
    log: { level: 127 },
  });
  return {
    async ask(statement, login, format, limits, gone) {
      const answer = await client
        .exec({
          query: statement,
          auth: login,
          http_headers: { 'X-ClickHouse-Format': format },
          ...(gone && { abort_signal: gone }),
          clickhouse_settings: {
            ...limits,
            // Giving up the request is what ends a statement: nobody needs the right to end those of others.
            cancel_http_readonly_queries_on_client_close: 1,
            result_overflow_mode: 'break',
            wait_end_of_query: 1,
            date_time_output_format: 'iso',
            output_format_json_quote_64bit_integers: 1,
            output_format_json_quote_decimals: 1,
          },
        })
        .catch((error: unknown) => {
          throw error instanceof ClickHouseError
            ? error
            : new UnavailableError('ClickHouse is not available', { cause: error });
        });
      const { stream, response_headers } = answer;
      return {
        format: String(response_headers['x-clickhouse-format'] ?? ''),
        rows: stream,
      };
    },
    close: () => client.close(),
  };
}

/** The port to ClickHouse, over HTTP through @clickhouse/client, whether embedded or a separate server. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  ClickHouseError,
  createClient,
  type ClickHouseSettings,
  type ClickHouseClientConfigOptions,
} from '@clickhouse/client';
import { UnavailableError } from '../errors';
import type { Row } from './postgres';

/** What a statement may cost; one that would cost more fails, in ClickHouse too. */
export type Limits = Pick<
  ClickHouseSettings,
  | 'max_threads'
  | 'max_memory_usage'
  | 'max_execution_time'
  | 'output_format_json_quote_decimals'
  | 'output_format_json_quote_64bit_integers'
  | 'output_format_parquet_compression_method'
  | 'output_format_parquet_row_group_size'
> & {
  // Settings that @clickhouse/client does not name.
  readonly output_format_parquet_write_bloom_filter?: 0 | 1;
  readonly output_format_parquet_write_page_index?: 0 | 1;
};

/**
 * What a statement may cost, a tag by which system.processes can find it while it runs, and how a change of stored
 * records is made.
 */
export type CommandOptions = Limits &
  Pick<ClickHouseSettings, 'log_comment' | 'mutations_sync' | 'allow_nondeterministic_mutations'>;

export interface ClickHouse {
  /**
   * All rows of a query; `params` bind `{name:Type}`, `limits` bound what it may cost. For results that fit in
   * memory.
   */
  rows<T extends Row = Row>(sql: string, params?: Readonly<Record<string, unknown>>, limits?: Limits): Promise<T[]>;
  /** The rows of a query one chunk at a time, in RowBinary, for results that do not fit in memory. */
  binary(sql: string, params?: Readonly<Record<string, unknown>>): Promise<Readable>;
  /** The rows of a query as a file in a format of ClickHouse, as slowly as it is read. */
  file(
    sql: string,
    params: Readonly<Record<string, unknown>>,
    format: 'Parquet' | 'JSONEachRow' | 'LineAsString' | 'Native',
    limits: Limits,
  ): Promise<Readable>;
  /** Inserts a file in the format Native, as it is: no row is joined with another one. */
  insertFile(table: string, columns: readonly string[], data: Readable): Promise<void>;
  /**
   * The rows of a query, each as an array, for results that do not fit in memory: they are read as they are taken.
   * Throws where ClickHouse breaks off, after rows too.
   */
  tuples(sql: string, params: Readonly<Record<string, unknown>>, limits: Limits): Promise<AsyncIterable<unknown[]>>;
  /**
   * Inserts rows of JSONCompactEachRow, already encoded, as one block: lines, or the bytes of lines that each end in a
   * newline. Resolves once ClickHouse has stored them, throws after `timeoutMs`.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly string[] | Buffer,
    timeoutMs?: number,
  ): Promise<void>;
  /** Runs a statement without a result. */
  command(sql: string, params?: Readonly<Record<string, unknown>>, options?: CommandOptions): Promise<void>;
  /** The same for those who only read: once `signal` is aborted, statements under way end, in ClickHouse too. */
  until(signal: AbortSignal): ClickHouseReads;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export type ClickHouseReads = Pick<ClickHouse, 'rows' | 'file' | 'tuples'>;

/**
 * Rewrites of expressions that find nothing to mend in the statements of the service, each a walk through all of one:
 * without them ClickHouse plans a report in about 0.8 of the time (docs/benchmarks.md, Dashboard). None of them is
 * about which rows are read.
 */
const WITHOUT_REWRITES = {
  optimize_and_compare_chain: 0,
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  optimize_empty_string_comparisons: 0,
  optimize_extract_common_expressions: 0,
  optimize_injective_functions_inside_uniq: 0,
  optimize_multiif_to_if: 0,
  optimize_normalize_count_variants: 0,
  optimize_or_like_chain: 0,
  optimize_redundant_functions_in_order_by: 0,
  optimize_rewrite_aggregate_function_with_if: 0,
  optimize_rewrite_array_exists_to_has: 0,
  optimize_rewrite_sum_if_to_count_if: 0,
  optimize_syntax_fuse_functions: 0,
  optimize_uniq_to_count: 0,
} as const satisfies ClickHouseSettings;

/**
 * The product's ClickHouse settings, the same on every engine. Inserts are synchronous: an answer means stored.
 * A part of up to 100,000 rows is one block, so that an insert is there as a whole or not at all.
 */
const settings: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  insert_distributed_sync: 1,
  // Sharded tables are asked about each other, and the shards of the one are not those of the other: what is in an IN
  // or to the right of a JOIN is read once, of all shards, and sent to each. That too is read by the node that is
  // asked which is on every node: the others may still lack what it has just stored. What ClickHouse cannot turn into
  // GLOBAL, each shard reads of all shards, which is as right and costs more.
  prefer_global_in_and_join: 1,
  distributed_product_mode: 'allow',
  // What is copied from one sharded table to another goes by the key of the other, and not to the shard it comes from.
  parallel_distributed_insert_select: '0',
  // The first replica of a shard that answers is written to and read from: the others may lack what has just been
  // stored.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  max_insert_block_size: '1048576',
  min_insert_block_size_rows: '1048576',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  date_time_output_format: 'iso',
  // What the service joins is short: a table for each thread costs more than it saves (docs/benchmarks.md, Planning).
  join_algorithm: 'hash',
  ...WITHOUT_REWRITES,
};

// A batch of ours is small: more threads would only cost more.
const insertSettings: ClickHouseSettings = {
  max_threads: 1,
  max_insert_threads: '1',
  input_format_parallel_parsing: 0,
};

/** Giving up the request ends a statement, as long as it may only read: nobody needs the right to end others. */
const endWith = (signal: AbortSignal | undefined, limits: ClickHouseSettings) =>
  signal
    ? {
        abort_signal: signal,
        clickhouse_settings: { ...limits, readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const,
      }
    : { clickhouse_settings: limits };

/** How long nothing may come of an answer, in milliseconds. */
export interface Waits {
  readonly request: number;
  /** A stream of rows, or a statement whose limits give it longer than a request. */
  readonly patient: number;
}
const WAITS: Waits = { request: 30_000, patient: 10 * 60_000 };

export interface ConnectionOptions {
  /** How many statements run at a time, at most; the others wait. */
  readonly connections?: number;
  readonly waits?: Waits;
  /** What a statement may take where its limits do not say, in MB (10^6 bytes). */
  readonly memoryMb?: number;
}

async function* each(batches: AsyncIterable<readonly { json<T>(): T }[]>): AsyncGenerator<unknown[]> {
  for await (const batch of batches) for (const row of batch) yield row.json<unknown[]>();
}

type Client = ReturnType<typeof createClient>;
interface Clients {
  readonly clientFor: (limits: Limits) => Client;
  readonly patientClient: () => Client;
}

/** What reads, as long as its signal has not ended it. */
const createReads =
  ({ clientFor, patientClient }: Clients) =>
  (signal?: AbortSignal): ClickHouseReads => ({
    async rows<T extends Row>(sql: string, params: Readonly<Record<string, unknown>> = {}, limits: Limits = {}) {
      try {
        const result = await clientFor(limits).query({
          query: sql,
          query_params: { ...params },
          format: 'JSONEachRow',
          ...endWith(signal, limits),
        });
        return await result.json<T>();
      } catch (error) {
        // What ClickHouse itself says is about the query; anything else is a server that is away.
        throw error instanceof ClickHouseError
          ? error
          : new UnavailableError('ClickHouse is not available', { cause: error });
      }
    },
    async file(sql, params, format, limits) {
      const result = await patientClient().exec({
        query: `${sql}\nFORMAT ${format}`,
        query_params: { ...params },
        ...endWith(signal, { ...limits, wait_end_of_query: 0 }),
      });
      return result.stream;
    },
    async tuples(sql, params, limits) {
      const result = await patientClient().query({
        query: sql,
        query_params: { ...params },
        format: 'JSONCompactEachRow',
        ...endWith(signal, { ...limits, wait_end_of_query: 0 }),
      });
      return each(result.stream());
    },
  });

/**
 * Opens a client on `url` as its user, `default` where the URL names none. A request may take 30 s; rows whose
 * `max_execution_time` is longer may take ten minutes, as nothing of them comes before their end.
 */
export function connectClickHouse(
  url: string,
  password: string | undefined,
  { connections = 32, waits = WAITS, memoryMb = 4_000 }: ConnectionOptions = {},
): ClickHouse {
  const options: ClickHouseClientConfigOptions = {
    url,
    ...(password === undefined ? {} : { password }),
    application: 'adtrail',
    max_open_connections: connections,
    request_timeout: waits.request,
    // Long lists do not fit in an address.
    use_multipart_params_auto: true,
    compression: { request: false, response: false },
    clickhouse_settings: { ...settings, max_memory_usage: String(memoryMb * 1_000_000) },
    log: { level: 127 /* OFF: failures are reported by whoever asked */ },
  };
  const client = createClient(options);
  let patient: Client | undefined;
  /** Whoever takes rows slowly keeps ClickHouse waiting, and before the first row there may be a lot to sort. */
  const patientClient = () => (patient ??= createClient({ ...options, request_timeout: waits.patient }));
  const clientFor = ({ max_execution_time: seconds = 0 }: Limits) =>
    Number(seconds) * 1_000 > waits.request ? patientClient() : client;
  const reads = createReads({ clientFor, patientClient });
  return {
    ...reads(),
    until: reads,
    async binary(sql, params = {}) {
      const result = await client.exec({
        query: `${sql}\nFORMAT RowBinary`,
        query_params: { ...params },
        clickhouse_settings: { wait_end_of_query: 0 },
      });
      return result.stream;
    },
    async insert(table, columns, rows, timeoutMs = 30_000) {
      const bytes = Buffer.isBuffer(rows) ? rows : Buffer.from(rows.join('\n'));
      const body = Readable.from([bytes], { objectMode: false });
      // client.insert would encode each row again; exec takes the lines as they are.
      const { stream } = await client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
        values: body,
        clickhouse_settings: insertSettings,
        abort_signal: AbortSignal.timeout(Math.max(1, timeoutMs)),
      });
      // The answer is empty; its end says that the insert is through.
      await finished(stream.resume());
    },
    async insertFile(table, columns, data) {
      const { stream } = await patientClient().exec({
        query: `INSERT INTO ${table} (${columns.map((name) => `\`${name}\``).join(', ')}) FORMAT Native`,
        values: data,
        clickhouse_settings: { optimize_on_insert: 0, insert_deduplicate: 0 },
      });
      await finished(stream.resume());
    },
    async command(sql, params = {}, options = {}) {
      await client.command({ query: sql, query_params: { ...params }, clickhouse_settings: options });
    },
    ping: async () => (await client.ping()).success,
    async close() {
      await Promise.all([client.close(), patient?.close()]);
    },
  };
}

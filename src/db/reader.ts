/** The user `reader` of a separate ClickHouse server; the embedded engine has one already. */
import { MAX_BACKTRACKS } from '../lib/parser-bounds';
import { COUNTING_SETTINGS, PROJECT_SETTINGS } from '../lib/project-only';
import { sha256 } from '../lib/secrets';
import { DIALECT_SETTINGS } from '../lib/sql-dialect';
import type { ClickHouse } from './clickhouse';

/** What one query of a reader may cost; the embedded engine's are in src/embedded/clickhouse/reader-settings.ts. */
const LIMITS = { max_execution_time: 60, max_memory_usage: 4_000_000_000, max_result_rows: 10_000_000 };
/** For the service's own user of the SQL page of a project, whose name begins with `console_`. */
const CONSOLE_LIMITS = { max_execution_time: 15, max_memory_usage: 1_000_000_000, max_result_rows: 100_001 };
/** What a reader may set although nothing else: its own limits, how results look, how they are sent. */
const CHANGEABLE = [
  'max_threads',
  'max_result_bytes',
  'max_rows_to_read',
  'max_bytes_to_read',
  'result_overflow_mode',
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'send_progress_in_http_headers',
  'cancel_http_readonly_queries_on_client_close',
  'add_http_cors_header',
  'wait_end_of_query',
  'session_timezone',
  'date_time_output_format',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_decimals',
  'output_format_csv_crlf_end_of_line',
  'format_csv_delimiter',
  ...DIALECT_SETTINGS,
];

const settingsWithin = (limits: Readonly<Record<string, number>>) => [
  'readonly = 1 CONST',
  `max_parser_backtracks = ${MAX_BACKTRACKS} CONST`,
  ...Object.entries(limits).map(([name, most]) => `${name} = ${most} MIN 1 MAX ${most} CHANGEABLE_IN_READONLY`),
  ...CHANGEABLE.map((name) => `${name} CHANGEABLE_IN_READONLY`),
];
/** The setting with its value, or as the server has it, and not to be changed. */
const fixed = (setting: string) => `${setting.replace(/ (?:MIN|CHANGEABLE_IN_READONLY|CONST)\b.*/, '')} CONST`;

/** The settings of a user that sees one project; `filters` is the value of `additional_table_filters`. */
const settingsOfProject = (user: string, filters: string) =>
  [
    ...settingsWithin(user.startsWith('console_') ? CONSOLE_LIMITS : LIMITS),
    ...Object.entries(PROJECT_SETTINGS).map(([name, value]) => `${name} = ${value} CONST`),
    `additional_table_filters = '${filters.replaceAll("'", "\\'")}' CONST`,
  ]
    .map((setting) => (COUNTING_SETTINGS.has(setting.split(' ')[0] ?? '') ? fixed(setting) : setting))
    .join(', ');

const onCluster = (cluster: string | undefined) => (cluster ? ` ON CLUSTER '${cluster}'` : '');

/**
 * The statements that let a user read information_schema, of which it sees what it may read: clients ask it, and a
 * server as it comes shows it only so. The service's user may not be allowed to grant it.
 */
export const schemaGrants = (user: string, cluster: string | undefined) =>
  ['information_schema', 'INFORMATION_SCHEMA'].map(
    (database) => `GRANT${onCluster(cluster)} SELECT ON ${database}.* TO ${user}`,
  );

/** The statements that make and revoke a user that sees one project. Its name needs no quotation marks. */
export const projectReaderStatements = {
  create(user: string, projectId: number, password: string, filters: string, cluster: string | undefined): string[] {
    const on = onCluster(cluster);
    const policy = (name: string) => `CREATE ROW POLICY OR REPLACE ${name}${on} ON analytics.*`;
    return [
      `CREATE USER OR REPLACE ${user}${on} IDENTIFIED WITH sha256_hash BY '${sha256(password)}' ` +
        `DEFAULT DATABASE analytics SETTINGS ${settingsOfProject(user, filters)}`,
      // Policies before the grant: there is no moment in which it sees more.
      `${policy(`${user}_reads`)} AS PERMISSIVE USING 1 TO ${user}`,
      `${policy(`${user}_sees`)} AS RESTRICTIVE USING project_id = ${projectId} TO ${user}`,
      `GRANT${on} SELECT ON analytics.* TO ${user}`,
    ];
  },
  /** Gives a user of an earlier version the settings that a new one would get. */
  renew: (user: string, filters: string, cluster: string | undefined): string[] => [
    `ALTER USER IF EXISTS ${user}${onCluster(cluster)} SETTINGS ${settingsOfProject(user, filters)}`,
  ],
  /** Who may come from no host does not come in. */
  suspend: (user: string, suspended: boolean, cluster: string | undefined): string[] => [
    `ALTER USER IF EXISTS ${user}${onCluster(cluster)} HOST ${suspended ? 'NONE' : 'ANY'}`,
  ],
  revoke(user: string, cluster: string | undefined): string[] {
    const on = onCluster(cluster);
    return [
      `DROP USER IF EXISTS ${user}${on}`,
      ...['reads', 'sees'].map((name) => `DROP ROW POLICY IF EXISTS ${user}_${name}${on} ON analytics.*`),
    ];
  },
};

/** The statements that make the user, in order; each may be run again. `password` undefined: leaves it as it is. */
export function readerStatements(password: string | undefined, cluster: string | undefined): string[] {
  const on = onCluster(cluster);
  const settings = settingsWithin(LIMITS).join(', ');
  const identified = password === undefined ? '' : ` IDENTIFIED WITH sha256_hash BY '${sha256(password)}'`;
  return [
    ...(password === undefined ? [] : [`CREATE USER IF NOT EXISTS reader${on}${identified}`]),
    `ALTER USER reader${on}${identified} DEFAULT DATABASE analytics SETTINGS ${settings}`,
    `GRANT${on} SELECT ON analytics.* TO reader WITH REPLACE OPTION`,
  ];
}

/**
 * Makes the user, or brings it to what this version gives it. `password` is called only for a user that has none yet,
 * unless it is `configured`. Where the service's user may not do that, the log says so and the service continues.
 */
export async function applyReader(
  db: ClickHouse,
  options: { configured: string | undefined; cluster: string | undefined; generate: () => string },
  warn: (message: string) => void,
): Promise<void> {
  try {
    const [known] = await db.rows<{ users: number }>("SELECT count() AS users FROM system.users WHERE name = 'reader'");
    const password = options.configured ?? (known?.users === 0 ? options.generate() : undefined);
    for (const statement of readerStatements(password, options.cluster)) await db.command(statement);
    for (const statement of schemaGrants('reader', options.cluster))
      await db.command(statement).catch((error: unknown) => {
        warn(`ClickHouse's user reader may not read information_schema: ${withoutHash(error)}`);
      });
  } catch (error) {
    warn(
      "ClickHouse's user reader could not be made (docs/operations.md says what it needs); " +
        `data engineers need a user of your own making: ${withoutHash(error)}`,
    );
  }
}

/** ClickHouse may quote the statement. */
export const withoutHash = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/[0-9a-f]{64}/g, '...');

/**
 * What keeps a ClickHouse user of one project to its rows, on the embedded engine and on a server: conditions of the
 * user are tried on rows of the project only, and neither errors nor counts tell of other rows (SECURITY.md).
 */
import { readErrorName, type ErrorName } from './clickhouse-codes';
import { cutMessage } from './clickhouse-message';

/**
 * Nothing that a plan could be improved by is done: each step stays where it was planned, so that what the user wrote
 * comes after the filters of the project and after the views' joins, which no analysis of an index passes either.
 */
export const PROJECT_SETTINGS = {
  query_plan_enable_optimizations: 0,
  query_plan_filter_push_down: 0,
  query_plan_merge_filters: 0,
  optimize_move_to_prewhere: 0,
  use_skip_indexes: 0,
  // Some formats end with how many rows were read, which counts those of others.
  output_format_write_statistics: 0,
} as const;

/** Counts what is read, rows of others too: users of one project may not set it. */
export const COUNTING_SETTINGS: ReadonlySet<string> = new Set([
  'max_rows_to_read',
  'max_bytes_to_read',
  'max_memory_usage',
  'output_format_write_statistics',
]);

/**
 * The tables and views that a filter is for, and whether each knows projects: one row per table. Views of `analytics`
 * are filtered, and once more the tables below them, before anything is joined. Other views only show those tables.
 */
export const FILTERED_TABLES =
  "SELECT concat(database, '.', table) AS full_name, max(name = 'project_id') AS has_project FROM system.columns " +
  "WHERE database IN ('adtrail', 'analytics') AND (database, table) NOT IN " +
  "(SELECT database, name FROM system.tables WHERE database = 'adtrail' AND engine = 'View') " +
  'GROUP BY database, table ORDER BY ALL';

/** Tables that know no projects, and are the same for all. */
const SHARED: ReadonlySet<string> = new Set(['adtrail.exchange_rates']);

/** The value of `additional_table_filters`. Other tables that know no projects show nothing; names need no escapes. */
export function projectFilters(tables: Iterable<readonly [name: string, hasProject: boolean]>, projectId: number) {
  const filters = [...tables]
    .filter(([name]) => !SHARED.has(name))
    .map(([name, has]) => `'${name}': '${has ? `project_id = ${projectId}` : '0'}'`);
  return `{${filters.join(', ')}}`;
}

/** What may be said of errors that ClickHouse finds in the text of a statement: the name that it does not know. */
const NAMING: Readonly<Partial<Record<ErrorName, RegExp>>> = {
  UNKNOWN_FUNCTION: /^Function with name [`']([^`'\n]{1,200})[`'] does not exist/,
  UNKNOWN_IDENTIFIER: /^(?:Unknown|Missing)[\w ,]{1,80}identifier [`']([^`'\n]{1,200})[`']/,
  UNKNOWN_TABLE: /^Unknown table expression identifier [`']([^`'\n]{1,200})[`']/,
  NOT_AN_AGGREGATE: /^Column [`']?([\w.]{1,200})[`']? is not under aggregate function and not in GROUP BY keys/,
};
const FIXED: Readonly<Partial<Record<ErrorName, string>>> = {
  TOO_MANY_ROWS: 'Limit for rows to read exceeded',
  TIMEOUT_EXCEEDED: 'Timeout exceeded',
  MEMORY_LIMIT_EXCEEDED: 'Memory limit exceeded',
  TOO_MANY_ROWS_OR_BYTES: 'Limit for result exceeded',
};
const POSITION = /^Syntax error[^:\n]{0,100}: failed at position \d{1,9}/;

/**
 * What a user of one project is told about an error: its kind, and what it quotes of the user's own statement. Values,
 * counts and names of inner tables are not in it.
 *
 * @param message as ClickHouse says it, without code and type.
 */
export function messageForProject(
  error: { readonly code: number | string; readonly type: string | undefined; readonly message: string },
  statement: string,
): string {
  const name = readErrorName(error);
  const fixed = name && FIXED[name];
  if (fixed !== undefined) return fixed;
  const message = cutMessage(error.message);
  if (name === 'SYNTAX_ERROR') return POSITION.exec(message)?.[0] ?? 'Syntax error';
  const named = (name && NAMING[name])?.exec(message);
  if (named && statement.includes(named[1] as string)) return named[0];
  return `The statement failed: ${error.type ?? error.code}`;
}

/**
 * The register of personal data: what every column of adtrail is, as the DDL says in its comment
 * (clickhouse/migrations/0013_personal_data.sql explains the three words).
 */
import type { ClickHouse } from './clickhouse';

export const SORTS = ['personal', 'pseudonymous', 'none'] as const;
export type Sort = (typeof SORTS)[number];

export interface RegisteredColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Stored: not computed from other columns. */
  readonly stored: boolean;
  /** Part of the sorting key, so that it cannot be changed in place. */
  readonly inKey: boolean;
  /** The expression of a computed column. */
  readonly expression: string;
  readonly sort: Sort;
}
export type Register = ReadonlyMap<string, readonly RegisteredColumn[]>;

const COLUMNS = `
  SELECT table, name, type, comment, default_kind NOT IN ('ALIAS', 'EPHEMERAL') AS stored,
    is_in_sorting_key AS in_key, if(default_kind = 'ALIAS', default_expression, '') AS expression
  FROM system.columns
  WHERE database = 'adtrail' AND table IN (
    SELECT name FROM system.tables WHERE database = 'adtrail' AND engine LIKE '%MergeTree')
  ORDER BY table, position`;

/** What a comment says of its column; undefined where it says nothing. */
export function readSort(comment: string): Sort | undefined {
  const word = /\[(\w+)\]$/.exec(comment)?.[1];
  return SORTS.find((sort) => sort === word);
}

/**
 * The columns of every table with its own rows, by table; of a sharded one under the name of its local table.
 *
 * @throws Error that names every column without an entry: such a column would escape erasure.
 */
export async function readRegister(db: ClickHouse): Promise<Register> {
  const rows = await db.rows<{
    table: string;
    name: string;
    type: string;
    comment: string;
    stored: number;
    in_key: number;
    expression: string;
  }>(COLUMNS);
  const register = new Map<string, RegisteredColumn[]>();
  const missing: string[] = [];
  for (const { table, name, type, comment, stored, in_key, expression } of rows) {
    const sort = readSort(comment);
    if (!sort) missing.push(`${table}.${name}`);
    const column = {
      table,
      name,
      type,
      stored: Number(stored) === 1,
      inKey: Number(in_key) === 1,
      expression,
      sort: sort ?? 'personal',
    };
    register.set(table, [...(register.get(table) ?? []), column]);
  }
  if (missing.length > 0)
    throw new Error(
      `The comment of a column must end with [personal], [pseudonymous] or [none]: ${missing.join(', ')} has none.`,
    );
  return register;
}

/** The columns that hold values of their own and name or describe a person. */
export const personalColumns = (columns: readonly RegisteredColumn[]) =>
  columns.filter(({ sort, stored }) => sort === 'personal' && stored);

/** `column`, quoted where its name needs it. */
export const quoted = (name: string) => (/^\w+$/.test(name) ? name : `\`${name}\``);

/**
 * What takes the place of a personal value. Of the parameters of a link those stay that computed columns show as not
 * personal: they say which ad was clicked, and reports count by them.
 */
export function blankValue(column: RegisteredColumn, table: readonly RegisteredColumn[]): string {
  const { name, type } = column;
  if (type.startsWith('Map(')) {
    const kept = table
      .filter(({ sort, expression }) => sort === 'none' && expression.startsWith(`${name}[`))
      .map(({ expression }) => /\['(\w+)'\]/.exec(expression)?.[1] ?? '');
    return `mapFilter((key, value) -> key IN (${kept.map((key) => `'${key}'`).join(', ')}), ${quoted(name)})`;
  }
  return type.startsWith('Nullable(') ? 'NULL' : `defaultValueOfTypeName('${type.replaceAll("'", "\\'")}')`;
}

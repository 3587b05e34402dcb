/** What the build refuses: tables and columns of which nobody has said what the service does with them. */
import type { DdlColumn } from './ddl';
import { NOTHING } from './table';
import { listTables, readTable } from './tables';

/** A column, of the DDL or of a running ClickHouse. */
type Column = Pick<DdlColumn, 'table' | 'name' | 'stored' | 'sort'>;

/** Sentences that each name what is missing, and where to say it; empty where nothing is. */
export function findGaps(columns: readonly Column[]): string[] {
  const found = new Set(columns.map(({ table }) => table.replace(/_local$/, '')));
  return [
    ...[...found].filter((table) => !readTable(table)).map((table) => `Declare adtrail.${table} in src/tables.`),
    ...listTables()
      .filter(([name]) => !found.has(name))
      .map(([name]) => `No migration makes adtrail.${name}, which src/tables declares.`),
    ...columns.flatMap(findColumnGap),
    ...findStrayNames(columns),
  ];
}

/**
 * The columns, as `table.column`, that name or describe a person and that erasure would leave alone: those of a table
 * that a later version has made, too.
 */
export const findEscaping = (columns: readonly Column[]): string[] =>
  columns.filter(isEscaping).map(({ table, name }) => `${table.replace(/_local$/, '')}.${name}`);

function isEscaping({ table, name, stored, sort }: Column): boolean {
  if (!stored || sort === 'none' || sort === undefined) return false;
  const erasure = readTable(table)?.erasure ?? NOTHING;
  if (erasure.does === 'nothing') return true;
  if (erasure.does === 'remove' || erasure.does === 'drop-request' || erasure.keeps?.includes(name)) return false;
  return sort === 'pseudonymous' && !(erasure.does === 'move' && Object.hasOwn(erasure.copy, name));
}

function findColumnGap(column: Column): string[] {
  const { table, name, stored, sort } = column;
  if (!sort)
    return [`Say in the comment of ${table}.${name} what it is: [personal], [pseudonymous] or [none], at its end.`];
  const declared = readTable(table);
  if (!declared) return [];
  const isForGood = !declared.expiry && declared.holds !== 'working' && declared.erasure.does !== 'drop-request';
  return [
    ...(isEscaping(column) ? [`Say in src/tables what erasing a person does to ${table}.${name}.`] : []),
    ...(stored && sort === 'personal' && isForGood ? [`Say in src/tables when ${table}.${name} expires.`] : []),
  ];
}

/** Names of columns in declarations that are none. */
function findStrayNames(columns: readonly Column[]): string[] {
  const known = new Set(columns.map(({ table, name }) => `${table.replace(/_local$/, '')}.${name}`));
  return listTables().flatMap(([table, { erasure }]) => {
    const named = [
      ...('keeps' in erasure ? (erasure.keeps ?? []) : []),
      ...('replaces' in erasure ? Object.keys(erasure.replaces ?? {}) : []),
      ...(erasure.does === 'move' ? [...Object.keys(erasure.copy), ...Object.keys(erasure.tombstone ?? {})] : []),
    ];
    return named
      .filter((name) => !known.has(`${table}.${name}`))
      .map((name) => `adtrail.${table} has no column ${name}, which src/tables names.`);
  });
}

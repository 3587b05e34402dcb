/** What the build refuses: tables and columns of which nobody has said what the service does with them. */
import type { Sort } from '../db/personal-data';
import type { DdlColumn } from './ddl';
import type { Erasure } from './table';
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

function findColumnGap({ table, name, stored, sort }: Column): string[] {
  if (!sort)
    return [`Say in the comment of ${table}.${name} what it is: [personal], [pseudonymous] or [none], at its end.`];
  const declared = readTable(table);
  if (!declared || !stored || sort === 'none') return [];
  const { erasure, expiry, holds } = declared;
  const gaps = [];
  if (!isErased(erasure, name, sort)) gaps.push(`Say in src/tables what erasing a person does to ${table}.${name}.`);
  if (sort === 'personal' && !expiry && holds !== 'working' && erasure.does !== 'drop-request')
    gaps.push(`Say in src/tables when ${table}.${name} expires.`);
  return gaps;
}

/** Whether a value of a person does not outlive an erasure. */
function isErased(erasure: Erasure, name: string, sort: Sort): boolean {
  if (erasure.does === 'nothing') return false;
  if (erasure.does === 'remove' || erasure.does === 'drop-request' || erasure.keeps?.includes(name)) return true;
  return sort === 'personal' || (erasure.does === 'move' && Object.hasOwn(erasure.copy, name));
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

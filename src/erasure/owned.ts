/** The tables that hold rows of persons, as src/tables declares them: a new one belongs to them by its declaration. */
import type { ConditionParts, Erasure, Table } from '../tables/table';
import { listTables, type TableName } from '../tables/tables';

/** A table whose rows are of a person, with what becomes of them. */
export interface Owned {
  readonly table: TableName;
  readonly holds: Table['holds'];
  readonly erasure: Extract<Erasure, { readonly kinds: unknown }>;
}

/** All of them, in the order of their declarations. */
export const listPersonTables = (): Owned[] =>
  listTables().flatMap(([table, { holds, erasure }]) => ('kinds' in erasure ? [{ table, holds, erasure }] : []));

/** The tables of records of persons, as they were received: what is counted of a person. */
export const listPersonRecords = () => listPersonTables().filter(({ holds }) => holds === 'records');

/** Which rows of a table are of a person of a project. */
export const isOwned = ({ erasure }: Owned, parts: ConditionParts) =>
  `project_id = ${parts.project}\n    AND ${erasure.where(parts)}`;

/**
 * How much there is of a person: installs, visitors of websites, and the records in each table of records. What a
 * record says stays out of it.
 */
export type Found = Readonly<Record<string, number>>;

/** The number of rows of a table that a condition is true of, each once. */
export const countText = (table: TableName, condition: string) =>
  `SELECT count() AS held\nFROM adtrail.${table} FINAL\nWHERE ${condition}`;

/** What is counted, with what it is in words, for the reference. */
export const COUNTED: Readonly<Record<string, string>> = {
  installs: 'Installs that an event connects with the identifier.',
  visitors: 'Visitors of websites that an event connects with the user.',
  ...Object.fromEntries(listPersonRecords().map(({ table }) => [table, `Records in ${table}, each once.`])),
};

/** Counts to begin with. */
export const beginCounts = (): Record<string, number> =>
  Object.fromEntries(Object.keys(COUNTED).map((name) => [name, 0]));

/** The queries behind SQL pages, one function per file. */
import type { ClickHouse } from '../db/clickhouse';
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

const texts = {
  columns: readQuery('clickhouse', 'sql-console.columns'),
  functions: readQuery('clickhouse', 'sql-console.functions'),
  list: readQuery('sql', 'sql-console.list'),
  create: readQuery('sql', 'sql-console.create'),
  change: readQuery('sql', 'sql-console.change'),
  delete: readQuery('sql', 'sql-console.delete'),
};

export interface ColumnRow extends Record<string, unknown> {
  table: string;
  table_comment: string;
  name: string;
  type: string;
  comment: string;
}
export interface FunctionRow extends Record<string, unknown> {
  name: string;
  is_aggregate: boolean;
}
export interface SavedRow extends Record<string, unknown> {
  id: number;
  name: string;
  query: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

export const readColumns = (db: ClickHouse) => db.rows<ColumnRow>(texts.columns);
export const readFunctions = (db: ClickHouse) => db.rows<FunctionRow>(texts.functions);
export const listSaved = (db: Queryable, projectId: number) => db.rows<SavedRow>(texts.list, [projectId]);
/** Undefined where the project has as many as it may. */
export const createSaved = async (
  db: Queryable,
  projectId: number,
  { name, query }: { readonly name: string; readonly query: string },
  createdBy: string,
  max: number,
) => (await db.rows<SavedRow>(texts.create, [projectId, name, query, createdBy, max]))[0];
/** Undefined where there is none. */
export const changeSaved = async (
  db: Queryable,
  projectId: number,
  id: number,
  { name, query }: { readonly name: string; readonly query: string },
) => (await db.rows<SavedRow>(texts.change, [projectId, id, name, query]))[0];
export const deleteSaved = async (db: Queryable, projectId: number, id: number) =>
  (await db.rows(texts.delete, [projectId, id])).length > 0;

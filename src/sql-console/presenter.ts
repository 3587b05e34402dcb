/** Columns, results, errors and saved statements as answers (docs/contract/sql.md). */
import type { ClickHouseError } from '@clickhouse/client';
import { cutMessage } from '../lib/clickhouse-message';
import { REFUSED_FUNCTIONS } from '../lib/reader-functions';
import { readSort } from '../db/personal-data';
import type { Column } from '../files/formats';
import type { ColumnRow, FunctionRow, SavedRow } from './queries';
import type { Result } from './result';

const MAX_MESSAGE = 2_000;

/** What ClickHouse says, without what is of no use to its reader: users, versions, stacks, hosts. */
export function presentMessage({ message }: Pick<ClickHouseError, 'message'>): string {
  const text = (cutMessage(message).split('Stack trace:', 1)[0] as string)
    .replace(/ ?\(version [^()]*(?:\([^()]*\))?\)/g, '')
    .replace(/^Code: \d+\. ?/, '')
    .replace(/DB::(?:Exception: )?/g, '')
    .replace(/\b(?:Received from|There was an error on) [^\s]+:\d+\.?\s*/g, '')
    .replace(/\b(?:reader|console)_\d+_[0-9a-f]{8}\b/g, 'reader')
    .trim();
  return text.slice(0, MAX_MESSAGE) || 'The statement failed.';
}

/** One table after the other, with its columns in their order; functions that a reader may call. */
export function presentSchema(rows: readonly ColumnRow[], functions: readonly FunctionRow[]) {
  const tables = new Map<string, { name: string; comment: string; columns: ReturnType<typeof presentColumn>[] }>();
  for (const row of rows) {
    const table = tables.get(row.table) ?? { name: row.table, comment: row.table_comment, columns: [] };
    table.columns.push(presentColumn(row));
    tables.set(row.table, table);
  }
  return { database: 'analytics', tables: [...tables.values()], functions: functions.filter(isForReaders) };
}

const isForReaders = ({ name }: FunctionRow) => !REFUSED_FUNCTIONS.test(name.toLowerCase());

const presentColumn = ({ name, type, comment }: ColumnRow) => ({
  name,
  type,
  comment: comment.replace(/ ?\[(?:personal|pseudonymous|none)\]$/, ''),
  personal_data: readSort(comment) ?? null,
});

export const columnsOfFile = ({ columns }: Pick<Result, 'columns'>): Column[] =>
  columns.map(({ name, type }) => ({
    name,
    type: /^(?:Nullable\()?(?:U?Int|Float|Decimal)/.test(type) ? 'number' : 'text',
  }));

export const presentSaved = ({ id, name, query, created_by, created_at, updated_at }: SavedRow) => ({
  id,
  name,
  query,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

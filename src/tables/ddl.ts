/** The columns of every table, as the files of clickhouse/migrations make them. */
import { readSort, type Sort } from '../db/personal-data';
import { readMigrations, splitStatements } from '../db/sql';

const TABLE = /^CREATE TABLE IF NOT EXISTS adtrail\.(\w+) \(\n(.*?)^\)/ms;
/** Its columns hold nothing of their own. */
const VIEW = /^CREATE MATERIALIZED VIEW IF NOT EXISTS adtrail\.(\w+)/m;
const ALTER = /^ALTER TABLE adtrail\.(\w+)/m;
const DROPPED_TABLE = /^DROP TABLE IF EXISTS adtrail\.(\w+)/m;
const COLUMN = /^ {2}(?!INDEX|PROJECTION|CONSTRAINT)(\w+|`[^`]+`) [A-Z]/;
const ADDED = /ADD COLUMN (?:IF NOT EXISTS )?(\w+|`[^`]+`)/;
const COMMENTED = /(?:COMMENT COLUMN|MODIFY COLUMN) (?:IF EXISTS )?(\w+|`[^`]+`)/;
const DROPPED = /DROP COLUMN (?:IF EXISTS )?(\w+|`[^`]+`)/;
const COMMENT = /'((?:[^'\\]|\\.)*)'/g;

export interface DdlColumn {
  readonly table: string;
  readonly name: string;
  /** Holds values of its own: is not computed from other columns. */
  readonly stored: boolean;
  /** What its last comment says it is; undefined where it ends in none of the words of the register. */
  readonly sort: Sort | undefined;
}

/** @param migrations their text, in their order. */
export function readDdlColumns(
  migrations = readMigrations('clickhouse')
    .map(({ text }) => text)
    .join('\n'),
): DdlColumn[] {
  const columns = new Map<string, DdlColumn>();
  const views = new Set<string>();
  for (const statement of splitStatements(migrations.replace(/^\s*--.*$/gm, ''))) {
    const dropped = DROPPED_TABLE.exec(statement)?.[1];
    if (dropped) for (const [key, { table }] of columns) if (table === dropped) columns.delete(key);
    const view = VIEW.exec(statement)?.[1];
    if (view) views.add(view);
    const created = TABLE.exec(statement);
    const table = created?.[1] ?? ALTER.exec(statement)?.[1];
    if (!table || views.has(table)) continue;
    for (const piece of (created?.[2] ?? statement).split(/\n(?= {2}[^\s)])/)) {
      const gone = DROPPED.exec(piece)?.[1];
      if (gone) columns.delete(keyIn(table, gone));
      const name = (created ? COLUMN.exec(piece) : (ADDED.exec(piece) ?? COMMENTED.exec(piece)))?.[1];
      const isNew = created !== null || ADDED.test(piece);
      if (!name || (!isNew && !piece.includes('COMMENT'))) continue;
      // Other texts of a definition are values; what ends in a word of the register is the comment.
      const sorts = [...piece.matchAll(COMMENT)].flatMap(([, text]) => readSort(text ?? '') ?? []);
      const stored = isNew
        ? !/\b(?:ALIAS|EPHEMERAL)\b/.test(piece.replace(COMMENT, ''))
        : (columns.get(keyIn(table, name))?.stored ?? true);
      columns.set(keyIn(table, name), { table, name: name.replaceAll('`', ''), stored, sort: sorts.at(-1) });
    }
  }
  return [...columns.values()];
}

const keyIn = (table: string, name: string) => `${table}.${name.replaceAll('`', '')}`;

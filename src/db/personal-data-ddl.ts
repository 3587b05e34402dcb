/** The register of personal data as the files of clickhouse/migrations say it: the build fails for a gap in it. */
import { readSort } from './personal-data';
import { readMigrations, splitStatements } from './sql';

const TABLE = /^CREATE TABLE IF NOT EXISTS adtrail\.(\w+) \(\n(.*?)^\)/ms;
const ALTER = /^ALTER TABLE adtrail\.(\w+)/m;
const COLUMN = /^ {2}(?!INDEX|PROJECTION|CONSTRAINT)(\w+|`[^`]+`) [A-Z]/;
const ADDED = /ADD COLUMN (?:IF NOT EXISTS )?(\w+|`[^`]+`)/;
const COMMENTED = /(?:COMMENT COLUMN|MODIFY COLUMN) (?:IF EXISTS )?(\w+|`[^`]+`)/;
const COMMENT = /'((?:[^'\\]|\\.)*)'/g;

/** The columns, as `table.column`, whose last comment ends in none of the words of the register. */
export function untaggedColumns(
  migrations = readMigrations('clickhouse')
    .map(({ text }) => text)
    .join('\n'),
): string[] {
  const tagged = new Map<string, boolean>();
  for (const statement of splitStatements(migrations.replace(/^\s*--.*$/gm, ''))) {
    const created = TABLE.exec(statement);
    const table = created?.[1] ?? ALTER.exec(statement)?.[1];
    if (!table) continue;
    const pieces = (created?.[2] ?? statement).split(/\n(?= {2}[^\s)])/);
    for (const piece of pieces) {
      const name = (created ? COLUMN.exec(piece) : (ADDED.exec(piece) ?? COMMENTED.exec(piece)))?.[1];
      const isNew = created !== null || ADDED.test(piece);
      if (!name || (!isNew && !piece.includes('COMMENT'))) continue;
      // Other texts of a definition are values; what ends in a word of the register is the comment.
      const tags = [...piece.matchAll(COMMENT)].some(([, text]) => readSort(text ?? '') !== undefined);
      tagged.set(`${table}.${name.replaceAll('`', '')}`, tags);
    }
  }
  return [...tagged].filter(([, hasTag]) => !hasTag).map(([name]) => name);
}

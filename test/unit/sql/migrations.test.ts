/**
 * Migrations add first: processes of the version before go on until they are replaced, so nothing that they use goes
 * away or gets stricter under them (docs/operations.md, Upgrades).
 */
import { readMigrations, splitStatements } from '../../../src/db/sql';

/** What a version that is still running could not go on with. */
const TAKES_AWAY: readonly (readonly [string, RegExp])[] = [
  ['drops a table, a view or a database', /^DROP (?!INDEX\b)/i],
  ['drops a column', /\bDROP COLUMN\b/i],
  ['renames', /\bRENAME\b/i],
  ['empties a table', /^(TRUNCATE|DELETE)\b/i],
  ['changes the type of a column', /\b(MODIFY COLUMN|ALTER COLUMN \w+ (SET DATA )?TYPE)\b/i],
  ['forbids what was allowed', /\bSET NOT NULL\b|\bADD (CONSTRAINT|CHECK|UNIQUE)\b/i],
  ['needs a value that nobody gives', /\bADD COLUMN (IF NOT EXISTS )?\w+ [^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i],
];

/** What stands in a file that was applied before it was a rule, or takes away what no version before uses. */
const ALLOWED: readonly (readonly [string, string])[] = [
  // The index of touches of 0.2.0: its processes decide no installs until they are replaced.
  ['clickhouse/0014_touch_index.sql', 'drops a table, a view or a database'],
  ['clickhouse/0016_records_by_install.sql', 'drops a table, a view or a database'],
  // Watermarks of derived tables, which are then made again.
  ['sql/0008_settled.sql', 'empties a table'],
  ['sql/0009_installs_by_identifier.sql', 'empties a table'],
  ['sql/0011_activity.sql', 'empties a table'],
  ['sql/0044_install_records.sql', 'empties a table'],
  // Its type stays: only its comment and place change.
  ['clickhouse/0018_activity.sql', 'changes the type of a column'],
  // Its triggers call it by name, and find the one that takes its place.
  ['sql/0029_synced_names.sql', 'renames'],
  ['sql/0091_spend_uploads.sql', 'renames'],
  // Has more values, which the version before reads past.
  ['clickhouse/0044_journey_origins.sql', 'changes the type of a column'],
  // Their type stays: what they are computed by changes.
  ['clickhouse/0040_systems.sql', 'changes the type of a column'],
];

const withoutComments = (text: string) => text.replace(/--.*$/gm, '').trim();
const complaintsAbout = (statement: string) =>
  TAKES_AWAY.filter(([, form]) => form.test(withoutComments(statement))).map(([what]) => what);

test('no migration takes away what the version before uses', () => {
  const found = (['sql', 'clickhouse'] as const).flatMap((engine) =>
    readMigrations(engine).flatMap(({ name, text }) =>
      splitStatements(text).flatMap((statement) =>
        complaintsAbout(statement).map((what) => [`${engine}/${name}`, what]),
      ),
    ),
  );
  const different = [...new Map(found.map((one) => [one.join(), one])).values()];
  expect(different.sort()).toEqual([...ALLOWED].sort());
});

test.each([
  ['DROP TABLE IF EXISTS adtrail.x', 'drops a table, a view or a database'],
  ['ALTER TABLE x DROP COLUMN y', 'drops a column'],
  ['ALTER TABLE x RENAME COLUMN y TO z', 'renames'],
  ['TRUNCATE x', 'empties a table'],
  ['ALTER TABLE x ALTER COLUMN y TYPE bigint', 'changes the type of a column'],
  ['ALTER TABLE adtrail.x MODIFY COLUMN y UInt64', 'changes the type of a column'],
  ['ALTER TABLE x ALTER COLUMN y SET NOT NULL', 'forbids what was allowed'],
  ['ALTER TABLE x ADD CHECK (y > 0)', 'forbids what was allowed'],
  ['ALTER TABLE x ADD COLUMN y text NOT NULL', 'needs a value that nobody gives'],
])('%s', (statement, what) => {
  expect(complaintsAbout(statement)).toEqual([what]);
});

test.each([
  'ALTER TABLE x ADD COLUMN y text NOT NULL DEFAULT 1',
  'ALTER TABLE x ADD COLUMN y text, ADD COLUMN z text NOT NULL DEFAULT 2',
  'DROP INDEX y',
  'CREATE TABLE x (y text NOT NULL)',
])('%s is no harm', (statement) => {
  expect(complaintsAbout(statement)).toEqual([]);
});

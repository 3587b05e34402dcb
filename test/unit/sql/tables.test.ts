/** Tables of ClickHouse are declared once, and nothing of the DDL is left out. */
import { LANE_LOCKS, LOCKS } from '../../../src/db/advisory-lock';
import { readSort } from '../../../src/db/personal-data';
import { findEscaping, findGaps } from '../../../src/tables/check';
import { readDdlColumns } from '../../../src/tables/ddl';
import { FACT_TABLES } from '../../../src/tables/derivations';
import { listLocks, listTables, readTable, TABLES } from '../../../src/tables/tables';

const migrations = readDdlColumns();
const column = (name: string, sort: 'personal' | 'pseudonymous' | 'none' | undefined) => {
  const [table = '', own = ''] = name.split('.');
  return { table, name: own, stored: true, sort };
};

test('every table of the migrations is declared, and every column says what it is', () => {
  expect(migrations.length).toBeGreaterThan(500);
  expect(findGaps(migrations)).toEqual([]);
});

test.each([
  ['a table that nobody declared', column('things.id', 'none'), 'Declare adtrail.things in src/tables.'],
  [
    'a column without a word',
    column('clicks.later', undefined),
    'Say in the comment of clicks.later what it is: [personal], [pseudonymous] or [none], at its end.',
  ],
  [
    'a pseudonymous column of a table that is blanked',
    column('clicks.hash', 'pseudonymous'),
    'Say in src/tables what erasing a person does to clicks.hash.',
  ],
  [
    'a pseudonymous column of a table whose rows move',
    column('app_events.hash', 'pseudonymous'),
    'Say in src/tables what erasing a person does to app_events.hash.',
  ],
  [
    'a personal column of a table that holds nothing of persons',
    column('daily_clicks.ip', 'personal'),
    'Say in src/tables what erasing a person does to daily_clicks.ip.',
  ],
  [
    'a personal column of a table without an expiry',
    column('quarantine.ip', 'personal'),
    'Say in src/tables when quarantine.ip expires.',
  ],
])('refuses %s', (_, added, gap) => expect(findGaps([...migrations, added])).toContain(gap));

test('a column of a person escapes where nobody says what becomes of it, in a table of a later version too', () => {
  expect(findEscaping(migrations)).toEqual([]);
  expect(findEscaping([column('clicks_local.hash', 'pseudonymous')])).toEqual(['clicks.hash']);
  expect(findEscaping([column('later_local.ip', 'personal'), column('later.id', 'none')])).toEqual(['later.ip']);
});

test('refuses a declaration of what no migration makes', () => {
  expect(findGaps(migrations.filter(({ table }) => table !== 'clicks'))).toContain(
    'No migration makes adtrail.clicks, which src/tables declares.',
  );
  expect(findGaps(migrations.filter(({ name }) => name !== 'event_users'))).toContain(
    'adtrail.journeys has no column event_users, which src/tables names.',
  );
});

test('a personal column of a table that is blanked, and one that is computed, need nothing more', () => {
  expect(findGaps([...migrations, column('clicks.phone', 'personal')])).toEqual([]);
  expect(findGaps([...migrations, { ...column('daily_clicks.ip', 'personal'), stored: false }])).toEqual([]);
});

test('columns are read from the DDL, however they come', () => {
  const made = `CREATE TABLE IF NOT EXISTS adtrail.things (
  id UInt32 COMMENT 'A number [none]',
  who String COMMENT 'Somebody, in words' CODEC(ZSTD),
  short String ALIAS left(who, 3) COMMENT 'Its beginning [personal]',
  PROJECTION by_who (SELECT who, id ORDER BY who)
)
ENGINE = MergeTree()
ORDER BY id;
ALTER TABLE adtrail.things
  ADD COLUMN IF NOT EXISTS later String
    COMMENT 'Later';
`;
  const read = (text: string) => readDdlColumns(text).map(({ name, stored, sort }) => [name, stored, sort]);
  expect(read(made)).toEqual([
    ['id', true, 'none'],
    ['who', true, undefined],
    ['short', false, 'personal'],
    ['later', true, undefined],
  ]);
  const tagged = `${made}ALTER TABLE adtrail.things
  COMMENT COLUMN who 'Somebody [personal]',
  COMMENT COLUMN short 'Its beginning, in capitals [personal]',
  COMMENT COLUMN later 'Later [none]';
`;
  expect(read(tagged)).toEqual([
    ['id', true, 'none'],
    ['who', true, 'personal'],
    ['short', false, 'personal'],
    ['later', true, 'none'],
  ]);
  expect(read(`${tagged}ALTER TABLE adtrail.things\n  DROP COLUMN later;\n`)).toHaveLength(3);
  expect(read(`${tagged}DROP TABLE IF EXISTS adtrail.things;\n`)).toEqual([]);
});

test.each([
  ['Address [personal]', 'personal'],
  ['Hash of it [pseudonymous]', 'pseudonymous'],
  ['A number [none]', 'none'],
  ['[none] of these', undefined],
  ['Something [secret]', undefined],
])('the comment %s', (comment, sort) => expect(readSort(comment)).toBe(sort));

test('what is derived from is stored with its time, and is there', () => {
  for (const table of FACT_TABLES) {
    expect(Object.keys(TABLES)).toContain(table);
    expect(migrations.some((one) => one.table === table && one.name === 'stored_at')).toBe(true);
  }
});

test('the local part of a sharded table is the table', () => {
  expect(readTable('clicks_local')).toBe(TABLES.clicks);
  expect(readTable('clicks')).toBe(TABLES.clicks);
  expect(readTable('toString')).toBeUndefined();
});

test('locks are taken in one order, those of all lanes with that of attribution', () => {
  expect(listLocks((table) => table.waitsForHiding === true)).toEqual([
    LOCKS.attribution,
    ...LANE_LOCKS,
    LOCKS.touches,
    LOCKS.installsByIdentifier,
    LOCKS.recordsByInstall,
  ]);
  expect(listLocks((table) => table.waitsForUnlinking === true)).toEqual([LOCKS.appReports]);
  expect(listLocks(() => true)).toHaveLength(new Set(listLocks(() => true)).size);
});

test('a table that is matched by address has its hash', () => {
  for (const [name, { isMatchedByIp }] of listTables())
    if (isMatchedByIp) expect(migrations.some((one) => one.table === name && one.name === 'ip_hash')).toBe(true);
});

/** Every column of the DDL says what it is, and what erasure hides from PostgreSQL can be read again. */
import { readSort } from '../../../src/db/personal-data';
import { untaggedColumns } from '../../../src/db/personal-data-ddl';
import { sealRequests } from '../../../src/erasure/sealed';
import { createSeal, createSeals } from '../../../src/lib/seal';

test('no column of the migrations lacks an entry in the register', () => {
  expect(untaggedColumns()).toEqual([]);
});

test('a column without an entry is found, however it comes', () => {
  const tables = `CREATE TABLE IF NOT EXISTS adtrail.things (
  id UInt32 COMMENT 'A number [none]',
  who String COMMENT 'Somebody, in words' CODEC(ZSTD),
  PROJECTION by_who (SELECT who, id ORDER BY who)
)
ENGINE = MergeTree()
ORDER BY id;
ALTER TABLE adtrail.things
  ADD COLUMN IF NOT EXISTS later String
    COMMENT 'Later';
`;
  expect(untaggedColumns(tables)).toEqual(['things.who', 'things.later']);
  const tagged = `${tables}ALTER TABLE adtrail.things
  COMMENT COLUMN who 'Somebody [personal]',
  COMMENT COLUMN later 'Later [none]';
`;
  expect(untaggedColumns(tagged)).toEqual([]);
});

test.each([
  ['Address [personal]', 'personal'],
  ['Hash of it [pseudonymous]', 'pseudonymous'],
  ['A number [none]', 'none'],
  ['[none] of these', undefined],
  ['Something [secret]', undefined],
])('the comment %s', (comment, sort) => expect(readSort(comment)).toBe(sort));

test('what is sealed does not show it, opens with the secret alone, and differs each time', () => {
  const { seal, open } = sealRequests(createSeals('secret', ['former']));
  const sealed = seal('user-1');
  expect(sealed).not.toContain('user-1');
  expect(Buffer.from(sealed.slice(7), 'base64').toString('latin1')).not.toContain('user-1');
  expect(open(sealed)).toBe('user-1');
  expect(seal('user-1')).not.toBe(sealed);
  expect(open('38400000-8cf0-11bd-b23e-10b96e40000d')).toBe('38400000-8cf0-11bd-b23e-10b96e40000d');
  expect(open(createSeal('former', 'erasure requests').seal('user-2'))).toBe('user-2');
  expect(() => sealRequests(createSeals('other', [])).open(sealed)).toThrow('SEAL_KEY');
});

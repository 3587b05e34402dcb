/** What the SQL and status pages work out: order, sums, copies, places of errors, completion, and words for units. */
import { addNumbers, compareNumbers } from '../../../dashboard/src/pages/sql/decimal';
import { listOffers } from '../../../dashboard/src/pages/sql/completion';
import { locateError } from '../../../dashboard/src/pages/sql/locate';
import { rankRows } from '../../../dashboard/src/pages/sql/order';
import { pivotResult } from '../../../dashboard/src/pages/sql/pivot';
import { toTsv } from '../../../dashboard/src/pages/sql/tsv';
import { agoText, detailText, lengthText, sizeText } from '../../../dashboard/src/words';

const result = (columns: [string, string][], rows: unknown[][]) => ({
  columns: columns.map(([name, type]) => ({ name, type })),
  rows,
  rows_read: null,
  bytes_read: null,
  elapsed_ms: 1,
  truncated: false,
});

test('numbers are compared and added exactly', () => {
  expect(compareNumbers('18446744073709551615', '18446744073709551614')).toBeGreaterThan(0);
  expect(compareNumbers('0.1000000000000000000001', 0.1)).toBeGreaterThan(0);
  expect(compareNumbers(-2, -10)).toBeGreaterThan(0);
  expect(compareNumbers(1e21, 2)).toBeGreaterThan(0);
  expect(addNumbers(['0.1', '0.2', null])).toBe('0.3');
  expect(addNumbers(['-0.05', '0.01'])).toBe('-0.04');
  expect(addNumbers(['18446744073709551615', 1])).toBe('18446744073709551616');
  expect(addNumbers([null])).toBeNull();
});

test('rows are ranked by size or alphabet; nothing has no rank', () => {
  expect(rankRows([[10], [9], [null], ['100'], [9]], 0, 'Nullable(UInt64)')).toEqual([2, 0, undefined, 3, 0]);
  expect(rankRows([['b'], ['a'], [null]], 0, 'Nullable(String)')).toEqual([1, 0, undefined]);
});

test('a copy parts its cells, and holds no formula', () => {
  const copied = toTsv(
    result(
      [
        ['n', 'Int32'],
        ['text', 'String'],
      ],
      [
        [-1, '=1+1'],
        [null, 'a\tb\nc'],
      ],
    ),
  );
  expect(copied).toBe("n\ttext\n-1\t'=1+1\n\ta b c");
});

test('a pivot sums what meets', () => {
  const rows = [
    ['mon', 'DE', '1.10'],
    ['mon', 'DE', '2.20'],
    ['tue', 'FR', '3'],
  ];
  const made = pivotResult(
    result(
      [
        ['day', 'String'],
        ['country', 'String'],
        ['money', 'Decimal(38, 9)'],
      ],
      rows,
    ),
    'day',
    'country',
    'money',
  );
  expect(made).toEqual({
    across: ['DE', 'FR'],
    rows: [
      { label: 'mon', values: ['3.30', null] },
      { label: 'tue', values: [null, '3'] },
    ],
    isCut: false,
  });
});

test('an error has its place', () => {
  const statement = "SELECT 'ü', nothing FRM clicks";
  expect(locateError(statement, 'Syntax error: failed at position 22')).toEqual({ from: 20, to: 23 });
  expect(locateError(statement, 'Unknown expression identifier `nothing`')).toEqual({ from: 12, to: 19 });
  expect(locateError(statement, "Function with name 'away' does not exist")).toBeUndefined();
  expect(locateError('', 'Syntax error: failed at position 1')).toEqual({ from: 0, to: 1 });
});

test('columns are offered of the views that a statement names', () => {
  const column = (name: string) => ({ name, type: 'String', comment: `The ${name}`, personal_data: 'none' as const });
  const schema = {
    database: 'analytics',
    tables: [
      { name: 'clicks', comment: 'Clicks', columns: [column('tid')] },
      { name: 'installs', comment: 'Installs', columns: [column('rule')] },
    ],
    functions: [{ name: 'uniqExact', is_aggregate: true }],
  };
  const names = (statement: string, before?: string) => listOffers(schema, statement, before).map(({ label }) => label);
  expect(names('SELECT FROM clicks')).toEqual(
    expect.arrayContaining(['tid', 'clicks', 'installs', 'uniqExact', 'FROM']),
  );
  expect(names('SELECT FROM clicks')).not.toContain('rule');
  expect(names('SELECT i. FROM installs AS i', 'i')).toEqual(['rule']);
  expect(names('SELECT * FROM analytics.', 'analytics')).toEqual(['clicks', 'installs']);
});

test('sizes and ages are said in words', () => {
  const now = '2026-11-27T12:00:00.000Z';
  expect([0, 999, 1_234_567_890, 2e15].map(sizeText)).toEqual(['0 B', '999 B', '1.2 GB', '2.0 PB']);
  expect(agoText('2026-11-27T11:56:30.000Z', now)).toBe('3 minutes ago');
  expect(agoText('2026-11-25T12:00:00.000Z', now)).toBe('2 days ago');
  expect(agoText(now, now)).toBe('just now');
  expect([0.4, 1, 59, 7_200].map(lengthText)).toEqual(['less than a second', '1 second', '59 seconds', '2 hours']);
  expect(detailText('free_bytes', 1_500_000, now)).toBe('free: 1.5 MB');
  expect(detailText('lag_seconds', 180, now)).toBe('lag: 3 minutes');
  expect(detailText('stored_at', '2026-11-27T11:00:00.000Z', now)).toBe('stored at: 1 hour ago');
});

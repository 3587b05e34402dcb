/** Much that is new is taken in by stretches, each of which is noted: what is killed goes on with its stretch. */
import type { InsertRange, TableChanges } from '../../../src/derive/change-tracker';
import { fillInStretches, type FillRange } from '../../../src/derive/fill';
import type { FactTable } from '../../../src/tables/derivations';
import type { RunContext } from '../../../src/derive/materialization';

const range = (from: number, to: number, rows: number): InsertRange => ({ from, to, rows });

async function filled(ranges: Partial<Record<FactTable, InsertRange[]>>) {
  const steps: unknown[] = [];
  const findChanges = (table: FactTable): TableChanges => ({
    since: 0,
    insertTimes: [],
    all: false,
    rows: 0,
    again: 0,
    ranges: ranges[table] ?? [],
  });
  const context: RunContext = {
    db: { rows: () => Promise.reject(new Error('Not of a test')) },
    changes: { until: 1_000, settled: 0, of: findChanges },
    version: 1,
    takenUpTo: (storedAt, done) => {
      steps.push({ upTo: storedAt, rows: done.reduce((sum, { rows }) => sum + rows, 0) });
      return Promise.resolve();
    },
    settleUpTo: () => Promise.reject(new Error('Not of a filling')),
  };
  await fillInStretches(context, ['clicks', 'impressions'], (table, part: FillRange) => {
    steps.push([table, part.from, part.to, `${part.chunk + 1}/${part.chunks}`]);
    return Promise.resolve();
  });
  return steps;
}

test('little is one stretch, and nobody needs to be told of it before its end', async () => {
  expect(await filled({ clicks: [range(1, 5, 10), range(5, 6, 20)], impressions: [range(3, 4, 5)] })).toEqual([
    ['clicks', 1, 6, '1/1'],
    ['impressions', 3, 4, '1/1'],
  ]);
});

test('of several tables the oldest comes first, and each stretch ends before the next begins', async () => {
  expect(
    await filled({
      clicks: [range(10, 20, 600_000), range(20, 30, 600_000), range(30, 40, 100)],
      impressions: [range(15, 25, 300_000)],
    }),
  ).toEqual([
    ['clicks', 10, 20, '1/1'],
    ['impressions', 15, 25, '1/1'],
    { upTo: 19, rows: 900_000 },
    ['clicks', 20, 40, '1/1'],
  ]);
});

test('what was stored at one time is one stretch, of both tables, in as many statements as it needs', async () => {
  expect(
    await filled({ clicks: [range(10, 11, 2_500_000)], impressions: [range(10, 12, 7), range(12, 13, 9)] }),
  ).toEqual([
    ['clicks', 10, 11, '1/3'],
    ['clicks', 10, 11, '2/3'],
    ['clicks', 10, 11, '3/3'],
    ['impressions', 10, 12, '1/1'],
    { upTo: 11, rows: 2_500_007 },
    ['impressions', 12, 13, '1/1'],
  ]);
});

/** What is new among the inserts of a table: by the time of each insert, whatever becomes visible late. */
import { InsertLog, joinRanges } from '../../../src/derive/change-tracker';
import { OVERLAP_MS, Progress } from '../../../src/derive/watermarks';

const NOW = 1_700_000_000_000;
const readLog = (inserts: readonly (readonly [number, number])[], until = NOW) =>
  new InsertLog(until, new Map([['clicks', new Map(inserts)]]), new Map(), until);
const readRows = (progress: Progress, log: InsertLog) => progress.changesIn(log).of('clicks').rows;

describe('progress', () => {
  const progress = () => new Progress({ name: 'touches', sources: ['clicks'] });

  test('takes in each insert once', () => {
    const one = progress();
    const log = readLog([[NOW - 10, 3]]);
    expect(one.hasChangesIn(log)).toBe(true);
    one.advance(log);
    expect(one.hasChangesIn(log)).toBe(false);
    const next = readLog(
      [
        [NOW - 10, 3],
        [NOW + 5, 2],
      ],
      NOW + 1_000,
    );
    expect(one.changesIn(next).of('clicks')).toMatchObject({
      since: NOW + 5,
      insertTimes: [NOW + 5],
      all: false,
      rows: 2,
    });
  });

  test('an insert that becomes visible late is new, and so is one that has more rows than before', () => {
    const one = progress();
    one.advance(readLog([[NOW - 10, 3]]));
    expect(
      readRows(
        one,
        readLog(
          [
            [NOW - 20, 1],
            [NOW - 10, 3],
          ],
          NOW + 1_000,
        ),
      ),
    ).toBe(1);
    expect(one.changesIn(readLog([[NOW - 10, 4]], NOW + 1_000)).of('clicks')).toMatchObject({ rows: 4, again: 3 });
  });

  test('looks back for as long as an insert can take, and no longer', () => {
    const one = progress();
    one.advance(readLog([]));
    expect(one.lookFrom).toBe(NOW - OVERLAP_MS);
    expect(readRows(one, readLog([[NOW - OVERLAP_MS - 1, 1]], NOW + 1_000))).toBe(0);
    expect(readRows(one, readLog([[NOW - OVERLAP_MS, 1]], NOW + 1_000))).toBe(1);
  });

  test('at the first look everything is new, whenever it was stored', () => {
    const log = readLog([[NOW - 10, 3]]);
    expect(progress().changesIn(log).of('clicks')).toMatchObject({ since: 0, rows: 3 });
  });

  test('thousands of new inserts are not listed, and are taken in once all the same', () => {
    const one = progress();
    one.advance(readLog([]));
    const many = readLog(
      Array.from({ length: 6_000 }, (_, i) => [NOW + i, 2] as const),
      NOW + 10_000,
    );
    expect(one.changesIn(many).of('clicks')).toMatchObject({ since: NOW, insertTimes: [], all: true, rows: 12_000 });
    one.advance(many);
    expect(one.hasChangesIn(many)).toBe(false);
  });

  test('a long run that is killed goes on where it stopped', () => {
    const one = progress();
    const log = readLog([
      [NOW - 30, 1],
      [NOW - 20, 2],
      [NOW - 10, 4],
    ]);
    one.advanceTo(NOW - 20, log);
    expect(one.watermark).toBe(NOW - 20);
    expect(one.changesIn(log).of('clicks')).toMatchObject({ since: NOW - 10, rows: 4, again: 0 });
  });

  test('what accepted records are taken in follows the log, and limits what comes after', () => {
    const one = progress();
    one.advance(readLog([], NOW));
    expect(one.settledUpTo).toBe(NOW);
    one.advanceTo(NOW + 500, readLog([], NOW + 1_000));
    expect(one.settledUpTo).toBe(NOW);
    expect(one.changesIn(readLog([], NOW + 1_000), NOW + 200).settled).toBe(NOW + 200);
    expect(one.changesIn(readLog([], NOW + 1_000), NOW + 2_000).settled).toBe(NOW + 1_000);
  });

  test('ranges reach up to what was taken in before, so that it is not read again', () => {
    const one = progress();
    one.advance(readLog([[NOW - 10, 3]]));
    const log = readLog(
      [
        [NOW - 20, 1],
        [NOW - 10, 3],
        [NOW + 5, 2],
        [NOW + 8, 2],
      ],
      NOW + 1_000,
    );
    expect(one.changesIn(log).of('clicks').ranges).toEqual([
      { from: NOW - 20, to: NOW - 10, rows: 1 },
      { from: NOW + 5, to: NOW + 8, rows: 2 },
      { from: NOW + 8, to: NOW + 9, rows: 2 },
    ]);
  });

  test('never goes back', () => {
    const one = progress();
    one.advance(readLog([], NOW + 1_000));
    one.advance(readLog([[NOW - 10, 3]], NOW));
    expect(one.watermark).toBe(NOW + 1_000);
  });

  test('a table that is no source cannot be asked about', () => {
    expect(() => progress().changesIn(readLog([])).of('installs')).toThrow('does not name installs among its sources');
  });
});

describe('too many inserts to tell apart', () => {
  const minute = Math.floor(NOW / 60_000) * 60_000;
  const log = new InsertLog(NOW, new Map(), new Map([['clicks', new Map([[minute, 9_000]])]]), NOW);

  test('count as new as a whole, by the minute', () => {
    expect(log.findChanges('clicks', new Map(), 5)).toEqual({
      since: 5,
      insertTimes: [],
      all: true,
      rows: 9_000,
      again: 0,
      ranges: [{ from: minute, to: minute + 60_000, rows: 9_000 }],
    });
  });

  test('cannot be compared with what another process saw', () => {
    expect(log.rowsBetween('clicks', 0, NOW)).toBeUndefined();
    expect(
      readLog([
        [5, 1],
        [6, 2],
        [7, 4],
      ]).rowsBetween('clicks', 5, 6),
    ).toBe(2);
  });
});

test('ranges that meet are joined as long as they stay small', () => {
  const range = (from: number, to: number, rows: number) => ({ from, to, rows });
  expect(
    joinRanges([range(1, 5, 4), range(5, 9, 6), range(9, 12, 1), range(12, 20, 30), range(20, 22, 2)], 10),
  ).toEqual([range(1, 9, 10), range(9, 12, 1), range(12, 20, 30), range(20, 22, 2)]);
  // Between them lies what was taken in before.
  expect(joinRanges([range(1, 2, 4), range(5, 6, 6)], 10)).toEqual([range(1, 2, 4), range(5, 6, 6)]);
  expect(joinRanges([], 10)).toEqual([]);
});

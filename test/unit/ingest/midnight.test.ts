/** Which IDs are looked up around midnight, and which repeats are swept then (src/ingest/known-ids.ts, sweep.ts). */
import { Readable } from 'node:stream';
import type { ClickHouse } from '../../../src/db/clickhouse';
import { IdsOfOtherDays, IdsOfTable } from '../../../src/ingest/known-ids';
import { TouchSweep } from '../../../src/ingest/sweep';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.parse('2026-03-06T00:00:00Z');
const [YESTERDAY, TODAY, TOMORROW] = ['2026-03-05', '2026-03-06', '2026-03-07'];
const clicks = { table: 'clicks', idColumn: 'click_id' };

type Asked = Readonly<Record<string, unknown>>;

/** A ClickHouse that answers lists of IDs with those in `ids`, and counts with `rows`; keeps what it is asked. */
function engine() {
  const asked: Asked[] = [];
  const answers = { ids: [] as [number, number][], rows: 0, repeats: [] as string[] };
  const db = {
    rows: (_sql: string, params: Asked) => {
      asked.push(params);
      return Promise.resolve('chunk' in params ? answers.repeats.map((id) => ({ id })) : [{ rows: answers.rows }]);
    },
    binary: (_sql: string, params: Asked) => {
      asked.push(params);
      const bytes = answers.ids.map(([a, b]) => {
        const id = Buffer.alloc(16);
        id.writeInt32LE(a, 4);
        id.writeInt32LE(b, 8);
        return id;
      });
      return Promise.resolve(Readable.from(bytes));
    },
    command: (_sql: string, params: Asked) => Promise.resolve(void asked.push(params)),
  } as unknown as ClickHouse;
  return { db, answers, asked };
}

describe('the IDs of other days', () => {
  type Id = readonly [number, number];
  const ONE: Id = [1, 11];
  const TWO: Id = [2, 22];
  const THREE: Id = [3, 33];

  test('may be any until they are loaded, and after each midnight until what came before it is stored', async () => {
    const { db, answers } = engine();
    const known = new IdsOfOtherDays(db, clicks);
    expect(known.mayHold(...ONE, TODAY)).toBe(true);
    await known.load(MIDNIGHT + 19_999);
    expect(known.mayHold(...ONE, TODAY)).toBe(true);
    answers.ids = [[...ONE]];
    await known.load(MIDNIGHT + 20_000);
    expect([known.mayHold(...ONE, TODAY), known.mayHold(...TWO, TODAY)]).toEqual([true, false]);
    // A record of another day than the one for which it is known what other days hold.
    for (const day of [YESTERDAY, TOMORROW]) expect(known.mayHold(...TWO, day)).toBe(true);
    await known.load(MIDNIGHT + DAY_MS + 19_999);
    expect(known.mayHold(...TWO, TOMORROW)).toBe(true);
    answers.ids = [[...TWO]];
    await known.load(MIDNIGHT + DAY_MS + 20_000);
    const held = [ONE, TWO, THREE].map(([a, b]) => known.mayHold(a, b, TOMORROW));
    expect(held).toEqual([true, true, false]);
  });

  test('after a midnight are loaded from the day before on, not all again', async () => {
    const { db, asked } = engine();
    const known = new IdsOfOtherDays(db, clicks);
    await known.load(MIDNIGHT + 20_000);
    await known.load(MIDNIGHT + DAY_MS + 20_000);
    expect(asked.map(({ today, since }) => [today, since])).toEqual([
      [TODAY, '1970-01-01'],
      [TODAY, '1970-01-01'],
      [TOMORROW, TODAY],
      [TOMORROW, TODAY],
    ]);
  });

  test('what this process stores of yesterday is known at once, and what others do with the next load', async () => {
    const { db, answers, asked } = engine();
    const known = new IdsOfOtherDays(db, clicks);
    await known.load(MIDNIGHT + 60_000);
    known.add(...ONE, YESTERDAY);
    // Today's meet their repeats in the table's key.
    known.add(...TWO, TODAY);
    answers.ids = [[...THREE]];
    await known.load(MIDNIGHT + 70_000);
    expect(asked.at(-1)).toMatchObject({ today: TODAY, since: MIDNIGHT + 60_000 - 30_000 });
    await known.load(MIDNIGHT + 80_000);
    expect(asked.at(-1)).toMatchObject({ since: MIDNIGHT + 70_000 - 30_000 });
    expect([ONE, TWO, THREE].map(([a, b]) => known.mayHold(a, b, TODAY))).toEqual([true, false, true]);
  });

  test('all IDs of a table are read once, then what was stored since, less the time of an insert', async () => {
    const { db, answers, asked } = engine();
    const known = new IdsOfTable(db, clicks);
    expect(known.mayHold(...ONE)).toBe(true);
    answers.ids = [[...ONE]];
    await known.load(100_000);
    answers.ids = [[...TWO]];
    await known.load(105_000);
    known.add(...THREE);
    expect(asked.flatMap(({ since }) => since ?? [])).toEqual([0, 70_000]);
    expect([ONE, TWO, THREE, [4, 44] as Id].map(([a, b]) => known.mayHold(a, b))).toEqual([true, true, true, false]);
  });
});

describe('the sweep of touches', () => {
  const sweeps = () => {
    const { db, answers, asked } = engine();
    const sweep = new TouchSweep(db, clicks);
    /** Since when it looked at this moment after midnight, in milliseconds of the day; undefined if it did not. */
    const at = async (ms: number) => {
      const before = asked.length;
      await sweep.sweep(MIDNIGHT + ms);
      const { since } = asked[before] ?? {};
      return since === undefined ? undefined : Number(since) - MIDNIGHT;
    };
    return { sweep, answers, asked, at };
  };

  test('looks back seven days at first, then to the last one, less the time of an insert', async () => {
    const { at } = sweeps();
    expect(await at(1_000)).toBe(1_000 - 7 * DAY_MS);
    expect(await at(3_000)).toBe(1_000 - 60_000);
  });

  test('is made by every call for eleven minutes after midnight, and then every 20 seconds', async () => {
    const { at } = sweeps();
    const until = 11 * 60_000;
    await at(until - 1_000);
    expect(await at(until)).toBeDefined();
    expect(await at(until + 1)).toBeUndefined();
    expect(await at(until + 19_999)).toBeUndefined();
    expect(await at(until + 20_000)).toBe(until - 60_000);
    expect(await at(until + 39_999)).toBeUndefined();
    expect(await at(DAY_MS)).toBe(until + 20_000 - 60_000);
    expect(await at(DAY_MS + 1)).toBe(DAY_MS - 60_000);
  });

  test('hides the repeats that it finds, by a million rows at once', async () => {
    const { sweep, answers, asked } = sweeps();
    expect(await sweep.sweep(MIDNIGHT)).toBe(0);
    expect(asked).toHaveLength(1);
    answers.rows = 1_000_001;
    answers.repeats = ['a', 'b'];
    expect(await sweep.sweep(MIDNIGHT + 1)).toBe(4);
    const parts = asked.slice(2).map(({ chunk, chunks, ids }) => ids ?? `${String(chunk)} of ${String(chunks)}`);
    expect(parts).toEqual(['0 of 2', ['a', 'b'], '1 of 2', ['a', 'b']]);
  });
});

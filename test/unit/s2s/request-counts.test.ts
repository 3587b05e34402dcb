/** Counts of S2S requests in memory: what is stored, again after a failure, and how many are held. */
import { RequestCounts, type Counted } from '../../../src/s2s/request-counts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1, 10);
const click = (more: Partial<Counted> = {}): Counted => ({
  kind: 'click',
  outcome: 'accepted',
  partnerId: 1,
  projectId: 2,
  campaignId: 3,
  ...more,
});

function counting(maxCounts?: number) {
  const inserts: unknown[][][] = [];
  const state = { now: START, fails: false };
  const clickhouse = {
    insert: (_table: string, _columns: readonly string[], rows: readonly string[] | Buffer) => {
      if (state.fails) return Promise.reject(new Error('away'));
      inserts.push((rows as string[]).map((row) => JSON.parse(row) as unknown[]));
      return Promise.resolve();
    },
  };
  return { counts: new RequestCounts(clickhouse, () => state.now, maxCounts), inserts, state };
}

/** Rows without the random name of the process: hour, partner, project, campaign, kind, outcome, requests. */
const plain = (rows: unknown[][] | undefined) => rows?.map((row) => [...row.slice(0, 6), row[7]]);

test('stores how often in the hour so far, and nothing where nothing has changed', async () => {
  const { counts, inserts } = counting();
  await counts.flush();
  counts.add(click(), START);
  counts.add(click(), START + 1);
  await counts.flush();
  await counts.flush();
  counts.add(click(), START + 2);
  counts.add(click({ outcome: 'missing_tid' }), START + HOUR_MS);
  await counts.flush();
  const hour = START / 1000;
  expect(inserts.map(plain)).toEqual([
    [[hour, 1, 2, 3, 'click', 'accepted', 2]],
    [
      [hour, 1, 2, 3, 'click', 'accepted', 3],
      [hour + 3600, 1, 2, 3, 'click', 'missing_tid', 1],
    ],
  ]);
  expect(new Set(inserts.flat().map((row) => row[6])).size).toBe(1);
});

test('what could not be stored is stored the next time, with what came meanwhile', async () => {
  const { counts, inserts, state } = counting();
  counts.add(click(), START);
  state.fails = true;
  await expect(counts.flush()).rejects.toThrow('away');
  counts.add(click(), START);
  state.fails = false;
  await counts.flush();
  expect(inserts.map(plain)).toEqual([[[START / 1000, 1, 2, 3, 'click', 'accepted', 2]]]);
});

test('an hour that is over is let go of, and late requests in it until then', async () => {
  const { counts, inserts, state } = counting();
  counts.add(click(), START);
  await counts.flush();
  state.now = START + HOUR_MS + 60_000;
  await counts.flush();
  counts.add(click(), START);
  await counts.flush();
  expect(plain(inserts[1])?.[0]?.[6]).toBe(2);
  state.now = START + 2 * HOUR_MS;
  await counts.flush();
  counts.add(click(), START);
  await counts.flush();
  expect(plain(inserts[2])?.[0]?.[6]).toBe(1);
});

test('beyond the bound what is new counts without project and campaign', async () => {
  const { counts, inserts } = counting(2);
  for (const campaignId of [1, 2, 3, 4, 1]) counts.add(click({ campaignId }), START);
  await counts.flush();
  expect(plain(inserts[0])?.map((row) => [row[2], row[3], row[6]])).toEqual([
    [2, 1, 2],
    [2, 2, 1],
    [0, 0, 2],
  ]);
});

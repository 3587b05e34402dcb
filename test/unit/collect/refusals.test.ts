/** Counts of what collectors refused: what is stored, again after a failure, and how many are held. */
import { RefusalCounts } from '../../../src/collect/refusals';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 2, 1, 10);

function counting(maxCounts?: number) {
  const stored: Record<string, unknown>[][] = [];
  const state = { now: START, fails: false };
  const postgres = {
    rows: (_sql: string, [value]: readonly unknown[] = []) => {
      if (state.fails) return Promise.reject(new Error('away'));
      if (typeof value === 'string') stored.push(JSON.parse(value) as Record<string, unknown>[]);
      return Promise.resolve([]);
    },
  };
  return { counts: new RefusalCounts(postgres, () => state.now, maxCounts), stored, state };
}
const plain = (rows: Record<string, unknown>[] | undefined) =>
  rows?.map(({ minute, source, reason, field, refused }) => [minute, source, reason, field, refused]);
const at = (minute: number) => new Date(START + minute * MINUTE_MS).toISOString();
const unknownApp = { reason: 'unknown_app', field: 'app_id' };

test('stores how often in the minute so far, after a failure too, and nothing where nothing has changed', async () => {
  const { counts, stored, state } = counting();
  await counts.flush();
  counts.add(1, 'app', [unknownApp, unknownApp]);
  state.fails = true;
  await expect(counts.flush()).rejects.toThrow('away');
  state.fails = false;
  counts.add(1, 'app', [unknownApp]);
  await counts.flush();
  await counts.flush();
  state.now += MINUTE_MS;
  counts.add(1, 'app', [unknownApp]);
  await counts.flush();
  expect(stored.map(plain)).toEqual([
    [[at(0), 'app', 'unknown_app', 'app_id', 3]],
    [[at(1), 'app', 'unknown_app', 'app_id', 1]],
  ]);
});

test('beyond what is held, and beyond 64 characters, fields are not told apart', async () => {
  const { counts, stored } = counting(1);
  counts.add(1, 'web', [{ reason: 'invalid_field', field: `${'a'.repeat(70)}` }]);
  counts.add(1, 'web', [
    { reason: 'invalid_field', field: 'b' },
    { reason: 'invalid_field', field: 'c' },
  ]);
  await counts.flush();
  expect(plain(stored[0])).toEqual([
    [at(0), 'web', 'invalid_field', 'a'.repeat(64), 1],
    [at(0), 'web', 'invalid_field', '', 2],
  ]);
});

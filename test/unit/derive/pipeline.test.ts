/** When the materializations of one lock run again (src/derive/pipeline.ts). */
import pino from 'pino';
import { LOCKS } from '../../../src/db/advisory-lock';
import { Pipeline } from '../../../src/derive/pipeline';

const EVERY_MS = 100;
const pipeline = () => new Pipeline(LOCKS.touches, EVERY_MS, true);

test('a run that has left work goes on at once; one that has not keeps its pace', () => {
  const one = pipeline();
  expect(one.ran(['done', 'more'], 1_000, 1_010)).toBe(0);
  expect([one.isUnfinished, one.dueAt]).toEqual([true, 1_010]);
  expect(one.ran(['done'], 1_020, 1_030)).toBeUndefined();
  expect([one.isUnfinished, one.dueAt]).toEqual([false, 1_030 + EVERY_MS]);
});

test('a look that finds nothing, and a failure, leave nothing that hurries', () => {
  const [rested, failed] = [pipeline(), pipeline()];
  for (const one of [rested, failed]) one.ran(['more'], 1_000, 1_010);
  rested.rest(1_020);
  expect([rested.isUnfinished, rested.dueAt]).toEqual([false, 1_020 + EVERY_MS]);
  failed.failed(new Error('of the test'), 1_020, pino({ level: 'silent' }));
  expect([failed.isUnfinished, failed.dueAt]).toEqual([false, 2_020]);
});

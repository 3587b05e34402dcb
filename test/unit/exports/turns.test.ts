/** Who writes exports when (src/export/turns.ts). */
import { createTurns } from '../../../src/export/turns';

const LIMITS = { places: { first: 2, retry: 1 }, slowMs: 60, slow: 2, fairMs: 600, longestMs: 3_600 };

/** Turns that take until they are ended by the test, or broken off. */
function open() {
  let at = 0;
  const turns = createTurns(LIMITS, () => at);
  const running = new Map<number, { finish: () => void; signal: AbortSignal }>();
  const begin = (project: number, lane: 'first' | 'retry' = 'first') =>
    turns.begin(project, lane, (signal) => new Promise<void>((finish) => running.set(project, { finish, signal })));
  const isBrokenOff = (project: number) => running.get(project)?.signal.aborted;
  const finish = async (project: number) => {
    running.get(project)?.finish();
    await new Promise(setImmediate);
  };
  return { turns, begin, finish, isBrokenOff, wait: (ms: number) => void (at += ms) };
}

test('so many have a turn at once; one that is over leaves its place', async () => {
  const { turns, begin, finish } = open();
  begin(1);
  expect(turns.hasPlace('first')).toBe(true);
  begin(2);
  expect(turns.hasPlace('first')).toBe(false);
  expect(turns.projects()).toEqual([1, 2]);
  await finish(1);
  expect(turns.hasPlace('first')).toBe(true);
  expect(turns.projects()).toEqual([2]);
});

test('those that failed take the places of no others', () => {
  const { turns, begin, wait } = open();
  begin(1, 'retry');
  expect(turns.hasPlace('retry')).toBe(false);
  wait(61);
  expect(turns.hasPlace('retry')).toBe(false);
  begin(2);
  expect(turns.hasPlace('first')).toBe(true);
});

test('slow ones give their places away, until there are too many of them', () => {
  const { turns, begin, wait } = open();
  begin(1);
  begin(2);
  wait(60);
  expect(turns.hasPlace('first')).toBe(false);
  wait(1);
  begin(3);
  begin(4);
  expect(turns.hasPlace('first')).toBe(false);
  wait(61);
  expect(turns.hasPlace('first')).toBe(false);
});

test('while another waits, the one that has taken longest is broken off once it has had its time', () => {
  const { turns, begin, wait, isBrokenOff } = open();
  begin(1);
  wait(1);
  begin(2);
  wait(599);
  turns.makePlace('first');
  expect([isBrokenOff(1), isBrokenOff(2)]).toEqual([false, false]);
  wait(1);
  turns.makePlace('retry');
  expect(isBrokenOff(1)).toBe(false);
  turns.makePlace('first');
  turns.makePlace('first');
  expect([isBrokenOff(1), isBrokenOff(2)]).toEqual([true, false]);
});

test('without anybody who waits a turn may take longer, and not for ever', () => {
  const { turns, begin, wait, isBrokenOff } = open();
  begin(1);
  wait(3_600);
  turns.endLongest();
  expect(isBrokenOff(1)).toBe(false);
  wait(1);
  turns.endLongest();
  expect(isBrokenOff(1)).toBe(true);
});

test('all are broken off at a stop, which waits for them', async () => {
  const { turns, begin, finish, isBrokenOff } = open();
  begin(1);
  begin(2, 'retry');
  const why = new Error('stop');
  const stopped = turns.stop(why);
  expect([isBrokenOff(1), isBrokenOff(2)]).toEqual([true, true]);
  await finish(1);
  await finish(2);
  await expect(stopped).resolves.toBeUndefined();
});

/** Leases: points taken in blocks from a shared limiter are never more than the limit, and hardly fewer. */
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { LeasedLimiter } from '../../../src/limits/leased-limiter';
import { limiterFactory } from '../../../src/limits/limiters';

const now = () => Date.now();

/** Takes `count` points, alternating between the limiters, and answers how many there were. */
async function take(limiters: readonly LeasedLimiter[], count: number, key = 1): Promise<number> {
  const waits = await Promise.all(
    Array.from({ length: count }, async (_, i) => (limiters[i % limiters.length] as LeasedLimiter).take(key)),
  );
  expect(waits.filter((wait) => !Number.isInteger(wait))).toEqual([]);
  return waits.filter((wait) => wait === 0).length;
}

const memory = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: 3_600, keyPrefix });

test.each([1, 5, 10, 99, 100, 101, 250, 2_000])(
  'one process takes all %i points of a window and not one more, small blocks or large',
  async (points) => {
    const taken = await take([new LeasedLimiter(memory(points, 'one'), now)], points * 3);
    expect(taken).toBeLessThanOrEqual(points);
    // What is left is less than a block, which is 1 % of the limit.
    expect(points - taken).toBeLessThan(Math.max(1, points * 0.01));
  },
);

test('ten processes share 2,000 points within 10 %', async () => {
  const shared = memory(2_000, 'ten');
  const taken = await take(
    Array.from({ length: 10 }, () => new LeasedLimiter(shared, now)),
    18_000,
  );
  expect(taken).toBeGreaterThanOrEqual(1_800);
  expect(taken).toBeLessThanOrEqual(2_000);
});

test('keys do not share', async () => {
  const limiter = new LeasedLimiter(memory(10, 'keys'), now);
  expect(await take([limiter], 30, 1)).toBe(10);
  expect(await take([limiter], 30, 2)).toBe(10);
});

test('the wait is the whole seconds to the end of the window, at least one', async () => {
  let at = 1_000_000;
  const limiter = new LeasedLimiter(new RateLimiterMemory({ points: 1, duration: 60, keyPrefix: 'wait' }), () => at);
  expect(await limiter.take(1)).toBe(0);
  expect(await limiter.take(1)).toBeGreaterThan(55);
  expect(await limiter.take(1)).toBeLessThanOrEqual(60);
  at += 57_700;
  expect(await limiter.take(1)).toBe(3);
  at += 2_000;
  expect(await limiter.take(1)).toBe(1);
});

test('the next window is as large as the first', async () => {
  jest.useFakeTimers();
  const limiter = new LeasedLimiter(new RateLimiterMemory({ points: 20, duration: 5, keyPrefix: 'next' }), now);
  for (let window = 0; window < 3; window++) {
    expect(await take([limiter], 60)).toBe(20);
    jest.advanceTimersByTime(4_900);
    expect(await take([limiter], 5)).toBe(0);
    jest.advanceTimersByTime(200);
  }
  jest.useRealTimers();
});

test('a limit that is off costs nothing, not even a promise', () => {
  expect(limiterFactory(undefined)('off', null)).toBeUndefined();
  expect(new LeasedLimiter(limiterFactory(undefined)('off', null), now).take(1)).toBe(0);
});

test('a limiter that fails costs no request', async () => {
  const client = new Redis({
    host: '127.0.0.1',
    port: 1,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  const failing = new RateLimiterRedis({ storeClient: client, points: 10, duration: 60, rejectIfRedisNotReady: true });
  await expect(failing.consume(1)).rejects.toBeInstanceOf(Error);
  expect(await take([new LeasedLimiter(failing, now)], 100)).toBe(100);
  client.disconnect();
});

test('with Redis away each process counts for itself', async () => {
  const client = new Redis({
    host: '127.0.0.1',
    port: 1,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  const processes = [1, 2].map(
    () => new LeasedLimiter(limiterFactory(client)('s2s', { points: 50, seconds: 3_600 }), now),
  );
  expect(await take(processes, 400)).toBe(100);
  client.disconnect();
});

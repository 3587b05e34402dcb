/** The port to Redis, for rate limits shared by several machines. */
import Redis from 'ioredis';

/**
 * Connects to Redis without waiting for it: while it is away commands fail at once, and the limiters continue in memory
 * (docs/contract/running.md, REDIS_URL).
 */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 1_000,
    retryStrategy: (times) => Math.min(50 * times, 1_000),
  });
  // Without a listener every failed reconnection would be printed; /readyz and the limiters notice by themselves.
  redis.on('error', () => undefined);
  return redis;
}

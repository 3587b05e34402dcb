/** Makes rate limiters that count in the right place: this process, all workers of this machine, or Redis. */
import cluster from 'node:cluster';
import type Redis from 'ioredis';
import {
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Limit } from '../config';

/** Makes the limiter of one scope; undefined where the limit is off. */
export type LimiterFactory = (scope: string, limit: Limit) => RateLimiterAbstract | undefined;

/**
 * With Redis the limits are shared by every machine; with Redis away each process counts for itself until it is back.
 */
export function limiterFactory(redis: Redis | undefined): LimiterFactory {
  return (scope, limit) => {
    if (!limit) return undefined;
    const options = { keyPrefix: `adtrail:${scope}`, points: limit.points, duration: limit.seconds };
    const local = cluster.isWorker
      ? new RateLimiterCluster({ ...options, timeoutMs: 500 })
      : new RateLimiterMemory(options);
    return redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: local })
      : local;
  };
}

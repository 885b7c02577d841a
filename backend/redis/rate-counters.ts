import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { RedisLink } from "./redis-link.ts";

/**
 * Creates counters of requests that all processes share. While Redis is away each process counts alone, from zero: a
 * visitor may then send more requests than allowed, but none is rejected wrongly.
 * @returns opens a counter with a name, a limit and a window in seconds
 */
export function createRedisCounters(
  link: RedisLink,
): (name: string, points: number, windowSeconds: number) => RateLimiterAbstract {
  return (name, points, duration) => {
    const keyPrefix = `${link.prefix}:limit:${name}`;
    return new RateLimiterRedis({
      storeClient: link.commands,
      keyPrefix,
      points,
      duration,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
  };
}

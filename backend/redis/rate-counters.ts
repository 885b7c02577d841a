/**
 * What was asked of all processes together. While Redis is away each counts for itself, from zero:
 * somebody may then ask more often than they should, but nobody is refused who should not be.
 */
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { RedisLink } from "./redis-link.ts";

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

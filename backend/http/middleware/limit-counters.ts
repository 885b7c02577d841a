/** The rate limit counters of a single process. `backend/redis` has counters that processes share. */
import { RateLimiterMemory, type RateLimiterAbstract } from "rate-limiter-flexible";

/** @returns a counter that accepts at most `points` in `windowSeconds` for each key */
export type OpenCounter = (name: string, points: number, windowSeconds: number) => RateLimiterAbstract;

export const countInMemory: OpenCounter = (keyPrefix, points, duration) =>
  new RateLimiterMemory({ keyPrefix, points, duration });

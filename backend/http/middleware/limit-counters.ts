/** Where what was asked is counted: in this process. Others keep to the same interface, see `backend/redis`. */
import { RateLimiterMemory, type RateLimiterAbstract } from "rate-limiter-flexible";

/** @returns a count of its own name, at most `points` in `windowSeconds` for each key */
export type OpenCounter = (name: string, points: number, windowSeconds: number) => RateLimiterAbstract;

export const countInMemory: OpenCounter = (keyPrefix, points, duration) =>
  new RateLimiterMemory({ keyPrefix, points, duration });

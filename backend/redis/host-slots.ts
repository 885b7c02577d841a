/**
 * How many of all processes may fetch from one host at a time: a site sees us as one visitor,
 * however many machines we are. While Redis is away each process keeps to its own count.
 * The slots are leases in Redis and not in the database (lease-store.ts): there are several for each host, and a
 * download must not wait for a database write.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { RedisLink } from "./redis-link.ts";

export interface HostSlots {
  /**
   * Waits for a place at the host; disposing of what is returned gives it back.
   * Throws `signal.reason` when aborted.
   */
  acquire(host: string, signal: AbortSignal): Promise<Disposable>;
}

export interface SharedSlotSettings {
  /** At a time, of all processes. */
  readonly perHost: number;
  /** A place whose process has died is free after so long. */
  readonly leaseMs: number;
  /** What holds within this process, with Redis or without. */
  readonly own: HostSlots;
  onError(error: unknown): void;
}

/** Between two tries for a place; those who wait come at different moments. */
const TRY_AGAIN_MS = 200;

/** By the clock of Redis: those of the processes may differ. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == false and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

export function createSharedHostSlots(link: RedisLink, settings: SharedSlotSettings): HostSlots {
  const { perHost, leaseMs, own } = settings;
  const keyOf = (host: string) => `${link.prefix}:host:${host}`;

  /** True as well when there is nobody to ask. */
  async function take(host: string, id: string): Promise<boolean> {
    if (!link.isUp()) return true;
    try {
      return (await link.commands.eval(TAKE, 1, keyOf(host), id, perHost, leaseMs)) === 1;
    } catch (error) {
      if (link.isUp()) settings.onError(error);
      return true;
    }
  }

  return {
    async acquire(host, signal) {
      using waiting = new DisposableStack();
      waiting.use(await own.acquire(host, signal));
      const id = randomUUID();
      while (!(await take(host, id))) {
        await delay(TRY_AGAIN_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
      const renewal = setInterval(() => void take(host, id), leaseMs / 3);
      waiting.defer(() => {
        clearInterval(renewal);
        // Where it cannot be said, the lease ends by itself.
        link.commands.zrem(keyOf(host), id).catch(() => undefined);
      });
      return waiting.move();
    },
  };
}

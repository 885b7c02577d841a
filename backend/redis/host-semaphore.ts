/**
 * Limits how many requests all processes together send to one video site at the same time, because the site counts
 * them by one address. While Redis is away there is no limit here; each process still has its own.
 *
 * The slots are leases in Redis and not in the database (lease-store.ts): there are several for each host, and a
 * download must not wait for a database write.
 */
import { randomUUID } from "node:crypto";
import { untilFound } from "../../common/waiting.ts";
import type { RedisLink } from "./redis-link.ts";

export interface HostSemaphoreSettings {
  /** Slots of each host, for all processes together. */
  readonly perHost: number;
  /** The slot of a process that has died is free after this time. */
  readonly leaseMs: number;
  onError(error: unknown): void;
}

/** Mean time between two tries. */
const RETRY_MS = 200;

/** Takes or renews a slot. Uses the clock of Redis, because those of the processes may differ. */
const ACQUIRE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local isNew = redis.call('ZSCORE', KEYS[1], ARGV[1]) == false
if isNew and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

export class RedisHostSemaphore {
  readonly #link: RedisLink;
  readonly #settings: HostSemaphoreSettings;

  constructor(link: RedisLink, settings: HostSemaphoreSettings) {
    this.#link = link;
    this.#settings = settings;
  }

  /**
   * Waits for a slot of the host.
   * @returns gives the slot back when it is disposed of
   * @throws `signal.reason` when aborted
   */
  async acquire(host: string, signal: AbortSignal): Promise<Disposable> {
    const slotId = randomUUID();
    await untilFound(() => this.#takeOrRenew(host, slotId), { everyMs: RETRY_MS, isVaried: true, signal });
    const renewal = setInterval(() => void this.#takeOrRenew(host, slotId), this.#settings.leaseMs / 3);
    return {
      [Symbol.dispose]: () => {
        clearInterval(renewal);
        // If this fails, the lease of the slot expires.
        this.#link.commands.zrem(this.#keyOf(host), slotId).catch(() => undefined);
      },
    };
  }

  /** @returns true also when Redis does not answer */
  async #takeOrRenew(host: string, slotId: string): Promise<boolean> {
    const { perHost, leaseMs } = this.#settings;
    const { commands } = this.#link;
    const take = async (): Promise<boolean> =>
      (await commands.eval(ACQUIRE_SCRIPT, 1, this.#keyOf(host), slotId, perHost, leaseMs)) === 1;
    return this.#link.attempt(take, true, (error) => this.#settings.onError(error));
  }

  #keyOf(host: string): string {
    return `${this.#link.prefix}:host:${host}`;
  }
}

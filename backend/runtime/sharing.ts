/** What processes share through Redis: bus, socket adapter, request counters, host semaphore. */
import { ConfigError, type Config } from "../config/config.ts";
import { createInProcessBus, type Bus } from "../domain/bus.ts";
import { countInMemory, type OpenCounter } from "../http/middleware/limit-counters.ts";
import { InProcessHostSemaphore, REQUESTS_PER_HOST, type HostSemaphore } from "../pipeline/fetch/host-semaphore.ts";
import type { Cluster } from "../realtime/publisher.ts";
import { RedisHostSemaphore } from "../redis/host-semaphore.ts";
import { createRedisCounters } from "../redis/rate-counters.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { openRedis, RedisUnusable, type RedisLink, type RedisLog } from "../redis/redis-link.ts";
import { createSocketAdapter } from "../redis/socket-adapter.ts";

export interface Sharing {
  readonly bus: Bus;
  /** Null without Redis: there are no other processes. */
  readonly cluster: Cluster | null;
  readonly openCounter: OpenCounter;
  /** Limits the requests of all processes together, because a site counts them by one IP address. */
  readonly hostSemaphore: HostSemaphore;
  close(): Promise<void>;
}

/**
 * Opens the shared parts in Redis, or, without REDIS_URL, their in-process counterparts.
 * @throws ConfigError when REDIS_URL is set but cannot be used
 */
export async function openSharing(
  { env, settings }: Config,
  log: RedisLog & { error(data: object, text: string): void },
): Promise<Sharing> {
  if (env.REDIS_URL === undefined) {
    const bus = createInProcessBus();
    return {
      bus,
      cluster: null,
      openCounter: countInMemory,
      hostSemaphore: new InProcessHostSemaphore(),
      close: () => bus.close(),
    };
  }
  const link = await connectToRedis(env.REDIS_URL, env.REDIS_PREFIX, log);
  const bus = await openRedisBus(link, (error) =>
    log.error({ error }, "could not read or send a message between processes"),
  );
  return {
    bus,
    cluster: {
      adapter: createSocketAdapter(link, {
        hasBrowsers: env.ROLE !== "worker",
        maxLength: settings.realtime.streamLength,
      }),
      isUp: () => link.isUp(),
      onChange: (handler) => link.onChange(handler),
    },
    openCounter: createRedisCounters(link),
    hostSemaphore: shareHostSemaphore(link, (error) =>
      log.error({ error }, "could not count a request to a site in Redis"),
    ),
    async close() {
      await bus.close();
      await link.close();
    },
  };
}

/** The slots of a process that has died are free after this time. */
const HOST_LEASE_MS = 30_000;

/** Shares slots evenly among the conversions of this process, and limits them over all processes. */
function shareHostSemaphore(link: RedisLink, onError: (error: unknown) => void): HostSemaphore {
  const inProcess = new InProcessHostSemaphore();
  const shared = new RedisHostSemaphore(link, { perHost: REQUESTS_PER_HOST, leaseMs: HOST_LEASE_MS, onError });
  return {
    async acquire(host, owner, signal) {
      using slots = new DisposableStack();
      slots.use(await inProcess.acquire(host, owner, signal));
      slots.use(await shared.acquire(host, signal));
      return slots.move();
    },
  };
}

async function connectToRedis(url: string, prefix: string, log: RedisLog): Promise<RedisLink> {
  try {
    return await openRedis(url, { prefix, log });
  } catch (error) {
    if (error instanceof RedisUnusable)
      throw new ConfigError(
        `REDIS_URL must name a Redis that can be used, but the one at ${new URL(url).host} ${error.message}`,
        { cause: error },
      );
    throw error;
  }
}

/** What processes share through Redis: bus, sockets, request counters, host semaphore, states of exits, extractions. */
import { ConfigError, type Config } from "../config/config.ts";
import { createInProcessBus, type Bus } from "../domain/bus.ts";
import { countInMemory, type OpenCounter } from "../http/middleware/limit-counters.ts";
import { ExitState, joinStates, UNUSED_EXIT } from "../pipeline/exits/exit-state.ts";
import { type ExitStates, InProcessExitStates } from "../pipeline/exits/exit-states.ts";
import type { SharedResults } from "../pipeline/probe/extractions.ts";
import { InProcessHostSemaphore, REQUESTS_PER_HOST, type HostSemaphore } from "../pipeline/fetch/host-semaphore.ts";
import type { Cluster } from "../realtime/publisher.ts";
import { RedisHostSemaphore } from "../redis/host-semaphore.ts";
import { createRedisCounters } from "../redis/rate-counters.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { openRedis, RedisUnusable, type RedisLink, type RedisLog, type RedisSettings } from "../redis/redis-link.ts";
import { RedisSharedRecords } from "../redis/shared-records.ts";
import { RedisSharedResults } from "../redis/shared-results.ts";
import { createSocketAdapter } from "../redis/socket-adapter.ts";

export interface Sharing {
  readonly bus: Bus;
  /** Null without Redis: there are no other processes. */
  readonly cluster: Cluster | null;
  readonly openCounter: OpenCounter;
  /** Limits the requests of all processes together, because a site counts them by one IP address. */
  readonly hostSemaphore: HostSemaphore;
  /** Pauses, tests and use of the exits to YouTube, because it counts and refuses the exit and not the process. */
  readonly exitStates: ExitStates;
  /** Metadata that one process extracted for all. Null without Redis. */
  readonly sharedExtractions: SharedResults | null;
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
      exitStates: new InProcessExitStates(),
      sharedExtractions: null,
      close: () => bus.close(),
    };
  }
  const link = await connectToRedis(env.REDIS_URL, { prefix: env.REDIS_PREFIX, log, ...settings.redis });
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
    exitStates: await shareExitStates(link, (error) =>
      log.error({ error }, "could not share what is known of an exit"),
    ),
    sharedExtractions: new RedisSharedResults(link, {
      name: "extraction",
      leaseMs: EXTRACTION_LEASE_MS,
      onError: (error) => log.error({ error }, "could not share an extraction"),
    }),
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

/** The extraction of a process that has died is begun by another one after this time. */
const EXTRACTION_LEASE_MS = 6_000;

/** Longer than a pause. After a day without use, an exit is used without a test. */
const EXIT_KEPT_MS = 24 * 60 * 60 * 1_000;

function shareExitStates(link: RedisLink, onError: (error: unknown) => void): Promise<ExitStates> {
  return RedisSharedRecords.open<ExitState>(link, {
    name: "exit",
    schema: ExitState,
    initial: UNUSED_EXIT,
    keepMs: EXIT_KEPT_MS,
    join: joinStates,
    onError,
  });
}

async function connectToRedis(url: string, settings: RedisSettings): Promise<RedisLink> {
  try {
    return await openRedis(url, settings);
  } catch (error) {
    if (error instanceof RedisUnusable)
      throw new ConfigError(
        `REDIS_URL must name a Redis that can be used, but the one at ${new URL(url).host} ${error.message}`,
        { cause: error },
      );
    throw error;
  }
}

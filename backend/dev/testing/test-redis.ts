/** A Redis for a file of tests: started before them and ended after them, with all connections. */
import { afterAll, beforeAll } from "vitest";
import { openRedis, type RedisLink } from "../../redis/redis-link.ts";
import { startRedis, type Redis } from "../stand-ins/redis.ts";

/** A busy machine may stand still for seconds, and Redis then only seems to be away. */
const COMMAND_TIMEOUT_MS = 60_000;

export interface TestRedis extends Pick<Redis, "kill" | "start"> {
  /** Opens a connection, as another process would. Keys and channels begin with `prefix`. */
  openLink(prefix?: string): Promise<RedisLink>;
}

/** Call it once, at the top of the test file. */
export function redisForTests(): TestRedis {
  let redis: Redis;
  const links: RedisLink[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const link of links) await link.close();
    await redis.stop();
  });
  return {
    kill: () => redis.kill(),
    start: () => redis.start(),
    openLink: async (prefix = "test") => {
      const log = { info: () => undefined, warn: () => undefined };
      const link = await openRedis(redis.url, { prefix, log, commandTimeoutMs: COMMAND_TIMEOUT_MS });
      links.push(link);
      return link;
    },
  };
}

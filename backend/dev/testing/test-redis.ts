/** A Redis for a file of tests: started before them, ended after them with every connection that they opened. */
import { afterAll, beforeAll } from "vitest";
import { openRedis, type RedisLink } from "../../redis/redis-link.ts";
import { startRedis, type Redis } from "../stand-ins/redis.ts";

export interface TestRedis extends Pick<Redis, "kill" | "start"> {
  /** Another process's connection. `prefix` keeps what it writes apart. */
  openLink(prefix?: string): Promise<RedisLink>;
}

/** Called once, at the top of the file. */
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
      const link = await openRedis(redis.url, { prefix, log: { info: () => undefined, warn: () => undefined } });
      links.push(link);
      return link;
    },
  };
}

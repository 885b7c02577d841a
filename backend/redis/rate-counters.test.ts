import { afterAll, beforeAll, expect, it } from "vitest";
import { startRedis, type OwnRedis } from "../dev/redis-set-up.ts";
import { describeCounters } from "../http/limit-counters.contract.ts";
import { createRedisCounters } from "./rate-counters.ts";
import { openRedis, type RedisLink } from "./redis-link.ts";

let redis: OwnRedis;
const links: RedisLink[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const link of links) await link.close();
  await redis.stop();
});

async function openLink(): Promise<RedisLink> {
  const link = await openRedis(redis.url, { prefix: "test", log: { info: () => undefined, warn: () => undefined } });
  links.push(link);
  return link;
}

describeCounters("a Redis that processes share", { openProcess: async () => createRedisCounters(await openLink()), isAlone: false });

it("while Redis is away each process counts for itself, from zero", async () => {
  const [here, there] = [await openLink(), await openLink()];
  const counters = [here, there].map((link) => createRedisCounters(link)("away", 1, 60));
  await counters[0]?.consume("a");
  const gone = [here, there].map((link) => new Promise<void>((resolve) => link.onChange(() => resolve())));
  await redis.kill();
  await Promise.all(gone);
  for (const counter of counters) {
    await counter.consume("a");
    await expect(counter.consume("a")).rejects.toMatchObject({ remainingPoints: 0 });
  }
  await redis.start();
});

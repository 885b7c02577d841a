import { expect, it } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { describeCounters } from "../http/middleware/limit-counters.contract.ts";
import { createRedisCounters } from "./rate-counters.ts";

const redis = redisForTests();

describeCounters("Redis", {
  openProcess: async () => createRedisCounters(await redis.openLink()),
  isAlone: false,
});

it("counts in each process from zero while Redis is away", async () => {
  const links = [await redis.openLink(), await redis.openLink()];
  const counters = links.map((link) => createRedisCounters(link)("away", 1, 60));
  await counters[0]?.consume("a");
  const gone = links.map((link) => new Promise<void>((resolve) => link.onChange(() => resolve())));
  await redis.kill();
  await Promise.all(gone);
  for (const counter of counters) {
    await counter.consume("a");
    await expect(counter.consume("a")).rejects.toMatchObject({ remainingPoints: 0 });
  }
  await redis.start();
});

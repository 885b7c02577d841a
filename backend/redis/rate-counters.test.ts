import { expect, it } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { describeCounters } from "../http/middleware/limit-counters.contract.ts";
import { createRedisCounters } from "./rate-counters.ts";

const redis = redisForTests();

describeCounters("a Redis that processes share", {
  openProcess: async () => createRedisCounters(await redis.openLink()),
  isAlone: false,
});

it("while Redis is away each process counts for itself, from zero", async () => {
  const [here, there] = [await redis.openLink(), await redis.openLink()];
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

import { afterAll, beforeAll } from "vitest";
import { startRedis, type OwnRedis } from "../dev/redis-set-up.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { openRedis, type RedisLink } from "../redis/redis-link.ts";
import { describeTickets } from "./tickets.contract.ts";

const bus = createInProcessBus();
describeTickets("the bus of a process that is alone", () => Promise.resolve(bus));

let redis: OwnRedis;
const links: RedisLink[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const link of links) await link.close();
  await redis.stop();
});

describeTickets("the bus of processes that share a Redis", async () => {
  const link = await openRedis(redis.url, { prefix: "test", log: { info: () => undefined, warn: () => undefined } });
  links.push(link);
  return openRedisBus(link, (error) => {
    throw error;
  });
});

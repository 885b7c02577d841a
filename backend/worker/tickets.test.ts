import { redisForTests } from "../dev/testing/test-redis.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { describeTickets } from "./tickets.contract.ts";

const bus = createInProcessBus();
describeTickets("the in-process bus", () => Promise.resolve(bus));

const redis = redisForTests();

describeTickets("the Redis bus", async () => {
  return openRedisBus(await redis.openLink(), (error) => {
    throw error;
  });
});

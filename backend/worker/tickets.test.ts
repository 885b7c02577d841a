import { redisForTests } from "../dev/testing/test-redis.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { describeTickets } from "./tickets.contract.ts";

const bus = createInProcessBus();
describeTickets("the bus of a process that is alone", () => Promise.resolve(bus));

const redis = redisForTests();

describeTickets("the bus of processes that share a Redis", async () => {
  return openRedisBus(await redis.openLink(), (error) => {
    throw error;
  });
});

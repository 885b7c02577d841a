import { describe, expect, it } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import type { Bus } from "../domain/bus.ts";
import { describeBus } from "../domain/bus.contract.ts";
import { openRedisBus } from "./redis-bus.ts";
import type { RedisLink } from "./redis-link.ts";

const redis = redisForTests();
const fail = (error: unknown) => {
  throw error;
};
const openBus = async (prefix?: string): Promise<Bus> => openRedisBus(await redis.openLink(prefix), fail);

describeBus("the bus of processes that share a Redis", { open: openBus, isAlone: false });

function heardBy(bus: Bus): { until(id: string): Promise<void>; readonly ids: string[] } {
  const ids: string[] = [];
  const waiting = new Map<string, () => void>();
  bus.subscribe("job:canceled", ({ id }) => {
    ids.push(id);
    waiting.get(id)?.();
  });
  return {
    ids,
    until: (id) => (ids.includes(id) ? Promise.resolve() : new Promise((resolve) => waiting.set(id, resolve))),
  };
}
const isUp = (link: RedisLink, wanted: boolean) =>
  new Promise<void>((resolve) => {
    if (link.isUp() === wanted) return resolve();
    const end = link.onChange((now) => {
      if (now !== wanted) return;
      end();
      resolve();
    });
  });

describe("while Redis is away", () => {
  it("a process goes on talking to itself, and others hear again once it is back", async () => {
    const [hereLink, thereLink] = [await redis.openLink(), await redis.openLink()];
    const [here, there] = [await openRedisBus(hereLink, fail), await openRedisBus(thereLink, fail)];
    const [atHome, abroad] = [heardBy(here), heardBy(there)];
    await redis.kill();
    await Promise.all([isUp(hereLink, false), isUp(thereLink, false)]);
    here.publish("job:canceled", { id: "lost", attempt: 1 });
    await atHome.until("lost");
    await redis.start();
    await Promise.all([isUp(hereLink, true), isUp(thereLink, true)]);
    // Its subscription comes back on a connection of its own, a moment sooner or later.
    for (let n = 0; !abroad.ids.some((id) => id.startsWith("after")); n += 1) {
      here.publish("job:canceled", { id: `after-${n}`, attempt: 1 });
      await atHome.until(`after-${n}`);
      await hereLink.commands.ping();
    }
    expect(abroad.ids).not.toContain("lost");
    await Promise.all([here.close(), there.close()]);
  });

  it("a command fails at once instead of waiting for its return", async () => {
    const link = await redis.openLink();
    await redis.kill();
    await isUp(link, false);
    await expect(link.commands.ping()).rejects.toThrow(/isn't writeable|closed/i);
    await redis.start();
    await isUp(link, true);
    expect(await link.commands.ping()).toBe("PONG");
  });
});

it("deployments on one Redis do not hear each other", async () => {
  const [ours, theirs] = [await openBus("one"), await openBus("other")];
  const [weHear, theyHear] = [heardBy(ours), heardBy(theirs)];
  ours.publish("job:canceled", { id: "ours", attempt: 1 });
  await weHear.until("ours");
  const [more] = [await openBus("other")];
  more.publish("job:canceled", { id: "theirs", attempt: 1 });
  await theyHear.until("theirs");
  expect(theyHear.ids).toEqual(["theirs"]);
});

it("what is nobody's word is reported and otherwise ignored", async () => {
  const errors: unknown[] = [];
  const link = await redis.openLink("odd");
  const bus = await openRedisBus(link, (error) => errors.push(error));
  const heard = heardBy(bus);
  const word = (topic: string, message: unknown) => JSON.stringify({ from: "somebody", topic, message });
  for (const text of [
    "{",
    word("job:canceled", { id: 7 }),
    word("from-the-future", {}),
    word("job:canceled", { id: "good", attempt: 1 }),
  ])
    await link.commands.publish("odd:bus", text);
  await heard.until("good");
  expect(heard.ids).toEqual(["good"]);
  expect(errors).toHaveLength(2);
});

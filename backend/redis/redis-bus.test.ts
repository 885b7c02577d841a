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

describeBus("the Redis bus", { open: openBus, isAlone: false });

/** Collects the ids of `job:stop` messages. */
function listenTo(bus: Bus): { until(id: string): Promise<void>; readonly ids: string[] } {
  const ids: string[] = [];
  const waiting = new Map<string, () => void>();
  bus.subscribe("job:stop", ({ id }) => {
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
  it("delivers within the process, and to other processes again once Redis is back", async () => {
    const oneLink = await redis.openLink();
    const otherLink = await redis.openLink();
    const one = await openRedisBus(oneLink, fail);
    const other = await openRedisBus(otherLink, fail);
    const onOne = listenTo(one);
    const onOther = listenTo(other);
    await redis.kill();
    await Promise.all([isUp(oneLink, false), isUp(otherLink, false)]);
    one.publish("job:stop", { id: "lost", attempt: 1 });
    await onOne.until("lost");
    await redis.start();
    await Promise.all([isUp(oneLink, true), isUp(otherLink, true)]);
    // The listener reconnects on its own connection, a moment earlier or later than the one for commands.
    for (let n = 0; !onOther.ids.some((id) => id.startsWith("after")); n += 1) {
      one.publish("job:stop", { id: `after-${n}`, attempt: 1 });
      await onOne.until(`after-${n}`);
      await oneLink.commands.ping();
    }
    expect(onOther.ids).not.toContain("lost");
    await Promise.all([one.close(), other.close()]);
  });

  it("fails a command at once instead of waiting for Redis", async () => {
    const link = await redis.openLink();
    await redis.kill();
    await isUp(link, false);
    await expect(link.commands.ping()).rejects.toThrow(/isn't writeable|closed/i);
    await redis.start();
    await isUp(link, true);
    expect(await link.commands.ping()).toBe("PONG");
  });
});

it("does not deliver messages between deployments with different prefixes", async () => {
  const ours = await openBus("one");
  const theirs = await openBus("other");
  const onOurs = listenTo(ours);
  const onTheirs = listenTo(theirs);
  ours.publish("job:stop", { id: "ours", attempt: 1 });
  await onOurs.until("ours");
  const more = await openBus("other");
  more.publish("job:stop", { id: "theirs", attempt: 1 });
  await onTheirs.until("theirs");
  expect(onTheirs.ids).toEqual(["theirs"]);
});

it("reports malformed messages, ignores unknown topics, and delivers the rest", async () => {
  const errors: unknown[] = [];
  const link = await redis.openLink("odd");
  const bus = await openRedisBus(link, (error) => errors.push(error));
  const received = listenTo(bus);
  const envelope = (topic: string, message: unknown) => JSON.stringify({ from: "another process", topic, message });
  for (const text of [
    "{",
    envelope("job:canceled", { id: 7 }),
    envelope("from-the-future", {}),
    envelope("job:canceled", { id: "good", attempt: 1 }),
  ])
    await link.commands.publish("odd:bus", text);
  await received.until("good");
  expect(received.ids).toEqual(["good"]);
  expect(errors).toHaveLength(2);
});

it("sends job:stop under the name that processes of the previous version know", async () => {
  const link = await redis.openLink("versions");
  const bus = await openRedisBus(link, fail);
  const listener = link.openListener();
  await listener.subscribe("versions:bus");
  const sent = new Promise<string>((resolve) => listener.once("message", (_channel, text: string) => resolve(text)));
  bus.publish("job:stop", { id: "a", attempt: 1 });
  expect(JSON.parse(await sent)).toMatchObject({ topic: "job:canceled", message: { id: "a", attempt: 1 } });
  listener.disconnect();
  await bus.close();
});

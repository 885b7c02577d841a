import { expect, it } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { createSharedHostSlots, type HostSlots } from "./host-slots.ts";
import type { RedisLink } from "./redis-link.ts";

const redis = redisForTests();

const unlimited: HostSlots = { acquire: () => Promise.resolve({ [Symbol.dispose]: () => undefined }) };
const never = new AbortController().signal;

async function openProcess(leaseMs = 2_000): Promise<{ slots: HostSlots; link: RedisLink }> {
  const link = await redis.openLink();
  return {
    link,
    slots: createSharedHostSlots(link, {
      perHost: 2,
      leaseMs,
      own: unlimited,
      onError: (error) => expect.unreachable(String(error)),
    }),
  };
}

it("so many at a time are let to one host by all processes together, and others are not kept waiting", async () => {
  const [one, two] = [await openProcess(), await openProcess()];
  const first = await one.slots.acquire("a.example", never);
  const second = await two.slots.acquire("a.example", never);
  const third = one.slots.acquire("a.example", never);
  const isLetIn = third.then(() => "let in");
  // Elsewhere there is room, and asking there takes longer than being let in here would.
  for (let n = 0; n < 5; n += 1) (await two.slots.acquire(`b${n}.example`, never))[Symbol.dispose]();
  expect(await Promise.race([isLetIn, Promise.resolve("waits")])).toBe("waits");
  second[Symbol.dispose]();
  expect(await isLetIn).toBe("let in");
  (await third)[Symbol.dispose]();
  first[Symbol.dispose]();
});

it("a place is kept for as long as it is used, and is free again when its process has died", async () => {
  const [one, two] = [await openProcess(300), await openProcess(300)];
  const held = [await one.slots.acquire("c.example", never), await one.slots.acquire("c.example", never)];
  const waiting = two.slots.acquire("c.example", never);
  const renewedAt = async () =>
    Number((await two.link.commands.zrange("test:host:c.example", "0", "-1", "WITHSCORES"))[1]);
  const before = await renewedAt();
  await expect.poll(renewedAt).toBeGreaterThan(before + 300);
  expect(await Promise.race([waiting.then(() => "let in"), Promise.resolve("waits")])).toBe("waits");
  // As if it were dead: it can renew nothing any more.
  await one.link.close();
  (await waiting)[Symbol.dispose]();
  for (const slot of held) slot[Symbol.dispose]();
});

it("whoever is not needed any more stops waiting", async () => {
  const { slots } = await openProcess();
  const held = [await slots.acquire("d.example", never), await slots.acquire("d.example", never)];
  const leaving = new AbortController();
  const waiting = slots.acquire("d.example", leaving.signal);
  leaving.abort(new Error("nobody waits"));
  await expect(waiting).rejects.toThrow("nobody waits");
  for (const slot of held) slot[Symbol.dispose]();
});

it("nobody waits for a Redis that is away", async () => {
  const { slots, link } = await openProcess();
  const gone = new Promise<void>((resolve) => link.onChange(() => resolve()));
  await redis.kill();
  await gone;
  const held = await Promise.all(Array.from({ length: 3 }, () => slots.acquire("e.example", never)));
  expect(held).toHaveLength(3);
  for (const slot of held) slot[Symbol.dispose]();
  await redis.start();
});

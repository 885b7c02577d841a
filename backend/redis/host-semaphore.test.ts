import { expect, it, onTestFinished, vi } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { RedisHostSemaphore } from "./host-semaphore.ts";
import type { RedisLink } from "./redis-link.ts";

const redis = redisForTests();

const never = new AbortController().signal;

/** Longer than any test, also on a machine that stands still for seconds. */
const LEASE_MS = 600_000;

async function openProcess(leaseMs = LEASE_MS): Promise<{ slots: RedisHostSemaphore; link: RedisLink }> {
  const link = await redis.openLink();
  return {
    link,
    slots: new RedisHostSemaphore(link, {
      perHost: 2,
      leaseMs,
      onError: (error) => expect.unreachable(String(error)),
    }),
  };
}

it("limits the requests of all processes to one host, and not those to other hosts", async () => {
  const one = await openProcess();
  const two = await openProcess();
  const first = await one.slots.acquire("a.example", never);
  const second = await two.slots.acquire("a.example", never);
  const third = one.slots.acquire("a.example", never);
  const acquired = third.then(() => "acquired");
  // Other hosts have free slots; acquiring five of them takes longer than the third one would if there were a slot.
  for (let n = 0; n < 5; n += 1) (await two.slots.acquire(`b${n}.example`, never))[Symbol.dispose]();
  expect(await Promise.race([acquired, Promise.resolve("waiting")])).toBe("waiting");
  second[Symbol.dispose]();
  expect(await acquired).toBe("acquired");
  (await third)[Symbol.dispose]();
  first[Symbol.dispose]();
});

it("renews a slot while it is used", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { slots, link } = await openProcess();
  const slot = await slots.acquire("c.example", never);
  const endOfLease = async () =>
    Number((await link.commands.zrange("test:host:c.example", "0", "-1", "WITHSCORES"))[1]);
  const before = await endOfLease();
  // Each renewal adds as much as has passed by the clock of Redis.
  const afterRenewal = async () => {
    vi.advanceTimersByTime(LEASE_MS / 3);
    return endOfLease();
  };
  await expect.poll(afterRenewal).toBeGreaterThan(before);
  slot[Symbol.dispose]();
});

it("frees the slots of a process that has died when their leases end", async () => {
  const one = await openProcess(300);
  const two = await openProcess(300);
  const held = [await one.slots.acquire("died.example", never), await one.slots.acquire("died.example", never)];
  const waiting = two.slots.acquire("died.example", never);
  // Without its connection it renews nothing any more, as if it were dead.
  await one.link.close();
  const acquired = await waiting;
  expect(acquired).toBeDefined();
  acquired[Symbol.dispose]();
  for (const slot of held) slot[Symbol.dispose]();
});

it("stops waiting when the signal is aborted", async () => {
  const { slots } = await openProcess();
  const held = [await slots.acquire("d.example", never), await slots.acquire("d.example", never)];
  const leaving = new AbortController();
  const waiting = slots.acquire("d.example", leaving.signal);
  leaving.abort(new Error("no longer needed"));
  await expect(waiting).rejects.toThrow("no longer needed");
  for (const slot of held) slot[Symbol.dispose]();
});

it("grants every slot at once while Redis is away", async () => {
  const { slots, link } = await openProcess();
  const gone = new Promise<void>((resolve) => link.onChange(() => resolve()));
  await redis.kill();
  await gone;
  const held = await Promise.all(Array.from({ length: 3 }, () => slots.acquire("e.example", never)));
  expect(held).toHaveLength(3);
  for (const slot of held) slot[Symbol.dispose]();
  await redis.start();
});

import { expect, it } from "vitest";
import { InProcessHostSemaphore } from "./host-semaphore.ts";

const never = new AbortController().signal;
const release = (slot: Disposable): void => slot[Symbol.dispose]();

/** A conversion that acquires slots; `slots` holds those that were granted. */
function conversionOf(semaphore: InProcessHostSemaphore, host = "a") {
  const slots: Disposable[] = [];
  const owner = {};
  return {
    slots,
    acquire: (signal = never) => semaphore.acquire(host, owner, signal).then((slot) => void slots.push(slot)),
  };
}

it("grants no more slots at a host than its limit, and the next one when a slot is released", async () => {
  const semaphore = new InProcessHostSemaphore(2);
  const one = conversionOf(semaphore);
  const requests = [one.acquire(), one.acquire(), one.acquire()];
  await Promise.all(requests.slice(0, 2));
  expect(one.slots).toHaveLength(2);
  release(one.slots[0]!);
  await requests[2];
  expect(one.slots).toHaveLength(3);
});

it("counts the slots of each host separately", async () => {
  const semaphore = new InProcessHostSemaphore(1);
  const a = conversionOf(semaphore, "a");
  const b = conversionOf(semaphore, "b");
  await Promise.all([a.acquire(), b.acquire()]);
  expect([a.slots.length, b.slots.length]).toEqual([1, 1]);
});

it("serves a conversion without slots before one that has slots and has waited longer", async () => {
  const semaphore = new InProcessHostSemaphore(2);
  const greedy = conversionOf(semaphore);
  const newcomer = conversionOf(semaphore);
  await Promise.all([greedy.acquire(), greedy.acquire()]);
  const more = greedy.acquire();
  const first = newcomer.acquire();
  release(greedy.slots[0]!);
  await first;
  expect([greedy.slots.length, newcomer.slots.length]).toEqual([2, 1]);
  release(greedy.slots[1]!);
  await more;
  expect(greedy.slots).toHaveLength(3);
});

it("skips a waiter that was aborted, and releases a slot once when it is disposed twice", async () => {
  const semaphore = new InProcessHostSemaphore(1);
  const one = conversionOf(semaphore);
  const two = conversionOf(semaphore);
  const three = conversionOf(semaphore);
  await one.acquire();
  const abort = new AbortController();
  const aborted = two.acquire(abort.signal);
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  const next = three.acquire();
  release(one.slots[0]!);
  release(one.slots[0]!);
  await next;
  const after = one.acquire();
  expect(one.slots).toHaveLength(1);
  release(three.slots[0]!);
  await after;
  expect(one.slots).toHaveLength(2);
});

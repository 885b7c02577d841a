import { expect, it } from "vitest";
import { SharedExclusiveLock } from "./shared-exclusive-lock.ts";

/** Records acquisitions and releases in order: "+a" acquires the lock, "-a" releases it. */
function openLock() {
  const lock = new SharedExclusiveLock();
  const events: string[] = [];
  const held = new Map<string, Disposable>();
  return {
    events,
    acquire(name: string, isExclusive = false): void {
      void lock.acquire(isExclusive).then((release) => {
        held.set(name, release);
        events.push(`+${name}`);
      });
    },
    /** Releases twice, which must count once. */
    release(name: string): void {
      events.push(`-${name}`);
      held.get(name)?.[Symbol.dispose]();
      held.get(name)?.[Symbol.dispose]();
    },
    /** Waits until every possible acquisition has happened. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

it("lets several holders share the lock", async () => {
  const lock = openLock();
  for (const name of ["a", "b", "c"]) lock.acquire(name);
  await lock.settle();
  expect(lock.events).toEqual(["+a", "+b", "+c"]);
});

it("gives the lock exclusively after all earlier holders have released it, and makes later ones wait", async () => {
  const lock = openLock();
  lock.acquire("a");
  lock.acquire("b");
  lock.acquire("alone", true);
  lock.acquire("late");
  await lock.settle();
  lock.release("a");
  await lock.settle();
  lock.release("b");
  await lock.settle();
  lock.release("alone");
  await lock.settle();
  expect(lock.events).toEqual(["+a", "+b", "-a", "-b", "+alone", "-alone", "+late"]);
});

it("gives the lock to two exclusive holders one after the other", async () => {
  const lock = openLock();
  lock.acquire("one", true);
  lock.acquire("two", true);
  await lock.settle();
  lock.release("one");
  await lock.settle();
  expect(lock.events).toEqual(["+one", "-one", "+two"]);
});

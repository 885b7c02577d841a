import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { slotsForPro } from "./slots-for-pro.ts";
import { openTickets } from "./tickets.ts";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";

let connection: Connection;
beforeAll(async () => {
  connection = await connectToNewDatabase();
});
afterAll(async () => {
  await dropDatabase(connection);
});

it.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [7, 1],
  [8, 2],
  [64, 16],
])("keeps of %i slots %i for Pro", (concurrency, slots) => {
  expect(slotsForPro(concurrency)).toBe(slots);
});

it("starts a job of Pro while jobs of the free plan fill their slots, and before those that wait", async () => {
  const bus = createInProcessBus();
  const tickets = await openTickets(connection, bus, {
    name: randomUUID(),
    concurrency: 3,
    lockMs: 60_000,
    // Longer than the test: every ticket has to be found when it is announced or when a slot is free.
    pollMs: 60_000,
    onError: (error) => expect.unreachable(error.message),
  });
  const taken: string[] = [];
  const ends = new Map<string, () => void>();
  let onTaken = (): void => undefined;
  const untilTaken = async (count: number): Promise<readonly string[]> => {
    while (taken.length < count) await new Promise<void>((resolve) => (onTaken = resolve));
    return taken;
  };
  await tickets.work(({ jobId }) => {
    taken.push(jobId);
    onTaken();
    return new Promise<void>((resolve) => ends.set(jobId, resolve));
  });
  const enqueue = (jobId: string, priority: number) => tickets.enqueue({ jobId, priority });
  for (const n of [1, 2, 3, 4]) await enqueue(`free-${n}`, TIERS.free.priority - n);
  // Two slots that are free at the same time may start their jobs in any order.
  expect((await untilTaken(2)).toSorted()).toEqual(["free-1", "free-2"]);
  await enqueue("pro-1", TIERS.pro.priority);
  expect((await untilTaken(3)).slice(2)).toEqual(["pro-1"]);
  await enqueue("pro-2", TIERS.pro.priority - 999);
  ends.get("free-1")?.();
  expect((await untilTaken(4)).slice(3)).toEqual(["pro-2"]);
  // One after the other, so that the order is known.
  ends.get("free-2")?.();
  expect((await untilTaken(5)).slice(4)).toEqual(["free-3"]);
  ends.get("pro-1")?.();
  expect((await untilTaken(6)).slice(5)).toEqual(["free-4"]);
  for (const end of ends.values()) end();
  await tickets.stop();
  await bus.close();
});

it("gives the slots of tickets that are gone to others", async () => {
  const bus = createInProcessBus();
  const tickets = await openTickets(connection, bus, {
    name: randomUUID(),
    concurrency: 3,
    lockMs: 60_000,
    pollMs: 50,
    onError: () => undefined,
  });
  const taken: string[] = [];
  const ended = Promise.withResolvers<void>();
  await tickets.work(({ jobId }) => {
    taken.push(jobId);
    return ended.promise;
  });
  for (const id of ["gone-1", "gone-2"]) await tickets.enqueue({ jobId: id, priority: TIERS.free.priority });
  await expect.poll(() => taken.length).toBe(2);
  for (const id of ["gone-1", "gone-2"]) await tickets.remove(id);
  await tickets.enqueue({ jobId: "next", priority: TIERS.free.priority });
  await expect.poll(() => taken).toContain("next");
  ended.resolve();
  await tickets.stop();
  await bus.close();
});

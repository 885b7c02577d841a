import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TIERS, type Tier } from "../../common/tiers.ts";
import { type Bus, createInProcessBus } from "../domain/bus.ts";
import { slotsForPro } from "./ticket-turns.ts";
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
  const enqueue = (jobId: string, priority: number) => tickets.enqueue({ jobId, site: "a.example", priority });
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
  for (const id of ["gone-1", "gone-2"])
    await tickets.enqueue({ jobId: id, site: "a.example", priority: TIERS.free.priority });
  await expect.poll(() => taken.length).toBe(2);
  for (const id of ["gone-1", "gone-2"]) await tickets.remove(id);
  await tickets.enqueue({ jobId: "next", site: "a.example", priority: TIERS.free.priority });
  await expect.poll(() => taken).toContain("next");
  ended.resolve();
  await tickets.stop();
  await bus.close();
});

/** A worker that handles tickets until the test ends them, and the order in which it took them. */
async function openWorker(bus: Bus, concurrency: number) {
  const tickets = await openTickets(connection, bus, {
    name: randomUUID(),
    concurrency,
    lockMs: 60_000,
    // Longer than the test.
    pollMs: 60_000,
    onError: (error) => expect.unreachable(error.message),
  });
  const taken: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    tickets,
    taken,
    work: () =>
      tickets.work(({ jobId }) => {
        taken.push(jobId);
        return new Promise<void>((resolve) => ends.set(jobId, resolve));
      }),
    end(jobId: string) {
      ends.get(jobId)?.();
      ends.delete(jobId);
    },
    running: () => ends.size,
    async stop() {
      for (const end of ends.values()) end();
      await tickets.stop();
      // What the next test would find.
      await connection.collection("tickets").deleteMany({});
    },
  };
}

type TestWorker = Awaited<ReturnType<typeof openWorker>>;

/** Adds tickets with names such as "a1", whose first letter is their site; earlier ones have the higher priority. */
async function add({ tickets }: TestWorker, names: readonly string[], tier: Tier = "free"): Promise<void> {
  for (const [index, jobId] of names.entries())
    await tickets.enqueue({ jobId, site: `${jobId.charAt(0)}.example`, priority: TIERS[tier].priority - index });
}

const namesOf = (site: string, count: number) => Array.from({ length: count }, (_, index) => `${site}${index}`);

it.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [5, 4],
])(
  "of %i slots gives a site that is alone %i, in order, which are all but those for Pro",
  async (concurrency, most) => {
    const bus = createInProcessBus();
    const worker = await openWorker(bus, concurrency);
    const names = namesOf("a", most + 2);
    await add(worker, names);
    await worker.work();
    await expect.poll(() => worker.taken.toSorted()).toEqual(names.slice(0, most));
    worker.end("a0");
    await expect.poll(() => worker.taken).toHaveLength(most + 1);
    expect(worker.taken.at(-1)).toBe(names[most]);
    await worker.stop();
    await bus.close();
  },
);

it.each([
  [2, 1],
  [3, 1],
  [4, 2],
  [5, 3],
])("of %i slots gives a site %i while a link of another waits", async (concurrency, share) => {
  const bus = createInProcessBus();
  const worker = await openWorker(bus, concurrency);
  await add(worker, [...namesOf("a", 9), ...namesOf("b", 9)]);
  await worker.work();
  await expect.poll(() => worker.taken.toSorted()).toEqual([...namesOf("a", share), "b0"]);
  // The site that answers has its slot again and again, and the other one no more than it had.
  for (const index of [0, 1, 2]) {
    worker.end(`b${index}`);
    await expect.poll(() => worker.taken.at(-1)).toBe(`b${index + 1}`);
  }
  await worker.stop();
  await bus.close();
});

it("takes links of two sites in turn if it has a single slot", async () => {
  const bus = createInProcessBus();
  const worker = await openWorker(bus, 1);
  await add(worker, ["a0", "a1", "a2", "b0", "b1"]);
  await worker.work();
  for (const name of ["a0", "b0", "a1", "b1"]) {
    await expect.poll(() => worker.taken.at(-1)).toBe(name);
    worker.end(name);
  }
  await expect.poll(() => worker.taken).toEqual(["a0", "b0", "a1", "b1", "a2"]);
  await worker.stop();
  await bus.close();
});

it("takes a job of Pro before one of another site that is not", async () => {
  const bus = createInProcessBus();
  const worker = await openWorker(bus, 2);
  await add(worker, ["a0", "a1"], "pro");
  await add(worker, ["b0"]);
  await worker.work();
  await expect.poll(() => worker.taken.toSorted()).toEqual(["a0", "a1"]);
  worker.end("a0");
  await expect.poll(() => worker.taken.at(-1)).toBe("b0");
  await worker.stop();
  await bus.close();
});

it("holds to its share of the slots of each process while several take from one queue", async () => {
  const bus = createInProcessBus();
  const workers = [await openWorker(bus, 2), await openWorker(bus, 2)];
  const [one] = workers as [TestWorker];
  const taken = () => workers.flatMap((worker) => worker.taken);
  await add(one, namesOf("a", 9));
  for (const { work } of workers) await work();
  await expect.poll(taken).toHaveLength(4);
  await add(one, ["b0", "c0"]);
  for (const worker of workers) worker.end(worker.taken[0] ?? "");
  await expect.poll(() => taken().length).toBe(6);
  expect(
    taken()
      .filter((name) => !name.startsWith("a"))
      .toSorted(),
  ).toEqual(["b0", "c0"]);
  for (const worker of workers) await worker.stop();
  await bus.close();
});

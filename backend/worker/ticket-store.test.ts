import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { openTicketStore, type TicketStore } from "./ticket-store.ts";

let stack: AsyncDisposableStack;
const reported: string[] = [];
beforeEach(() => {
  stack = new AsyncDisposableStack();
  reported.length = 0;
});
afterEach(() => stack.disposeAsync());

const HOUR_MS = 3_600_000;

async function openTestStore(timing: { readonly lockMs: number; readonly pollMs: number }): Promise<TicketStore> {
  const connection = stack.adopt(await connectToNewDatabase(), dropDatabase);
  const names = { ticket: "convert", collection: "tickets", key: "name" };
  const onError = ({ message }: Error) => void reported.push(message);
  const settings = { name: "test", concurrency: 1, ...timing, onError };
  const store = await openTicketStore(connection, createInProcessBus(), names, settings);
  stack.defer(() => store.stop());
  return store;
}

/** One slot, whose tickets are handled only when they or a free slot are announced. */
async function openAnnouncedStore(handle: (name: string) => Promise<void>): Promise<(name: string) => Promise<void>> {
  const store = await openTestStore({ lockMs: HOUR_MS, pollMs: 60_000 });
  const repository = store.agenda.db;
  const saveState = repository.saveJobState.bind(repository);
  repository.saveJobState = async (ticket, ...rest) => {
    const { name } = ticket.data as { name: string };
    if (name === "canceled" && ticket._id) await repository.removeJobs({ id: ticket._id });
    await saveState(ticket, ...rest);
  };
  await store.work((ticket) => handle((ticket.attrs.data as { name: string }).name));
  return (name) => store.add({ name }, 0, new Date());
}

it("fills a slot at once that was taken for longer than the time between two polls", async () => {
  const begun: string[] = [];
  const isBegun = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
  const end = Promise.withResolvers<void>();
  const enqueue = await openAnnouncedStore(async (name) => {
    begun.push(name);
    isBegun[name === "first" ? "first" : "second"].resolve();
    if (name === "first") await end.promise;
  });
  await enqueue("first");
  await isBegun.first.promise;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 60_000 });
  stack.defer(() => void vi.useRealTimers());
  await enqueue("second");
  end.resolve();
  await isBegun.second.promise;
  expect([begun, reported]).toEqual([["first", "second"], []]);
});

it("fills the slot of a ticket at once that was removed when its run began", async () => {
  const isHandled = Promise.withResolvers<void>();
  const handled: string[] = [];
  const enqueue = await openAnnouncedStore((name) => {
    handled.push(name);
    if (name === "next") isHandled.resolve();
    return Promise.resolve();
  });
  await enqueue("canceled");
  await enqueue("next");
  await isHandled.promise;
  expect([handled, reported]).toEqual([["next"], []]);
});

it("reports errors, but not that a ticket was removed when its run began", async () => {
  const { agenda } = await openTestStore({ lockMs: 60_000, pollMs: 100 });
  agenda.define("convert", () => undefined);
  const ticket = agenda.create("convert", {});
  await ticket.save();
  await ticket.remove();
  const error: unknown = await ticket.run().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Error);
  // As Agenda does with an error of a run.
  agenda.emit("error", error);
  agenda.emit("error", new Error("another one"));
  expect(reported).toEqual(["another one"]);
});

it("does not report that the lock is gone while the end of a run is being written", async () => {
  // The clock stands still, so that the lock does not expire on a busy machine.
  vi.useFakeTimers({ toFake: ["Date"] });
  stack.defer(() => void vi.useRealTimers());
  const store = await openTestStore({ lockMs: 200, pollMs: 100 });
  const { agenda } = store;
  const looked = new Promise((resolve) => agenda.on("error", resolve));
  const repository = agenda.db;
  const saveState = repository.saveJobState.bind(repository);
  repository.saveJobState = async (...state) => {
    const [{ lastFinishedAt }] = state;
    // A slow write: Agenda looks at the lock every 100 ms.
    if (lastFinishedAt) await looked;
    await saveState(...state);
  };
  agenda.define("convert", () => undefined);
  const completed = new Promise((resolve) => agenda.on("complete", resolve));
  await agenda.start();
  await agenda.create("convert", {}).save();
  await completed;
  expect(await looked).toBeInstanceOf(Error);
  expect(reported).toEqual([]);
});

it("does not report that a look for tickets fails which its stop has cut off", async () => {
  const store = await openTestStore({ lockMs: 60_000, pollMs: 100 });
  const { agenda } = store;
  agenda.define("convert", () => undefined);
  const isLooking = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<never>();
  agenda.db.getNextJobToRun = () => {
    isLooking.resolve();
    return cut.promise;
  };
  await agenda.start();
  await isLooking.promise;
  await store.takeNoMore();
  const failed = new Promise((resolve) => agenda.on("error", resolve));
  cut.reject(new Error("the database is closed"));
  await failed;
  expect(reported).toEqual([]);
});

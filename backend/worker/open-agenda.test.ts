import type { Agenda } from "agenda";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { openAgenda, removeDoneTickets, stopAgenda } from "./open-agenda.ts";

let stack: AsyncDisposableStack;
const reported: string[] = [];
beforeEach(() => {
  stack = new AsyncDisposableStack();
  reported.length = 0;
});
afterEach(() => stack.disposeAsync());

const HOUR_MS = 3_600_000;

/** An agenda with one slot, which handles tickets only when they or a free slot are announced. */
async function openAnnouncedAgenda(handle: (name: string) => Promise<void>): Promise<(name: string) => Promise<void>> {
  const connection = stack.adopt(await connectToNewDatabase(), dropDatabase);
  const channel = new BusNotificationChannel(createInProcessBus());
  const settings = { name: "test", concurrency: 1, lockMs: HOUR_MS, pollMs: 60_000 };
  const onError = ({ message }: Error) => void reported.push(message);
  const agenda = await openAgenda(connection, channel, { collection: "tickets" }, { ...settings, onError });
  removeDoneTickets(agenda, channel, "convert", onError);
  agenda.define<{ name: string }>(
    "convert",
    // Its type also allows a handler that calls back, so the linter takes the promise for one that is ignored.
    // oxlint-disable-next-line typescript/no-misused-promises
    (ticket) => handle(ticket.attrs.data.name),
    { concurrency: 1, lockLimit: 1, lockLifetime: HOUR_MS },
  );
  const repository = agenda.db;
  const saveState = repository.saveJobState.bind(repository);
  repository.saveJobState = async (ticket, ...rest) => {
    const { name } = ticket.data as { name: string };
    if (name === "canceled" && ticket._id) await repository.removeJobs({ id: ticket._id });
    await saveState(ticket, ...rest);
  };
  await agenda.start();
  stack.defer(() => agenda.stop(false));
  return async (name) => void (await agenda.create("convert", { name }).save());
}

it("fills a slot at once that was taken for longer than the time between two polls", async () => {
  const begun: string[] = [];
  const isBegun = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
  const end = Promise.withResolvers<void>();
  const enqueue = await openAnnouncedAgenda(async (name) => {
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
  const enqueue = await openAnnouncedAgenda((name) => {
    handled.push(name);
    if (name === "next") isHandled.resolve();
    return Promise.resolve();
  });
  await enqueue("canceled");
  await enqueue("next");
  await isHandled.promise;
  expect([handled, reported]).toEqual([["next"], []]);
});

async function openTestAgenda(lockMs: number): Promise<Agenda> {
  const connection = stack.adopt(await connectToNewDatabase(), dropDatabase);
  return openAgenda(
    connection,
    new BusNotificationChannel(createInProcessBus()),
    { collection: "tickets" },
    { name: "test", concurrency: 1, lockMs, pollMs: 100, onError: ({ message }) => reported.push(message) },
  );
}

it("reports errors, but not that a ticket was removed when its run began", async () => {
  const agenda = await openTestAgenda(60_000);
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
  const agenda = await openTestAgenda(200);
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
  stack.defer(() => agenda.stop(false));
  await agenda.create("convert", {}).save();
  await completed;
  expect(await looked).toBeInstanceOf(Error);
  expect(reported).toEqual([]);
});

it("does not report that a look for tickets fails which its stop has cut off", async () => {
  const agenda = await openTestAgenda(60_000);
  agenda.define("convert", () => undefined);
  const isLooking = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<never>();
  agenda.db.getNextJobToRun = () => {
    isLooking.resolve();
    return cut.promise;
  };
  await agenda.start();
  await isLooking.promise;
  await stopAgenda(agenda);
  const failed = new Promise((resolve) => agenda.on("error", resolve));
  cut.reject(new Error("the database is closed"));
  await failed;
  expect(reported).toEqual([]);
});

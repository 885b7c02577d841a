import type { Agenda } from "agenda";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { openAgenda } from "./open-agenda.ts";

let stack: AsyncDisposableStack;
const reported: string[] = [];
beforeEach(() => {
  stack = new AsyncDisposableStack();
  reported.length = 0;
});
afterEach(() => stack.disposeAsync());

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

import { once } from "node:events";
import { createRequire } from "node:module";
import { connect, createServer, type AddressInfo } from "node:net";
import mongoose, { type Connection } from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DatabaseAwayError, isDatabaseAway, watchDatabase } from "./database-watch.ts";

const systemError = (syscall: string, code: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
const { MongoNetworkError, MongoServerError } = mongoose.mongo;

it.each([
  ["a lost database", new DatabaseAwayError(), true],
  ["a broken connection", new MongoNetworkError("connect ECONNREFUSED"), true],
  ["a write to a connection that has just broken", systemError("write", "ECONNRESET"), true],
  ["a write to a connection that was closed", systemError("write", "EPIPE"), true],
  ["a full disk of MongoDB", new MongoServerError({ message: "no space", code: 14_031 }), true],
  ["a write to a full disk of this machine", systemError("write", "ENOSPC"), false],
  ["a file that may not be opened", systemError("open", "EACCES"), false],
  ["a query that is wrong", new MongoServerError({ message: "unknown operator", code: 2 }), false],
  ["any other error", new Error("write ECONNRESET"), false],
])("tells whether the database is away by its error: %s", (_, error, isAway) => {
  expect(isDatabaseAway(error)).toBe(isAway);
});

it("counts each code as away after which the driver tries again, and a full disk", () => {
  // The driver does not export its list, only its own file does.
  const driver = createRequire(createRequire(import.meta.url).resolve("mongoose"))("mongodb/lib/error.js") as {
    isRetryableReadError(error: Error): boolean;
  };
  const codes = Array.from({ length: 20_000 }, (_, code) => code + 1);
  const refused = (code: number) => new MongoServerError({ message: "refused", code });
  expect(codes.filter((code) => isDatabaseAway(refused(code)))).toEqual(
    codes.filter((code) => driver.isRetryableReadError(refused(code)) || code === 14_031),
  );
});

it("tells so by the error of a write after the database has ended the connection", async () => {
  const server = createServer((socket) => socket.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const failed = once(socket, "error");
  await once(socket.resume(), "end");
  socket.write("too late");
  const [error] = (await failed) as [unknown];
  expect(isDatabaseAway(error)).toBe(true);
  server.close();
});

describe("the watch", () => {
  const LOST_AFTER_MS = 3_000;

  let nowMs = 0;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Lets the watch handle what its timers and pings have told it. */
  async function settle(): Promise<void> {
    for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** @param lateMs how much later than their time the timers run, as in a process that stood still */
  async function pass(ms: number, lateMs = 0): Promise<void> {
    nowMs += ms + lateMs;
    vi.advanceTimersByTime(ms);
    await settle();
  }

  /** Watches a database that answers no ping before `answer` is called. */
  function watchSilentDatabase() {
    let ping = Promise.withResolvers<void>();
    const command = (): Promise<void> => (ping = Promise.withResolvers<void>()).promise;
    const watch = watchDatabase({ db: { command } } as unknown as Connection);
    const stop = async (): Promise<void> => {
      const stopped = watch.stop();
      ping.resolve();
      await stopped;
    };
    return { watch, answer: () => ping.resolve(), [Symbol.asyncDispose]: stop };
  }

  it("counts a database as lost that gives no answer for three seconds", async () => {
    await using database = watchSilentDatabase();
    await pass(500);
    await pass(LOST_AFTER_MS - 1);
    expect(database.watch.isUp()).toBe(true);
    await pass(1);
    expect(database.watch.isUp()).toBe(false);
  });

  it("does not count a time in which this process stood still, and asks again", async () => {
    await using database = watchSilentDatabase();
    await pass(500);
    await pass(LOST_AFTER_MS, 60_000);
    expect(database.watch.isUp()).toBe(true);
    await pass(500);
    await pass(LOST_AFTER_MS);
    expect(database.watch.isUp()).toBe(false);
  });

  it("reads an answer that arrived while this process stood still", async () => {
    await using database = watchSilentDatabase();
    await pass(500);
    nowMs += LOST_AFTER_MS;
    vi.advanceTimersByTime(LOST_AFTER_MS);
    // The answer is read after the timers have run.
    database.answer();
    await settle();
    expect(database.watch.isUp()).toBe(true);
  });

  it("says how long the last answer took, and that there is none while the database is lost", async () => {
    await using database = watchSilentDatabase();
    expect(database.watch.answerMs()).toBeUndefined();
    await pass(500);
    await pass(40);
    database.answer();
    await settle();
    expect(database.watch.answerMs()).toBe(40);
    await pass(500);
    await pass(LOST_AFTER_MS);
    expect(database.watch.answerMs()).toBeNull();
  });
});

import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { startRedis } from "../dev/stand-ins/redis.ts";
import { openRedis, RedisUnusable, type RedisLink } from "./redis-link.ts";

const settings = { prefix: "test", log: { info: () => undefined, warn: () => undefined } };
/** For tests that are not about a Redis that hangs: a busy machine may stand still for seconds. */
const patient = { ...settings, commandTimeoutMs: 60_000 };
const nextChange = (link: RedisLink) =>
  new Promise<boolean>((resolve) => {
    const end = link.onChange((isUp) => {
      end();
      resolve(isUp);
    });
  });

it("rejects a Redis that cannot be reached with a sentence that hides the password", async () => {
  const unreachable = openRedis("redis://:secret@127.0.0.1:1", settings);
  await expect(unreachable).rejects.toThrow(RedisUnusable);
  await expect(unreachable).rejects.toThrow("does not answer as it should (connect ECONNREFUSED 127.0.0.1:1)");
});

/** Answers as a Redis of this version. Leaves subscriptions to the test: emits "subscribe" with the socket. */
async function startFakeRedis(version: string) {
  const info = `redis_version:${version}\r\nloading:0\r\n`;
  const server = createServer((socket) => {
    socket.on("data", (data) => {
      for (const [, command = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        if (command === "subscribe") server.emit("subscribe", socket);
        else socket.write(command === "info" ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
    });
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const nextSubscription = async () => ((await once(server, "subscribe")) as [Socket])[0];
  return { server, url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, nextSubscription };
}

it("rejects a Redis that is too old for streams", async () => {
  const { server, url } = await startFakeRedis("4.0.14");
  await expect(openRedis(url, patient)).rejects.toThrow("is version 4.0.14, but 5.0 or newer is needed");
  server.close();
});

it("closes without an unhandled rejection before Redis has confirmed that a listener subscribed again", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const { server, url, nextSubscription } = await startFakeRedis("7.0.0");
  const link = await openRedis(url, patient);
  const listener = link.openListener();
  const first = nextSubscription();
  const confirmed = listener.subscribe("something");
  const socket = await first;
  socket.write("*3\r\n$9\r\nsubscribe\r\n$9\r\nsomething\r\n:1\r\n");
  await confirmed;
  const again = nextSubscription();
  socket.destroy();
  await again;
  const ended = once(listener, "end");
  await link.close();
  await ended;
  // Node reports unhandled rejections before this.
  await setImmediate();
  expect(unhandled).toEqual([]);
  process.off("unhandledRejection", note);
  server.close();
});

it("closes the connection once when Redis hangs, and detects that it answers again", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, { ...settings, commandTimeoutMs: 5_000, pingIntervalMs: 200 });
  const { stream } = link.commands;
  const listenerCounts: number[] = [];
  stream.prependOnceListener("close", () => listenerCounts.push(stream.listenerCount("close")));
  const before = stream.listenerCount("close");
  const gone = nextChange(link);
  redis.pause();
  expect(await gone).toBe(false);
  expect(listenerCounts).toEqual([before - 1]);
  await expect(link.commands.ping()).rejects.toThrow(/isn't writeable|closed/i);
  const back = nextChange(link);
  redis.resume();
  expect(await back).toBe(true);
  await link.close();
  await redis.stop();
});

it("is down when a listener is cut off, and not when it is closed on purpose", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, patient);
  const one = link.openListener();
  const two = link.openListener();
  const id = String(await two.client("ID"));
  for (const listener of [one, two]) await listener.subscribe("something");
  const changes: boolean[] = [];
  link.onChange((isUp) => changes.push(isUp));
  const ended = once(one, "end");
  one.disconnect();
  await ended;
  expect(changes).toEqual([]);
  const gone = nextChange(link);
  await link.commands.client("KILL", "ID", id);
  expect(await gone).toBe(false);
  expect(await nextChange(link)).toBe(true);
  await link.close();
  await redis.stop();
});

it("closes at once while Redis is away, and does not reconnect", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, patient);
  const listener = link.openListener();
  await listener.subscribe("something");
  const gone = nextChange(link);
  await redis.kill();
  await gone;
  await link.close();
  expect(link.isUp()).toBe(false);
  await redis.start();
  const after = await openRedis(redis.url, patient);
  // Only this new link has connected since the restart.
  expect(await after.commands.info("stats")).toContain("total_connections_received:1\r\n");
  await after.close();
  await redis.stop();
});

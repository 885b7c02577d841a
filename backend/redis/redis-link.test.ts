import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
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

it("rejects a Redis that is too old for streams", async () => {
  const info = "redis_version:4.0.14\r\nloading:0\r\n";
  const old = createServer((socket) => {
    socket.on("data", (data) => {
      for (const [, command = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(/info/i.test(command) ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
    });
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(old, "listening");
  await expect(openRedis(`redis://127.0.0.1:${(old.address() as AddressInfo).port}`, settings)).rejects.toThrow(
    "is version 4.0.14, but 5.0 or newer is needed",
  );
  old.close();
});

it("detects that Redis hangs and that it answers again", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, settings);
  const gone = nextChange(link);
  redis.pause();
  expect(await gone).toBe(false);
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

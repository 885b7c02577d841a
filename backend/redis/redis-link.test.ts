import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { startRedis } from "../dev/stand-ins/redis.ts";
import { openRedis, RedisUnusable, type RedisLink } from "./redis-link.ts";

const settings = { prefix: "test", log: { info: () => undefined, warn: () => undefined } };
const nextChange = (link: RedisLink) =>
  new Promise<boolean>((resolve) => {
    const end = link.onChange((isUp) => {
      end();
      resolve(isUp);
    });
  });

it("a Redis that cannot be reached is refused in a sentence, without its password", async () => {
  const unreachable = openRedis("redis://:secret@127.0.0.1:1", settings);
  await expect(unreachable).rejects.toThrow(RedisUnusable);
  await expect(unreachable).rejects.toThrow("does not answer as it should (connect ECONNREFUSED 127.0.0.1:1)");
});

it("one that is too old for streams is refused by its version", async () => {
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

it("one that hangs is noticed, and so is its return", async () => {
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

it("a listener that is closed on purpose is no loss, one that is cut off is", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, settings);
  const [one, two] = [link.open(), link.open()];
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

it("closing one that is gone waits for nothing, and it is not looked for any more", async () => {
  const redis = await startRedis();
  const link = await openRedis(redis.url, settings);
  const listener = link.open();
  await listener.subscribe("something");
  const gone = nextChange(link);
  await redis.kill();
  await gone;
  await link.close();
  expect(link.isUp()).toBe(false);
  await redis.start();
  const after = await openRedis(redis.url, settings);
  // So often has it been connected to since its return.
  expect(await after.commands.info("stats")).toContain("total_connections_received:1\r\n");
  await after.close();
  await redis.stop();
});

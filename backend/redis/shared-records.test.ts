/** Records that processes share, through a real Redis. What they are used for is tested in shared-exits.test.ts. */
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { RedisSharedRecords } from "./shared-records.ts";
import type { RedisLink } from "./redis-link.ts";

const redis = redisForTests();

async function openRecords(): Promise<{ records: RedisSharedRecords<number>; commands: RedisLink["commands"] }> {
  const link = await redis.openLink("records");
  const records = await RedisSharedRecords.open<number>(link, {
    name: "number",
    schema: z.number(),
    initial: 0,
    keepMs: 60_000,
    join: Math.max,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { records, commands: link.commands };
}

it("keeps the newest value when it arrives together with the answer to a write that came too late", async () => {
  // No pings, which would be the last commands instead.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const one = await openRecords();
  const two = await openRecords();
  const twoId = await two.commands.client("ID");
  const lastCommandOfTwo = async (): Promise<string | undefined> => {
    const clients = String(await one.commands.client("LIST"));
    const line = clients.split("\n").find((client) => client.startsWith(`id=${twoId} `));
    return / cmd=(\S+)/.exec(line ?? "")?.[1];
  };
  await one.records.update("key", () => 1);
  two.records.get("key");
  await expect.poll(() => two.records.get("key")).toBe(1);
  // The answers of Redis wait here, and are read at once.
  two.commands.stream.pause();
  await one.records.update("key", () => 2);
  await expect.poll(lastCommandOfTwo).toBe("hmget");
  const tooLate = two.records.update("key", (value) => (value === 1 ? 100 : undefined));
  await expect.poll(lastCommandOfTwo).toBe("eval");
  await one.records.update("key", () => 3);
  await expect.poll(lastCommandOfTwo).toBe("hmget");
  two.commands.stream.resume();
  await tooLate;
  expect(two.records.get("key")).toBe(3);
});

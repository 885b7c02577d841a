/** Every key in Redis has an end. */
import { Server } from "socket.io";
import { expect, it } from "vitest";
import { z } from "zod";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { RedisHostSemaphore } from "./host-semaphore.ts";
import { createRedisCounters } from "./rate-counters.ts";
import type { RedisLink } from "./redis-link.ts";
import { RedisSharedRecords } from "./shared-records.ts";
import { RedisSharedResults } from "./shared-results.ts";
import { createSocketAdapter } from "./socket-adapter.ts";

const redis = redisForTests();
const never = new AbortController().signal;
/** Longer than any test, also on a machine that stands still for seconds. */
const LONG_MS = 600_000;
const onError = (error: unknown): never => expect.unreachable(String(error));

/** Publishes events to the stream of sockets, as a worker does. */
function openEmitter(link: RedisLink, keptMs?: number): Pick<Server, "emit"> {
  const settings = { hasBrowsers: false, maxLength: 1_000 };
  return new Server({ adapter: createSocketAdapter(link, keptMs === undefined ? settings : { ...settings, keptMs }) });
}

it("is set for what each part writes", async () => {
  const link = await redis.openLink("all");
  await createRedisCounters(link)("requests", 5, 60).consume("an-address");
  await new RedisHostSemaphore(link, { perHost: 2, leaseMs: LONG_MS, onError }).acquire("a.example", never);
  const schema = z.object({ n: z.number() });
  const records = await RedisSharedRecords.open(link, {
    name: "exit",
    schema,
    initial: { n: 0 },
    keepMs: LONG_MS,
    join: (own) => own,
    onError,
  });
  await records.update("direct", ({ n }) => ({ n: n + 1 }));
  const results = new RedisSharedResults(link, { name: "extraction", leaseMs: LONG_MS, onError });
  const outcome = await results.acquire("a link", never);
  if ("turn" in outcome) await outcome.turn.keep(Buffer.from("metadata"), LONG_MS);
  openEmitter(link).emit("job", {});

  const readKeys = async (): Promise<string[]> => (await link.commands.keys("all:*")).toSorted();
  await expect
    .poll(readKeys)
    .toEqual([
      "all:exit:direct",
      expect.stringMatching(/^all:extraction:.+:lease$/),
      expect.stringMatching(/^all:extraction:.+:result$/),
      "all:host:a.example",
      "all:limit:requests:an-address",
      "all:sockets:stream",
    ]);
  for (const key of await readKeys()) await expect.poll(() => link.commands.pttl(key)).toBeGreaterThan(0);
});

it("comes for each event of the stream, also while others are added, and for the stream", async () => {
  const link = await redis.openLink("stream");
  const server = openEmitter(link, 200);
  const readIds = async () => (await link.commands.xrange("stream:sockets:stream", "-", "+")).map(([id]) => id);
  let ids: readonly string[] = [];
  // An event is added before each reading: on a busy machine those before may have expired.
  const addAndRead = async (): Promise<readonly string[]> => {
    server.emit("job", {});
    ids = await readIds();
    return ids;
  };
  await expect.poll(addAndRead).not.toEqual([]);
  const [first = ""] = ids;
  await expect.poll(async () => (await addAndRead()).length > 0 && !ids.includes(first)).toBe(true);
  await expect.poll(() => link.commands.exists("stream:sockets:stream")).toBe(0);
});

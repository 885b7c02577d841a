import { expect, it, onTestFinished, vi } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import type { RedisLink } from "./redis-link.ts";
import { RedisSharedResults } from "./shared-results.ts";

const redis = redisForTests();
const never = new AbortController().signal;

/** Longer than any test, also on a machine that stands still for seconds. */
const LEASE_MS = 600_000;

async function openProcess(
  leaseMs = LEASE_MS,
  name = "work",
): Promise<{ results: RedisSharedResults; link: RedisLink }> {
  const link = await redis.openLink();
  const onError = (error: unknown): never => expect.unreachable(String(error));
  return { link, results: new RedisSharedResults(link, { name, leaseMs, onError }) };
}

type Outcome = Awaited<ReturnType<RedisSharedResults["acquire"]>>;
function turnOf(outcome: Outcome) {
  if (!("turn" in outcome)) throw new Error("there is a result");
  return outcome.turn;
}

it("lets one process work while the others wait, and gives them its result", async () => {
  const one = await openProcess();
  const two = await openProcess();
  const turn = turnOf(await one.results.acquire("a", never));
  const waiting = two.results.acquire("a", never);
  expect(await Promise.race([waiting.then(() => "done"), two.results.acquire("b", never).then(() => "b")])).toBe("b");
  await turn.keep(Buffer.from([0, 255]), 60_000);
  await turn[Symbol.asyncDispose]();
  expect(await waiting).toEqual({ result: Buffer.from([0, 255]) });
  await one.results.forget("a");
  expect(await two.results.acquire("a", never)).toHaveProperty("turn");
});

it("forgets all results of its name, and nothing else", async () => {
  const one = await openProcess(5_000, "forgotten");
  const other = await openProcess(5_000, "kept");
  for (const key of ["a", "b"])
    for (const { results } of [one, other]) {
      await using turn = turnOf(await results.acquire(key, never));
      await turn.keep(Buffer.from(key), 60_000);
    }
  await one.results.forgetAll();
  expect(await one.results.acquire("a", never)).toHaveProperty("turn");
  expect(await one.results.acquire("b", never)).toHaveProperty("turn");
  expect(await other.results.acquire("a", never)).toHaveProperty("result");
});

it("lets another process take over when the work failed, or its process died", async () => {
  const one = await openProcess(300);
  const two = await openProcess(300);
  await turnOf(await one.results.acquire("failed", never))[Symbol.asyncDispose]();
  expect(await two.results.acquire("failed", never)).toHaveProperty("turn");

  await one.results.acquire("died", never);
  const waiting = two.results.acquire("died", never);
  // Without its connection it renews nothing any more, as if it were dead.
  await one.link.close();
  expect(await waiting).toHaveProperty("turn");
});

it("renews the lease while the work goes on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  // A name of its own: leases of the other tests may still be there.
  const one = await openProcess(LEASE_MS, "long-work");
  const two = await openProcess(LEASE_MS, "long-work");
  const turn = turnOf(await one.results.acquire("long", never));
  const leaving = new AbortController();
  const waiting = two.results.acquire("long", leaving.signal).then(() => "done");
  const [lease = ""] = await one.link.commands.keys("test:long-work:*:lease");
  for (let renewals = 0; renewals < 3; renewals += 1) {
    // As if half of the lease had passed.
    await one.link.commands.pexpire(lease, LEASE_MS / 2);
    vi.advanceTimersByTime(LEASE_MS / 3);
    await expect.poll(() => one.link.commands.pttl(lease)).toBeGreaterThan(LEASE_MS / 2);
  }
  expect(await Promise.race([waiting, Promise.resolve("waiting")])).toBe("waiting");
  leaving.abort(new Error("no longer needed"));
  await expect(waiting).rejects.toThrow("no longer needed");
  await turn[Symbol.asyncDispose]();
});

it("lets every process work for itself while Redis is away", async () => {
  const processes = [await openProcess(), await openProcess()];
  const gone = processes.map(({ link }) => new Promise<void>((resolve) => link.onChange(() => resolve())));
  await redis.kill();
  await Promise.all(gone);
  for (const { results } of processes) {
    const outcome = await results.acquire("away", never);
    expect(outcome).toHaveProperty("turn");
    const turn = turnOf(outcome);
    await turn.keep(Buffer.from("alone"), 1_000);
    await turn[Symbol.asyncDispose]();
  }
  await redis.start();
});

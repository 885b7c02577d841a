/** Exits that several processes use: what one of them learns holds for all, through a real Redis. */
import { expect, it } from "vitest";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import { ExitState, joinStates, UNUSED_EXIT } from "../pipeline/exits/exit-state.ts";
import { parseExit } from "../pipeline/exits/exit.ts";
import { RedisSharedRecords } from "./shared-records.ts";
import type { RedisLink } from "./redis-link.ts";

const redis = redisForTests();
const never = new AbortController().signal;
const MINUTE_MS = 60_000;

interface Process {
  readonly pool: ExitPool;
  readonly link: RedisLink;
  readonly log: string[];
}

/** @param prefix one for each test, so that none sees the states of another one */
async function openProcess(prefix: string, clock: { nowMs: number }, extractionsPerHour = Infinity): Promise<Process> {
  const link = await redis.openLink(prefix);
  const states = await RedisSharedRecords.open<ExitState>(link, {
    name: "exit",
    schema: ExitState,
    initial: UNUSED_EXIT,
    keepMs: 60 * MINUTE_MS,
    join: joinStates,
    onError: (error) => expect.unreachable(String(error)),
  });
  const log: string[] = [];
  const exits = ["http://user:secret@one:3128", "http://two:3128"].map(parseExit);
  const pool = new ExitPool({
    exits,
    extractionsPerHour,
    states,
    log: (line) => log.push(line),
    now: () => clock.nowMs,
  });
  return { pool, link, log };
}

it("pauses an exit in all processes when one of them is refused, and lets one of them test it", async () => {
  const clock = { nowMs: 0 };
  const one = await openProcess("pause", clock);
  const two = await openProcess("pause", clock);
  const refused = await one.pool.acquire(never);
  expect(refused.exit.name).toBe("one:3128");
  await refused.refused("bot check");
  await expect.poll(() => two.pool.statuses[0]?.isPaused).toBe(true);
  for (let uses = 0; uses < 3; uses += 1) expect((await two.pool.acquire(never)).exit.name).toBe("two:3128");
  await (await two.pool.acquire(never)).refused("bot check");

  clock.nowMs = 5 * MINUTE_MS;
  const first = await one.pool.acquire(never);
  const second = await two.pool.acquire(never);
  expect(new Set([first.exit.name, second.exit.name])).toEqual(new Set(["one:3128", "two:3128"]));
  // Both exits are tested: the others wait until one of the tests has ended, whichever process made it.
  const waiting = two.pool.acquire(never);
  await first.succeeded();
  expect((await waiting).exit.name).toBe(first.exit.name);
  expect(one.log).toEqual(["exit one:3128 is paused for 5 min: bot check", `exit ${first.exit.name} works again`]);
  expect(two.log).toEqual(["exit two:3128 is paused for 5 min: bot check"]);
});

it("counts one budget for all processes, also when they ask at the same moment", async () => {
  const clock = { nowMs: 0 };
  const one = await openProcess("budget", clock, 10);
  const two = await openProcess("budget", clock, 10);
  const leaving = new AbortController();
  let granted = 0;
  /** When each one that waits may go on. */
  const waiting = new Map<number, number>();
  const ask = async ({ pool }: Process, id: number): Promise<void> => {
    await pool.acquire(leaving.signal, { onWait: (untilMs) => void waiting.set(id, untilMs) });
    granted += 1;
  };
  const asked = Array.from({ length: 24 }, (_, id) => ask(id % 2 === 0 ? one : two, id));
  await expect.poll(() => [...waiting.values()]).toEqual(Array(4).fill(60 * MINUTE_MS));
  await expect.poll(() => granted).toBe(20);
  leaving.abort(new Error("tested enough"));
  await Promise.allSettled(asked);
  expect(granted).toBe(20);
});

it("goes on alone with what it knows while Redis is away, and shares what it learned afterwards", async () => {
  const clock = { nowMs: 0 };
  const one = await openProcess("away", clock);
  const two = await openProcess("away", clock);
  await (await one.pool.acquire(never)).refused("bot check");
  await expect.poll(() => two.pool.statuses[0]?.isPaused).toBe(true);
  const gone = [one, two].map(({ link }) => new Promise<void>((resolve) => link.onChange(() => resolve())));
  await redis.kill();
  await Promise.all(gone);
  const permit = await two.pool.acquire(never);
  expect(permit.exit.name).toBe("two:3128");
  await permit.refused("429");
  expect(one.pool.statuses.map(({ isPaused }) => isPaused)).toEqual([true, false]);
  // It comes back empty.
  await redis.start();
  await expect.poll(() => one.pool.statuses.map(({ isPaused }) => isPaused)).toEqual([true, true]);
  expect(two.pool.statuses.map(({ isPaused }) => isPaused)).toEqual([true, true]);
});

it("keeps no credentials in Redis, and nothing for ever", async () => {
  const { pool, link } = await openProcess("names", { nowMs: 0 });
  await (await pool.acquire(never)).refused("bot check");
  const keys = await link.commands.keys("names:*");
  expect(keys).toEqual(["names:exit:one:3128"]);
  expect((await link.commands.hvals(keys[0] ?? "")).join(" ")).not.toContain("secret");
  expect(await link.commands.pttl(keys[0] ?? "")).toBeGreaterThan(0);
});

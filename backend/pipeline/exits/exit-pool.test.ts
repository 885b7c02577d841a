import { describe, expect, it, vi } from "vitest";
import { type Exit, parseExit } from "./exit.ts";
import { ExitPool } from "./exit-pool.ts";

const never = new AbortController().signal;
const exits: readonly Exit[] = [parseExit("http://one:3128"), parseExit("http://two:3128")];
const MINUTE_MS = 60_000;

function poolAt(clock: { nowMs: number }, extractionsPerHour = Infinity, own = exits): ExitPool {
  return new ExitPool({ exits: own, extractionsPerHour, now: () => clock.nowMs });
}

/** @returns "waits" if the promise has not settled after all callbacks that are due */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  await new Promise(setImmediate);
  return Promise.race([promise, Promise.resolve("waits")]);
}

describe("parseExit", () => {
  it.each([
    ["http://proxy:3128", { name: "proxy:3128", proxyUrl: "http://proxy:3128" }],
    ["http://ann:secret@proxy:3128/", { name: "proxy:3128", proxyUrl: "http://ann:secret@proxy:3128" }],
    ["192.0.2.7", { name: "192.0.2.7", localAddress: "192.0.2.7" }],
    ["2001:db8::7", { name: "2001:db8::7", localAddress: "2001:db8::7" }],
    ["direct", { name: "direct" }],
  ])("reads %s", (text, exit) => {
    expect(parseExit(text)).toEqual(exit);
  });

  it.each(["", "proxy", "socks5://proxy:1080", "http://proxy/path", "300.1.1.1"])("refuses %j", (text) => {
    expect(() => parseExit(text)).toThrow(RangeError);
  });
});

describe("ExitPool", () => {
  it("spreads extractions over the exits", async () => {
    const pool = poolAt({ nowMs: 0 });
    const names = [];
    for (let index = 0; index < 4; index += 1) names.push((await pool.acquire(never)).exit.name);
    expect(names).toEqual(["one:3128", "two:3128", "one:3128", "two:3128"]);
  });

  it.each([
    [2, 0, true],
    [2, 1, false],
    [3, 1, true],
    [3, 2, false],
    [Infinity, 99, true],
  ])("with a budget of %i of which %i are spent has some to spare: %s", async (budget, spent, hasSpare) => {
    const pool = poolAt({ nowMs: 0 }, budget, exits.slice(0, 1));
    for (let index = 0; index < spent; index += 1) await pool.acquire(never);
    expect(pool.hasSpare).toBe(hasSpare);
  });

  it("has nothing to spare while every exit is paused, or while somebody waits", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock);
    await (await pool.acquire(never)).refused("bot check");
    expect(pool.hasSpare).toBe(true);
    await (await pool.acquire(never)).refused("bot check");
    expect(pool.hasSpare).toBe(false);
    void pool.acquire(never);
    clock.nowMs = 5 * MINUTE_MS;
    expect(pool.hasSpare).toBe(false);
  });

  it("gives an exit that a caller avoids only where no other can be used", async () => {
    const pool = poolAt({ nowMs: 0 });
    const avoided = "one:3128";
    const names = [];
    for (let index = 0; index < 3; index += 1) names.push((await pool.acquire(never, { avoided })).exit.name);
    expect(names).toEqual(["two:3128", "two:3128", "two:3128"]);
    const permit = await pool.acquire(never, { avoided });
    await permit.refused("bot check");
    expect((await pool.acquire(never, { avoided })).exit.name).toBe(avoided);
  });

  it("pauses a refused exit, lets one caller test it afterwards, and gives it to all after a success", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock);
    await (await pool.acquire(never)).refused("bot check");
    for (let index = 0; index < 3; index += 1) expect((await pool.acquire(never)).exit.name).toBe("two:3128");

    clock.nowMs = 5 * MINUTE_MS;
    const trial = await pool.acquire(never);
    expect(trial.exit.name).toBe("one:3128");
    const two = await pool.acquire(never);
    await two.refused("bot check");
    const second = pool.acquire(never);
    expect(await stateOf(second)).toBe("waits");
    await trial.succeeded();
    expect((await second).exit.name).toBe("one:3128");
  });

  it("tests an exit as soon as its pause is over, and then spreads extractions over all again", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock);
    await (await pool.acquire(never)).refused("bot check");
    clock.nowMs = MINUTE_MS;
    await (await pool.acquire(never)).succeeded();

    clock.nowMs = 5 * MINUTE_MS;
    const names = [];
    for (let index = 0; index < 4; index += 1) {
      const permit = await pool.acquire(never);
      names.push(permit.exit.name);
      await permit.succeeded();
    }
    expect(names).toEqual(["one:3128", "two:3128", "one:3128", "two:3128"]);
  });

  it("doubles the pause with each refusal in a row, to an hour at most", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock, Infinity, exits.slice(0, 1));
    for (const minutes of [5, 10, 20, 40, 60, 60]) {
      const permit = await pool.acquire(never);
      await permit.refused("429");
      clock.nowMs += minutes * MINUTE_MS - 1;
      expect(pool.statuses[0]?.isPaused).toBe(true);
      clock.nowMs += 1;
      expect(pool.statuses[0]?.isPaused).toBe(false);
    }
  });

  it("pauses an exit as long as the site asked for, if that is longer", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock);
    await (await pool.acquire(never)).refused("429", 30 * MINUTE_MS);
    clock.nowMs = 29 * MINUTE_MS;
    expect(pool.statuses[0]).toMatchObject({ isPaused: true });
  });

  it("counts one refusal of several conversions that ran at once", async () => {
    const pool = poolAt({ nowMs: 0 }, Infinity, exits.slice(0, 1));
    const permits = [await pool.acquire(never), await pool.acquire(never), await pool.acquire(never)];
    for (const permit of permits) await permit.refused("bot check");
    expect(pool.statuses[0]).toMatchObject({ refusalsInARow: 1 });
  });

  it("makes callers wait when every budget is spent, tells them until when, and serves them in order", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    try {
      const pool = new ExitPool({ exits: exits.slice(0, 1), extractionsPerHour: 10 });
      const startMs = Date.now();
      const order: number[] = [];
      const waits: number[] = [];
      const callers = Array.from({ length: 15 }, async (_, index) => {
        await pool.acquire(never, { onWait: (untilMs) => (waits[index] = untilMs) });
        order.push(index);
      });
      await Promise.all(callers.slice(0, 10));
      expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(waits[10]).toBe(startMs + 60 * MINUTE_MS);
      await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
      await Promise.all(callers);
      expect(order).toEqual(Array.from({ length: 15 }, (_, index) => index));
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not end a pause when a use that began before it succeeds", async () => {
    const pool = poolAt({ nowMs: 0 }, Infinity, exits.slice(0, 1));
    const [refused, slow] = [await pool.acquire(never), await pool.acquire(never)];
    await refused.refused("bot check");
    await slow.succeeded();
    expect(pool.statuses).toEqual([{ name: "one:3128", isPaused: true, refusalsInARow: 1 }]);
  });

  it("ends a test whose caller has died after three minutes", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock, Infinity, exits.slice(0, 1));
    await (await pool.acquire(never)).refused("bot check");
    clock.nowMs = 5 * MINUTE_MS;
    await pool.acquire(never);
    clock.nowMs = 8 * MINUTE_MS - 1;
    expect(pool.nextUseMs).toBe(Infinity);
    clock.nowMs = 8 * MINUTE_MS;
    expect((await pool.acquire(never)).exit.name).toBe("one:3128");
  });

  it("tells apart exits of one proxy with different users", () => {
    const urls = ["http://ann:a@gate:3128", "http://bob:b@gate:3128"];
    const pool = poolAt({ nowMs: 0 }, Infinity, urls.map(parseExit));
    expect(pool.statuses.map(({ name }) => name)).toEqual(["gate:3128", "gate:3128#2"]);
    expect(pool.find("gate:3128#2")?.proxyUrl).toBe(urls[1]);
  });

  it("forgets a caller that gives up waiting", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock, Infinity, exits.slice(0, 1));
    const permit = await pool.acquire(never);
    await permit.refused("bot check");
    const controller = new AbortController();
    const gone = pool.acquire(controller.signal);
    controller.abort(new Error("canceled"));
    await expect(gone).rejects.toThrow("canceled");
    clock.nowMs = 5 * MINUTE_MS;
    expect((await pool.acquire(never)).exit.name).toBe("one:3128");
  });

  it("lets the next caller test an exit when the one before learned nothing", async () => {
    const clock = { nowMs: 0 };
    const pool = poolAt(clock, Infinity, exits.slice(0, 1));
    await (await pool.acquire(never)).refused("bot check");
    clock.nowMs = 5 * MINUTE_MS;
    const trial = await pool.acquire(never);
    const second = pool.acquire(never);
    await trial.release();
    await expect(second).resolves.toMatchObject({ exit: { name: "one:3128" } });
  });
});

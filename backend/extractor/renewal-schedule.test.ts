/** When a newer yt-dlp is looked for. The lock of each try is refused, so that nothing is installed. */
import { once, EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import type { Canaries } from "./canary.ts";
import { ExtractorFolder } from "./extractor-folder.ts";
import type { CurrentExtractor } from "./current-extractor.ts";
import { parseRelease } from "./releases.ts";
import { Renewal } from "./renewal.ts";

const NOW_MS = Date.UTC(2026, 7, 20);
const HOUR_MS = 3_600_000;
const OLD = "2026.8.5";
const RECENT = "2026.8.6";
/** Not old either after some of the times between two tries. */
const NEW = "2026.8.20";

let home: string;
let renewal: Renewal;
let current: Partial<CurrentExtractor>;
let tries: number;
let events: EventEmitter;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: NOW_MS });
  home = await testFolder();
  tries = 0;
  events = new EventEmitter();
});
afterEach(async () => {
  await renewal[Symbol.asyncDispose]();
  vi.useRealTimers();
});

function open(version: string, release = "stable"): Renewal {
  current = { version };
  renewal = new Renewal({
    release: parseRelease(release),
    rules: { waitMs: 0, names: new Set() },
    folder: new ExtractorFolder(home),
    current: current as CurrentExtractor,
    canaries: {} as Canaries,
    openDraft: () => expect.fail("nothing is installed"),
    tryLock: () => {
      tries += 1;
      events.emit("try");
      return Promise.resolve(undefined);
    },
    log: { info: () => undefined, warn: (line) => expect.fail(line) },
  });
  return renewal;
}

/** Writes when a newer release was looked for last. */
async function lookedFor(agoMs: number, release = "stable"): Promise<void> {
  await new ExtractorFolder(home).changeKnowledge({ checkedAtMs: NOW_MS - agoMs, checkedFor: release });
}

/** Starts the renewal and waits until its first decision is made. */
async function start(version: string, release?: string): Promise<number> {
  open(version, release).start();
  await renewal[Symbol.asyncDispose]();
  return tries;
}

describe("at the start", () => {
  it("tries when yt-dlp is 15 days old, not when it is 14", async () => {
    expect(await start(RECENT)).toBe(0);
    expect(await start(OLD)).toBe(1);
  });

  it("tries when the last try of any process is three hours ago, not sooner", async () => {
    await lookedFor(3 * HOUR_MS - 1);
    expect(await start(OLD)).toBe(0);
    await lookedFor(3 * HOUR_MS);
    expect(await start(OLD)).toBe(1);
  });

  it("tries at once when another kind of release is wanted than before", async () => {
    await lookedFor(0);
    expect(await start(RECENT)).toBe(0);
    expect(await start(RECENT, "nightly")).toBe(1);
  });

  it("tries at once when another version is pinned than the one in use", async () => {
    await lookedFor(0, "pinned 2026.7.1");
    expect(await start("2026.7.1", "pinned 2026.7.1")).toBe(0);
    expect(await start(RECENT, "pinned 2026.7.1")).toBe(1);
  });
});

it("tries every five to seven hours after that", async () => {
  open(NEW).start();
  for (let count = 1; count <= 5; count += 1) {
    vi.advanceTimersByTime(5 * HOUR_MS - 1);
    expect(tries).toBe(count - 1);
    const tried = once(events, "try");
    const before = Date.now();
    vi.advanceTimersToNextTimer();
    await tried;
    expect(Date.now() - before).toBeLessThanOrEqual(2 * HOUR_MS + 1);
  }
});

it("tries at once when canaries begin to fail, and then again after three hours at the earliest", async () => {
  await lookedFor(3 * HOUR_MS - 1);
  open(RECENT).checkBecauseOfCanaries(false);
  await renewal[Symbol.asyncDispose]();
  expect(tries).toBe(0);
  open(RECENT).checkBecauseOfCanaries(true);
  await renewal[Symbol.asyncDispose]();
  expect(tries).toBe(1);
  await lookedFor(3 * HOUR_MS);
  open(RECENT).checkBecauseOfCanaries(false);
  await renewal[Symbol.asyncDispose]();
  expect(tries).toBe(2);
});

it("tries for a job whose site has changed, unless the last try is less than a quarter of an hour ago", async () => {
  for (const [agoMs, expected] of [
    [HOUR_MS / 4 - 1, 0],
    [HOUR_MS / 4, 1],
  ] as const) {
    await lookedFor(agoMs);
    open(RECENT);
    current.lookForNewer?.();
    current.lookForNewer?.();
    await renewal[Symbol.asyncDispose]();
    expect(tries).toBe(expected);
  }
  open(RECENT, `pinned ${RECENT}`);
  expect(current.lookForNewer).toBeUndefined();
});

it("tries when most extractions fail, unless the last try is less than three hours ago", async () => {
  for (const [agoMs, expected] of [
    [3 * HOUR_MS - 1, 0],
    [3 * HOUR_MS, 1],
  ] as const) {
    await lookedFor(agoMs);
    open(RECENT);
    current.onBad?.();
    current.onBad?.();
    await renewal[Symbol.asyncDispose]();
    expect(tries).toBe(expected);
  }
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GuardSession } from "./egress-guard.ts";
import { watchStall, type StallWatch } from "./stall-watch.ts";

const STALL_MS = 10_000;
const TICK_MS = 1_000;

let nowMs = 0;
let session: { bytesFetched: number };
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  session = { bytesFetched: 0 };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const watch = (isPaused?: () => boolean): StallWatch =>
  watchStall(session as GuardSession, STALL_MS, { windowMs: 2 * STALL_MS, bytes: 1_000 }, isPaused);

/** @param lateMs how much later than its time the tick comes, as in a process that stood still */
function tick(lateMs = 0): void {
  nowMs += TICK_MS + lateMs;
  vi.advanceTimersByTime(TICK_MS);
}

it("ends a download that receives no byte for the whole time, and no sooner", () => {
  using watched = watch();
  for (let n = 0; n < 9; n += 1) tick();
  expect(watched.stalled.aborted).toBe(false);
  tick();
  expect(watched.stalled.reason).toMatchObject({ code: "timeout", detail: "no byte for 10000 ms after 0 bytes" });
});

it("ends a download that receives fewer bytes than the least pace", () => {
  using watched = watch();
  for (let n = 0; n < 19; n += 1) {
    session.bytesFetched += 49;
    tick();
  }
  expect(watched.stalled.aborted).toBe(false);
  session.bytesFetched += 49;
  tick();
  expect(watched.stalled.reason).toMatchObject({ detail: "fewer than 1000 bytes in 20000 ms" });
});

it("counts a time in which the process stood still as two ticks", () => {
  using watched = watch();
  tick(60_000);
  for (let n = 0; n < 7; n += 1) tick();
  expect(watched.stalled.aborted).toBe(false);
  tick();
  expect(watched.stalled.aborted).toBe(true);
});

it("does not count pauses", () => {
  let isPaused = true;
  using watched = watch(() => isPaused);
  for (let n = 0; n < 30; n += 1) tick();
  isPaused = false;
  for (let n = 0; n < 9; n += 1) tick();
  expect(watched.stalled.aborted).toBe(false);
  tick();
  expect(watched.stalled.aborted).toBe(true);
});

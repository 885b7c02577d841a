import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TooManyRequests } from "../errors/site-refusal.ts";
import { RequestPauses } from "./request-pauses.ts";

const never = new AbortController().signal;
const MAX_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A site that asks for pauses, and what the pauses report. */
function openPauses(): { pauses: RequestPauses; reported: (number | null)[] } {
  const reported: (number | null)[] = [];
  const startMs = Date.now();
  const onPause = (untilMs: number | null): void => void reported.push(untilMs === null ? null : untilMs - startMs);
  return { pauses: new RequestPauses({ maxMs: MAX_MS, onPause, random: () => 0.5 }), reported };
}

/** @returns a request that is refused with each of the times, and then succeeds at the time that it returns */
function refused(...retryAfterMs: readonly (number | undefined)[]): () => Promise<number> {
  const left = [...retryAfterMs];
  const startMs = Date.now();
  return async () => {
    if (left.length > 0) throw new TooManyRequests(left.shift());
    return Date.now() - startMs;
  };
}

it.each<[string, readonly (number | undefined)[], number, readonly (number | null)[]]>([
  ["sends a request at once when the site does not ask for a pause", [], 0, []],
  ["pauses as long as the site asks", [5_000], 5_000, [5_000, null]],
  ["pauses up to the bound", [MAX_MS], MAX_MS, [MAX_MS, null]],
  ["doubles the pause where the site names no time", [undefined, undefined], 3_750, [1_250, null, 3_750, null]],
  ["asks less and less often a site that names no real time", [0, 0, 0], 7_500, [2_500, null, 7_500, null]],
])("%s", async (_, answers, endMs, reports) => {
  const { pauses, reported } = openPauses();
  const result = pauses.run(refused(...answers), never);
  await vi.runAllTimersAsync();
  expect(await result).toBe(endMs);
  expect(reported).toEqual(reports);
});

it.each<[string, readonly (number | undefined)[], number | undefined]>([
  ["a pause above the bound", [MAX_MS + 1], MAX_MS + 1],
  ["pauses that are together above the bound", [30_000, 30_001], 30_001],
  ["pauses without a time that are together above the bound", Array(9).fill(undefined), undefined],
])("gives up before %s, and says how long the site asked to wait", async (_, answers, retryAfterMs) => {
  const { pauses } = openPauses();
  const failure = pauses.run(refused(...answers), never).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await failure).toBeInstanceOf(TooManyRequests);
  expect(await failure).toMatchObject({ retryAfterMs });
});

it("counts pauses anew after a request that succeeds", async () => {
  const { pauses } = openPauses();
  for (let round = 0; round < 3; round += 1) {
    const result = pauses.run(refused(40_000), never);
    await vi.runAllTimersAsync();
    expect(await result).toBe(40_000);
  }
});

it("makes one pause of the answers to requests that were under way, and the longest counts", async () => {
  const { pauses, reported } = openPauses();
  const times = Promise.all([2_000, undefined, 5_000, 1_000].map((asked) => pauses.run(refused(asked), never)));
  await vi.advanceTimersByTimeAsync(0);
  const late = pauses.run(refused(), never);
  await vi.runAllTimersAsync();
  expect(await times).toEqual([5_000, 5_000, 5_000, 5_000]);
  expect(await late).toBe(5_000);
  expect(reported).toEqual([2_000, 5_000, null]);
});

it("ends a pause for a caller that aborts, and for all when it is disposed of", async () => {
  const { pauses, reported } = openPauses();
  const controller = new AbortController();
  const gone = pauses.run(refused(5_000), controller.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1);
  const canceled = new Error("canceled");
  controller.abort(canceled);
  expect(await gone).toBe(canceled);
  pauses[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  expect(reported).toEqual([5_000]);
});

it("passes other failures on", async () => {
  const { pauses } = openPauses();
  await expect(pauses.run(() => Promise.reject(new Error("broken")), never)).rejects.toThrow("broken");
});

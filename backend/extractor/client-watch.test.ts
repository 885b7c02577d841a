import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../common/durations.ts";
import type { CanaryResult } from "./canary.ts";
import { ClientWatch } from "./client-watch.ts";

let lines: string[];
let nowMs: number;
let tried: string[];
let result: CanaryResult;
let watch: ClientWatch;

beforeEach(() => {
  lines = [];
  nowMs = 0;
  tried = [];
  result = "failed";
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  watch = new ClientWatch({ log, nowMs: () => nowMs });
  watch.tryClient = (client) => {
    tried.push(client);
    return Promise.resolve(result);
  };
});
afterEach(() => watch[Symbol.asyncDispose]());

/** The first client gets some videos, and is refused others, which the second one gets. */
async function read(worked: number, failed: number): Promise<void> {
  for (let index = 0; index < worked; index += 1) watch.note(`worked ${index}`, "visionos", []);
  for (let index = 0; index < failed; index += 1) watch.note(`failed ${index}`, "default", ["visionos"]);
  await watch.settled();
}

describe("a client is tried alone", () => {
  it.each([
    [0, 19, []],
    [0, 20, ["visionos"]],
    [11, 10, []],
    [10, 10, ["visionos"]],
    // The last 40 videos count.
    [40, 19, []],
    [40, 20, ["visionos"]],
  ])("after %d videos that it got and %d that it was refused: %j", async (worked, failed, expected) => {
    await read(worked, failed);
    expect(tried).toEqual(expected);
    expect([...watch.failing]).toEqual(expected);
  });

  it("not because of one video that is asked for again and again", async () => {
    for (let index = 0; index < 30; index += 1) watch.note("one", "default", ["visionos"]);
    await watch.settled();
    expect(tried).toEqual([]);
  });

  it("once in half an hour", async () => {
    result = "passed";
    await read(0, 30);
    expect(tried).toEqual(["visionos"]);
    nowMs = 30 * MINUTE_MS - 1;
    await read(0, 20);
    expect(tried).toHaveLength(1);
    nowMs += 1;
    await read(0, 20);
    expect(tried).toHaveLength(2);
  });
});

it.each<CanaryResult>(["passed", "undecided"])("keeps the place of a client whose canary has %s", async (outcome) => {
  result = outcome;
  await read(0, 20);
  expect(watch.failing.size).toBe(0);
  expect(lines).toEqual([]);
});

it("logs why a client is asked last, and when it is asked in its place again", async () => {
  await read(5, 20);
  await watch.retry();
  result = "undecided";
  await watch.retry();
  expect(watch.failing).toEqual(new Set(["visionos"]));
  result = "passed";
  await watch.retry();
  expect(watch.failing.size).toBe(0);
  expect(lines).toEqual([
    expect.stringMatching(/visionos is asked last from now on: it was refused 75 % .* and a canary that another/),
    "YOUTUBE_CLIENTS: visionos is asked in its place again: it reads a canary again",
  ]);
});

it("needs as many refusals as before after a client came back", async () => {
  await read(0, 20);
  result = "passed";
  await watch.retry();
  nowMs = 30 * MINUTE_MS;
  await read(0, 19);
  expect(tried).toHaveLength(2);
});

it("tries failing clients when yt-dlp was changed", async () => {
  await read(0, 20);
  result = "passed";
  watch.toolChanged();
  await watch.settled();
  expect(watch.failing.size).toBe(0);
});

it("lets the videos decide where no canary is known", async () => {
  watch.tryClient = undefined;
  await read(0, 20);
  expect(watch.failing).toEqual(new Set(["visionos"]));
  await watch.retry();
  expect(watch.failing.size).toBe(0);
});

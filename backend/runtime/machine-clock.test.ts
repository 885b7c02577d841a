import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { HOUR_MS, SECOND_MS } from "../../common/durations.ts";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { watchMachineClock } from "./machine-clock.ts";

const domain = domainForTests();
afterEach(() => void vi.useRealTimers());

/** Watches the clock from now on. @returns what it says */
async function watched(): Promise<Disposable & { readonly said: string[] }> {
  const said: string[] = [];
  const log = pino({ base: null }, { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) });
  const watch = await watchMachineClock(domain.jobs, log);
  return { said, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}

it("warns at the start of a clock that is behind the newest job, and of no other", async () => {
  using empty = await watched();
  const job = await createConversion(domain, newViewer(), { youtubeUrl: "https://video.example/1", format: "mp3" });
  using right = await watched();
  await domain.jobs.updateOne({ _id: job._id }, { createdAt: new Date(Date.now() + HOUR_MS) });
  using behind = await watched();
  expect([empty.said, right.said]).toEqual([[], []]);
  expect(behind.said).toEqual([expect.stringMatching(/^The clock of this machine is at .+ wait until .+ NTP/)]);
});

it.each([
  [-HOUR_MS, ["The clock went back by 3600 s"]],
  [-5 * SECOND_MS, ["The clock went back by 5 s"]],
  [-4 * SECOND_MS, []],
  [4 * SECOND_MS, []],
  [HOUR_MS, ["The clock went forward by 3600 s, or the machine slept"]],
])("says once that the clock was set by %d ms", async (stepMs, starts) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date", "performance"] });
  using clock = await watched();
  vi.setSystemTime(Date.now() + stepMs);
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
  expect(clock.said).toEqual(starts.map((start) => expect.stringContaining(start) as string));
});

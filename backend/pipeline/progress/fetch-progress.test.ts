import { expect, it } from "vitest";
import { FetchProgress } from "./fetch-progress.ts";
import { ProgressReporter, type ConvertProgress } from "./progress-reporter.ts";

/** @returns the progress of a fetched MP3 with a clock, and what was reported of it */
function open() {
  const clock = { ms: 0 };
  const received: ConvertProgress[] = [];
  let fetchedCount = 0;
  const nowMs = (): number => clock.ms;
  const progress = new FetchProgress({
    reporter: new ProgressReporter({
      planned: { download: 1, convert: 2, store: 0.1 },
      work: "mp3",
      listen: (one) => received.push(one),
      nowMs,
    }),
    format: "mp3",
    bytesFetched: () => 0,
    files: () => [],
    onFetched: () => (fetchedCount += 1),
    nowMs,
  });
  return { progress, clock, received, fetchedCount: () => fetchedCount };
}

it("reports the beginning at once, and chunks ten times a second", () => {
  const { progress, clock, received } = open();
  expect(received).toHaveLength(1);
  for (; clock.ms < 1_000; clock.ms += 1) {
    progress.fetched(clock.ms / 2_000);
    progress.encoded(clock.ms / 4_000);
  }
  expect(received).toHaveLength(10);
  const percents = received.map(({ percent }) => percent);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.at(-1)).toBeGreaterThan(0);
});

it("reports the end of the download and of the encode at once", () => {
  const { progress, clock, received, fetchedCount } = open();
  clock.ms = 500;
  progress.fetched(0.9);
  expect(received.at(-1)).toMatchObject({ stage: "download" });
  progress.fetched(1);
  expect(received.at(-1)).toMatchObject({ stage: "convert" });
  expect(fetchedCount()).toBe(1);
  const before = received.length;
  progress.encoded(0.9);
  progress.encoded(1);
  expect(received).toHaveLength(before + 1);
});

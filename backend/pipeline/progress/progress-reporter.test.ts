import { expect, it } from "vitest";
import { ProgressReporter, type ConvertProgress } from "./progress-reporter.ts";

/** A reporter with a clock of its own, and what it said last. */
function reporterFor(planned: { download: number; convert: number; store: number }) {
  let nowMs = 0;
  let last: ConvertProgress | undefined;
  const reporter = new ProgressReporter({
    planned,
    work: "mp3",
    listen: (progress) => (last = progress),
    nowMs: () => nowMs,
  });
  return (atSeconds: number, stage: "download" | "convert" | "store", fraction: number) => {
    nowMs = atSeconds * 1_000;
    reporter.report(stage, fraction);
    return last;
  };
}

it("gives a slow download its true part of the whole, and does not make the encoding slower for it", () => {
  const at = reporterFor({ download: 2, convert: 3, store: 1 });
  at(0, "download", 0);
  expect(at(10, "download", 0.25)).toMatchObject({ percent: 22, etaSeconds: 34 });
  expect(at(40, "download", 1)).toMatchObject({ percent: 90, etaSeconds: 4 });
});

it("does not leap through a download that is over at once", () => {
  const at = reporterFor({ download: 16, convert: 3, store: 1 });
  at(0, "download", 0);
  expect(at(1, "download", 1)).toMatchObject({ percent: 20 });
  expect(at(1, "convert", 0)).toMatchObject({ percent: 20 });
  expect(at(3, "convert", 0.5)).toMatchObject({ percent: 50, etaSeconds: expect.closeTo(2.9, 1) as number });
});

it("holds the bar where it is when the pace falls, and says nothing of the time left before there is a pace", () => {
  const at = reporterFor({ download: 8, convert: 1, store: 1 });
  expect(at(0, "download", 0)).not.toHaveProperty("etaSeconds");
  const before = at(4, "download", 0.5)?.percent;
  expect(at(60, "download", 0.51)?.percent).toBeGreaterThanOrEqual(before ?? 0);
});

it("tells the time left by how it went lately, not by how it began", () => {
  const at = reporterFor({ download: 8, convert: 1, store: 1 });
  at(0, "download", 0);
  at(10, "download", 0.1);
  at(11, "download", 0.2);
  at(12, "download", 0.3);
  expect(at(13, "download", 0.4)).toMatchObject({ etaSeconds: 8 });
});

it("says again where it stands while nothing else is to be said, with less time left", () => {
  let nowMs = 0;
  const heard: ConvertProgress[] = [];
  const reporter = new ProgressReporter({
    planned: { download: 8, convert: 1, store: 1 },
    work: "mp3",
    listen: (progress) => heard.push(progress),
    nowMs: () => nowMs,
  });
  reporter.tick();
  expect(heard).toEqual([]);
  reporter.report("download", 0);
  nowMs = 2_000;
  reporter.report("download", 0.5);
  nowMs = 3_000;
  reporter.tick();
  expect(heard.at(-1)).toMatchObject({ stage: "download", etaSeconds: 3, percent: heard.at(-2)?.percent });
  // A line that has gone quiet makes it longer, not shorter.
  nowMs = 6_000;
  reporter.tick();
  expect(heard.at(-1)).toMatchObject({ stage: "download", etaSeconds: 8, percent: heard.at(-2)?.percent });
});

it("counts fetching and encoding side by side as one", () => {
  let nowMs = 0;
  const heard: ConvertProgress[] = [];
  const reporter = new ProgressReporter({
    planned: { download: 20, convert: 10, store: 1 },
    work: "mp3",
    listen: (progress) => heard.push(progress),
    nowMs: () => nowMs,
  });
  reporter.report("download", 0);
  for (let tenth = 0; tenth <= 10; tenth += 1) {
    nowMs = tenth * 1_000;
    reporter.reportOverlapped(Math.min(1, tenth / 5), tenth / 10);
  }
  expect(heard.at(6)).toMatchObject({ stage: "convert", etaSeconds: 6 });
  expect(heard.map(({ percent }) => percent)).toEqual(heard.map(({ percent }) => percent).toSorted((a, b) => a - b));
});

it("says nothing of the time left while nobody knows what has to be done with what is fetched", () => {
  let nowMs = 0;
  const heard: ConvertProgress[] = [];
  const reporter = new ProgressReporter({
    planned: { download: 2, convert: 60, store: 1 },
    listen: (progress) => heard.push(progress),
    nowMs: () => nowMs,
  });
  reporter.report("download", 0);
  nowMs = 1_000;
  reporter.report("download", 0.5);
  expect(heard.at(-1)).not.toHaveProperty("etaSeconds");
  reporter.expect({ work: "copy", seconds: 0.5 });
  nowMs = 1_500;
  reporter.report("download", 0.75);
  expect(heard.at(-1)).toMatchObject({ etaSeconds: 2 });
});

it("goes by the slower of fetching and encoding", () => {
  let nowMs = 0;
  const heard: ConvertProgress[] = [];
  const reporter = new ProgressReporter({
    planned: { download: 20, convert: 2, store: 0.5 },
    work: "mp3",
    listen: (progress) => heard.push(progress),
    nowMs: () => nowMs,
  });
  for (let tenth = 0; tenth <= 4; tenth += 1) {
    nowMs = tenth * 2_000;
    // The encoder takes what there is in gulps.
    reporter.reportOverlapped(tenth / 10, Math.floor(tenth / 2) * 0.2);
  }
  expect(heard.at(-1)).toMatchObject({ stage: "download", etaSeconds: 12.5 });
});

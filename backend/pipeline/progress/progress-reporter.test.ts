import { expect, it } from "vitest";
import { ProgressReporter, type ConvertProgress, type ReporterOptions } from "./progress-reporter.ts";

type Options = Pick<ReporterOptions, "planned" | "work">;

/** @returns a new reporter with a clock, and what it has told */
function open({ planned, work }: Options) {
  const clock = { ms: 0 };
  const received: ConvertProgress[] = [];
  const reporter = new ProgressReporter({
    planned,
    work,
    listen: (progress) => received.push(progress),
    nowMs: () => clock.ms,
  });
  return { reporter, clock, received };
}

/** @returns a function that reports progress at a given time to a new reporter, and returns the last progress */
function reporterFor(planned: Options["planned"]) {
  const { reporter, clock, received } = open({ planned, work: "mp3" });
  return (atSeconds: number, stage: "download" | "convert" | "store", fraction: number) => {
    clock.ms = atSeconds * 1_000;
    reporter.report(stage, fraction);
    return received.at(-1);
  };
}

it("gives a slow download a larger share of the percentage without a longer estimate for the encode", () => {
  const at = reporterFor({ download: 2, convert: 3, store: 1 });
  at(0, "download", 0);
  expect(at(10, "download", 0.25)).toMatchObject({ percent: 22, etaSeconds: 34 });
  expect(at(40, "download", 1)).toMatchObject({ percent: 90, etaSeconds: 4 });
});

it("does not jump ahead when a download is over in less than its planned time", () => {
  const at = reporterFor({ download: 16, convert: 3, store: 1 });
  at(0, "download", 0);
  expect(at(1, "download", 1)).toMatchObject({ percent: 20 });
  expect(at(1, "convert", 0)).toMatchObject({ percent: 20 });
  expect(at(3, "convert", 0.5)).toMatchObject({ percent: 52, etaSeconds: expect.closeTo(2.9, 1) as number });
});

it("never lowers the percentage when the pace falls, and reports no time left before a pace is known", () => {
  const at = reporterFor({ download: 8, convert: 1, store: 1 });
  expect(at(0, "download", 0)).not.toHaveProperty("etaSeconds");
  const before = at(4, "download", 0.5)?.percent;
  expect(at(60, "download", 0.51)?.percent).toBeGreaterThanOrEqual(before ?? 0);
});

it("estimates the time left from the recent pace, not from the pace since the start", () => {
  const at = reporterFor({ download: 8, convert: 1, store: 1 });
  at(0, "download", 0);
  at(10, "download", 0.1);
  at(11, "download", 0.2);
  at(12, "download", 0.3);
  expect(at(13, "download", 0.4)).toMatchObject({ etaSeconds: 8 });
});

it("moves the bar on a tick, with less time left, and not while nothing comes", () => {
  const { reporter, clock, received } = open({ planned: { download: 8, convert: 1, store: 1 }, work: "mp3" });
  reporter.tick();
  expect(received).toEqual([]);
  reporter.report("download", 0);
  clock.ms = 2_000;
  reporter.report("download", 0.5);
  clock.ms = 3_000;
  reporter.tick();
  // A third of the way after 2 of 6 s, and half of it a second later.
  expect(received.slice(-2)).toMatchObject([
    { stage: "download", etaSeconds: 4, percent: 33 },
    { stage: "download", etaSeconds: 3, percent: 50 },
  ]);
  // Without any report for 1.5 s the estimate becomes longer, not shorter.
  clock.ms = 6_000;
  reporter.tick();
  expect(received.at(-1)).toMatchObject({ stage: "download", etaSeconds: 8, percent: received.at(-2)?.percent });
});

it("does not run to its end when a source that was nearly there pauses", () => {
  const { reporter, clock, received } = open({ planned: { download: 1, convert: 0.1, store: 0.1 }, work: "mp3" });
  for (let step = 0; step <= 10; step += 1) {
    clock.ms = step * 100;
    reporter.reportOverlapped(step * 0.06, 0);
  }
  expect(received.at(-1)).toMatchObject({ percent: 47, etaSeconds: expect.closeTo(0.77, 1) as number });
  for (const ms of [1_250, 1_500, 1_750, 2_000, 2_250]) {
    clock.ms = ms;
    reporter.tick();
  }
  expect(received.at(-1)?.percent).toBeLessThan(80);
});

it.each([
  { name: "2 s: one and a half of its pauses", pauseMs: 2_000, silentAfterMs: 3_000 },
  { name: "10 s: at most 5 s", pauseMs: 10_000, silentAfterMs: 5_000 },
])("moves the bar between the bursts of a source that pauses for $name", ({ pauseMs, silentAfterMs }) => {
  const { reporter, clock, received } = open({ planned: { download: 8, convert: 1, store: 1 }, work: "mp3" });
  const percentAfter = (ms: number) => {
    clock.ms = 4 * pauseMs + ms;
    reporter.tick();
    return received.at(-1)?.percent ?? 0;
  };
  for (let burst = 0; burst <= 4; burst += 1) {
    clock.ms = burst * pauseMs;
    reporter.report("download", burst / 20);
  }
  const before = received.at(-1)?.percent ?? 0;
  const last = percentAfter(silentAfterMs - 1);
  expect(last).toBeGreaterThan(before);
  expect(percentAfter(silentAfterMs)).toBe(last);
  expect(percentAfter(silentAfterMs + 60_000)).toBe(last);
});

it("counts a download and an encode that overlap as one stage", () => {
  const { reporter, clock, received } = open({ planned: { download: 20, convert: 10, store: 1 }, work: "mp3" });
  reporter.report("download", 0);
  for (let tenth = 0; tenth <= 10; tenth += 1) {
    clock.ms = tenth * 1_000;
    reporter.reportOverlapped(Math.min(1, tenth / 5), tenth / 10);
  }
  expect(received.at(6)).toMatchObject({ stage: "convert", etaSeconds: 6 });
  expect(received.map(({ percent }) => percent)).toEqual(
    received.map(({ percent }) => percent).toSorted((a, b) => a - b),
  );
});

it("reports no time left while the work after the download is unknown", () => {
  const { reporter, clock, received } = open({ planned: { download: 2, convert: 60, store: 1 } });
  reporter.report("download", 0);
  clock.ms = 1_000;
  reporter.report("download", 0.5);
  expect(received.at(-1)).not.toHaveProperty("etaSeconds");
  reporter.expect({ work: "copy", seconds: 0.5 });
  clock.ms = 1_500;
  reporter.report("download", 0.75);
  expect(received.at(-1)).toMatchObject({ etaSeconds: 2 });
});

it("reports the time left of the slower of download and encode when they overlap", () => {
  const { reporter, clock, received } = open({ planned: { download: 20, convert: 2, store: 0.5 }, work: "mp3" });
  for (let tenth = 0; tenth <= 4; tenth += 1) {
    clock.ms = tenth * 2_000;
    // The encoder reads its input in large steps.
    reporter.reportOverlapped(tenth / 10, Math.floor(tenth / 2) * 0.2);
  }
  expect(received.at(-1)).toMatchObject({ stage: "download", etaSeconds: 12.5 });
});

it("believes a longer time left after 1.5 s, so that a pause of the connection does not show", () => {
  const at = reporterFor({ download: 8, convert: 1, store: 1 });
  at(0, "download", 0);
  expect(at(2, "download", 0.2)).toMatchObject({ etaSeconds: 10 });
  expect(at(4, "download", 0.21)).toMatchObject({ etaSeconds: 10 });
  expect(at(5.4, "download", 0.22)).toMatchObject({ etaSeconds: 10 });
  expect(at(5.5, "download", 0.23)?.etaSeconds).toBeGreaterThan(20);
});

it("counts with the slowest connection, and with an encoder that waits for a gap in the bytes", () => {
  const { reporter, clock, received } = open({ planned: { download: 20, convert: 2, store: 0.5 }, work: "mp3" });
  for (let tenth = 0; tenth <= 4; tenth += 1) {
    clock.ms = tenth * 1_000;
    // Half of what has come lies behind a gap that one connection fills.
    const details = { readable: tenth / 20, slowestEndMs: 20_000 };
    reporter.reportOverlapped(tenth / 10, tenth / 25, undefined, details);
  }
  expect(received.at(-1)).toMatchObject({ stage: "download", etaSeconds: 16.5 });
});

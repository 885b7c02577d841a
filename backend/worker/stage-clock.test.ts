import { expect, it } from "vitest";
import { totalSeconds } from "../../common/speed.ts";
import { StageClock } from "./stage-clock.ts";

/** @returns a clock of an attempt, and how its time goes on */
function attempt(waitMs = 0) {
  let nowMs = 5_000;
  const clock = new StageClock(waitMs, () => nowMs);
  return { clock, after: (ms: number) => void (nowMs += ms) };
}

it("gives the time before the download to the site, that of the download to the line, and the rest to us", () => {
  const { clock, after } = attempt(250);
  after(1_000);
  clock.report("download", undefined);
  after(3_000);
  clock.report("download", undefined);
  after(500);
  clock.report("convert", undefined);
  after(700);
  clock.report("store", undefined);
  after(50);
  const receipt = clock.receipt();
  expect(receipt).toEqual({ waitSeconds: 0.25, siteSeconds: 1, lineSeconds: 3.5, ourSeconds: 0.75 });
  expect(totalSeconds(receipt)).toBe(5.5);
});

it("adds up what is fetched in several goes", () => {
  const { clock, after } = attempt();
  clock.report("download", undefined);
  after(1_000);
  clock.report("convert", undefined);
  after(200);
  clock.report("download", undefined);
  after(1_000);
  clock.report("convert", undefined);
  expect(clock.receipt()).toMatchObject({ lineSeconds: 2, ourSeconds: 0.2 });
});

it("keeps the first estimate as what was promised for all of it", () => {
  const { clock, after } = attempt(500);
  after(1_000);
  clock.report("download", undefined);
  after(1_000);
  clock.report("download", 4);
  after(6_000);
  clock.report("convert", 1);
  expect(clock.receipt()).toMatchObject({ promisedSeconds: 6.5 });
});

it("counts no negative wait where the clock of the request was ahead", () => {
  expect(attempt(-2_000).clock.receipt().waitSeconds).toBe(0);
});

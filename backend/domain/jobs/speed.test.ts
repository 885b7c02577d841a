import { expect, it } from "vitest";
import type { Receipt } from "../../../common/receipt.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { createConversion } from "./add-jobs.ts";
import { createSpeed, measureSpeed, speedOf, type Made } from "./speed.ts";

const domain = domainForTests();
const NOW = new Date("2026-06-07T12:00:00Z");

const receiptOf = (seconds: number, more: Partial<Receipt> = {}): Receipt => ({
  waitSeconds: 0,
  siteSeconds: 0,
  lineSeconds: seconds,
  ourSeconds: 0,
  ...more,
});

const ofToday = (...receipts: readonly Receipt[]): Made[] => receipts.map((receipt) => ({ completedAt: NOW, receipt }));

it("has no figures of fewer than five conversions", () => {
  const four = Array.from({ length: 4 }, () => receiptOf(3, { promisedSeconds: 3 }));
  expect(speedOf(ofToday(...four))).toEqual({ all: null, shares: null, promise: null, days: [] });
});

it("says what half and nine in ten did not exceed, and where the time went", () => {
  const receipts = Array.from({ length: 10 }, (_, at) => {
    const seconds = at + 1;
    return { waitSeconds: 0, siteSeconds: seconds / 2, lineSeconds: seconds / 4, ourSeconds: seconds / 4 };
  });
  const { all, shares, promise, days } = speedOf(ofToday(...receipts));
  expect(all).toEqual({ conversions: 10, medianSeconds: 5, p90Seconds: 9 });
  expect(shares).toEqual({ wait: 0, site: 50, line: 25, ours: 25 });
  expect(promise).toBeNull();
  expect(days).toEqual([{ day: "2026-06-07", ...all }]);
});

it("compares the first estimates with the real times", () => {
  // Kept, and kept but for less than a tenth; 11 percent too late; far too late; far too early.
  const promises = [10, 9.1, 9, 5, 20].map((promisedSeconds) => receiptOf(10, { promisedSeconds }));
  const { promise } = speedOf(ofToday(...promises));
  expect(promise).toEqual({ conversions: 5, medianErrorPercent: 10, keptPercent: 60 });
});

it("leaves out days with fewer than five conversions", () => {
  const onDay = (day: string, count: number): Made[] =>
    Array.from({ length: count }, () => ({ completedAt: new Date(day), receipt: receiptOf(2) }));
  const made = [...onDay("2026-06-07T00:00:00Z", 5), ...onDay("2026-06-06T23:59:59.999Z", 4)];
  expect(speedOf(made).all?.conversions).toBe(9);
  expect(speedOf(made).days.map(({ day }) => day)).toEqual(["2026-06-07"]);
});

it("reads seven days, and no files that were there already, jobs that waited for the site, or unfinished ones", async () => {
  const request = { youtubeUrl: "https://video.example/a", format: "mp3" } as const;
  const { _id } = await createConversion(domain, newViewer(), request);
  const { _id: _one, ...job } = (await domain.jobs.findById(_id).lean()) ?? {};
  const make = (count: number, more: object = {}) =>
    domain.jobs.insertMany(
      Array.from({ length: count }, () => {
        const fields = { status: "completed", completedAt: NOW, receipt: receiptOf(3), ...more };
        return { ...job, ...fields, _id: crypto.randomUUID(), place: undefined, networkSlot: undefined };
      }),
    );
  const firstMoment = new Date("2026-06-01T00:00:00Z");
  await make(4);
  await make(1, { receipt: undefined });
  await make(1, { waitsSince: NOW });
  await make(1, { status: "failed" });
  await make(1, { completedAt: new Date(firstMoment.getTime() - 1) });
  expect((await measureSpeed(domain, NOW)).all).toBeNull();
  await make(1, { completedAt: firstMoment });
  expect((await measureSpeed(domain, NOW)).all?.conversions).toBe(5);

  let nowMs = NOW.getTime();
  const speed = createSpeed(domain, () => nowMs);
  await speed();
  await make(1);
  nowMs += 10 * 60_000 - 1;
  expect((await speed()).all?.conversions).toBe(5);
  nowMs += 1;
  expect((await speed()).all?.conversions).toBe(6);
});

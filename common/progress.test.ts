import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Stage } from "./job.ts";
import { neverBackwards, overallPercent, type StageSeconds } from "./progress.ts";

const SECONDS: StageSeconds = { download: 14, convert: 5, store: 1 };

it.each<[Stage, number, number]>([
  ["download", 0, 0],
  ["download", 0.5, 35],
  ["download", 1, 70],
  ["convert", 0, 70],
  ["convert", 0.5, 82],
  ["convert", 1, 95],
  ["store", 0, 95],
  ["store", 1, 99],
  ["download", -1, 0],
  ["download", 7, 70],
  ["store", 7, 99],
])("stage %s at fraction %d is %d percent of the whole", (stage, fraction, percent) => {
  expect(overallPercent(SECONDS, stage, fraction)).toBe(percent);
});

it("never decreases over the stages, is a whole number and at most 99", () => {
  const seconds: fc.Arbitrary<StageSeconds> = fc.record({
    download: fc.double({ min: 0.01, max: 3_600, noNaN: true }),
    convert: fc.double({ min: 0, max: 3_600, noNaN: true }),
    store: fc.double({ min: 0, max: 3_600, noNaN: true }),
  });
  const step = fc.tuple(fc.constantFrom(...Stage.options), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(seconds, fc.array(step, { maxLength: 20 }), (planned, steps) => {
      const order = steps.toSorted(([a, x], [b, y]) => Stage.options.indexOf(a) - Stage.options.indexOf(b) || x - y);
      const percents = order.map(([stage, fraction]) => overallPercent(planned, stage, fraction));
      expect(percents).toEqual(percents.toSorted((a, b) => a - b));
      for (const percent of percents) expect(Number.isInteger(percent) && percent >= 0 && percent <= 99).toBe(true);
    }),
  );
});

it("returns the larger percentage", () => {
  expect(neverBackwards(40, 30)).toBe(40);
  expect(neverBackwards(30, 40)).toBe(40);
});

import { describe, expect, it } from "vitest";
import { compare, isBroken, middleOf, ratioOf, type GuardFigure, isSameKind } from "./guard-figures.ts";

const isBrokenAt = (unit: GuardFigure["unit"], kept: number, value: number): boolean =>
  compare([{ name: "a", unit, value: kept }], [{ name: "a", unit, value }]).some(isBroken);

describe("a figure", () => {
  it.each(["encoder CPU ÷", "CPU ÷", "time ÷"] as const)(
    "of %s may be 5 %% above the kept one, and not 15 %%",
    (unit) => {
      expect(isBrokenAt(unit, 2, 2.1)).toBe(false);
      expect(isBrokenAt(unit, 2, 2.3)).toBe(true);
    },
  );

  it("of the server's own process may be a fifth above the kept one, and not 30 % above", () => {
    expect(isBrokenAt("own CPU ÷", 2, 2.4)).toBe(false);
    expect(isBrokenAt("own CPU ÷", 2, 2.6)).toBe(true);
  });

  it("that is counted must not be above the kept one, and may be below", () => {
    expect(isBrokenAt("count", 7, 6)).toBe(false);
    expect(isBrokenAt("count", 7, 7)).toBe(false);
    expect(isBrokenAt("count", 7, 8)).toBe(true);
  });

  it("of quiet time has a bound in milliseconds, so that 0 can be kept", () => {
    expect(isBrokenAt("quiet ms", 0, 60)).toBe(false);
    expect(isBrokenAt("quiet ms", 0, 61)).toBe(true);
  });

  it("of written bytes may be a few hundredths above", () => {
    expect(isBrokenAt("megabytes", 10, 10.2)).toBe(false);
    expect(isBrokenAt("megabytes", 10, 11)).toBe(true);
  });

  it("that is no number is broken", () => {
    expect(isBrokenAt("CPU ÷", 1, Number.NaN)).toBe(true);
  });
});

describe("a ratio", () => {
  it("is that of the least where other programs disturb some rounds of either side", () => {
    expect(ratioOf([3, 5, 7], [2, 2, 2])).toBe(1.5);
    expect(ratioOf([3, 3, 9], [2, 2, 3])).toBe(1.5);
  });

  it("is that within the rounds where only the rival met the fastest moment of the processor", () => {
    expect(ratioOf([3, 6, 6], [2, 4, 1])).toBe(1.5);
  });

  it("is above the bound in every round of a real change", () => {
    expect(ratioOf([3.45, 4.6, 6.9], [2, 4 / 1.5, 4])).toBeGreaterThan(1.5 * 1.08);
  });

  it("compares each of several values of a round with the rival of that round", () => {
    expect(ratioOf([6, 6, 3, 3], [4, 2])).toBe(1.5);
  });
});

it("refuses to compare where only one side has a figure", () => {
  const figure = { name: "a", unit: "count", value: 1 } as const;
  expect(() => compare([figure], [figure, { ...figure, name: "b" }])).toThrow("--keep");
  expect(() => compare([figure, { ...figure, name: "b" }], [figure])).toThrow("--keep");
});

it("keeps the middle of several runs", () => {
  const runOf = (value: number): GuardFigure[] => [{ name: "a", unit: "CPU ÷", value }];
  expect(middleOf([runOf(1.2), runOf(1), runOf(1.1)])).toEqual(runOf(1.1));
});

it("compares figures of machines with the same cores and ffmpeg only", () => {
  const kept = {
    cores: 2,
    model: "A processor",
    memoryGigabytes: 8,
    system: "Debian",
    node: "24.0.0",
    ffmpeg: "5.1",
    ytDlp: "2026.01.01",
  };
  expect(isSameKind(kept, { ...kept, memoryGigabytes: 16, node: "24.1.0", ytDlp: "2026.02.01" })).toBe(true);
  expect(isSameKind(kept, { ...kept, cores: 4 })).toBe(false);
  expect(isSameKind(kept, { ...kept, model: "Another processor" })).toBe(false);
  expect(isSameKind(kept, { ...kept, ffmpeg: "7.1" })).toBe(false);
});

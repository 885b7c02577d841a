import { describe, expect, it } from "vitest";
import { renewalOf } from "./renewal.ts";

describe("the day a plan is paid again", () => {
  it.each([
    ["monthly", [2026, 10, 29], [2026, 11, 29]],
    ["monthly", [2026, 11, 31], [2027, 0, 31]],
    ["monthly", [2027, 0, 31], [2027, 1, 28]],
    ["yearly", [2026, 10, 29], [2027, 10, 29]],
    ["yearly", [2028, 1, 29], [2029, 1, 28]],
  ] as const)("%s from %o is %o", (plan, [year, month, day], [nextYear, nextMonth, nextDay]) =>
    expect(renewalOf(plan, new Date(year, month, day, 12))).toEqual(new Date(nextYear, nextMonth, nextDay, 12)),
  );
});

import { describe, expect, it } from "vitest";
import { QuietHours } from "../../../common/follows.ts";
import { endOfQuiet } from "./quiet-hours.ts";

const night = (timeZone: string): QuietHours => ({ from: "22:00", to: "07:00", timeZone });
const noon: QuietHours = { from: "12:00", to: "13:30", timeZone: "UTC" };

describe("endOfQuiet", () => {
  it.each<[string, QuietHours, string, string | null]>([
    ["a minute before they begin", noon, "2026-01-15T11:59:59Z", null],
    ["as they begin", noon, "2026-01-15T12:00:00Z", "2026-01-15T13:30:00.000Z"],
    ["in their last minute", noon, "2026-01-15T13:29:59Z", "2026-01-15T13:30:00.000Z"],
    ["as they end", noon, "2026-01-15T13:30:00Z", null],
    ["a minute before a night", night("UTC"), "2026-01-15T21:59:00Z", null],
    ["before midnight", night("UTC"), "2026-01-15T22:00:00Z", "2026-01-16T07:00:00.000Z"],
    ["at midnight", night("UTC"), "2026-01-15T00:00:00Z", "2026-01-15T07:00:00.000Z"],
    ["as a night ends", night("UTC"), "2026-01-15T07:00:00Z", null],
    ["in a zone ahead of UTC", night("Asia/Kolkata"), "2026-01-15T16:30:00Z", "2026-01-16T01:30:00.000Z"],
    ["just before that zone's night", night("Asia/Kolkata"), "2026-01-15T16:29:00Z", null],
    ["in a zone behind UTC", night("America/New_York"), "2026-01-15T11:59:00Z", "2026-01-15T12:00:00.000Z"],
    ["in summer", night("Europe/Berlin"), "2026-07-15T05:00:00Z", null],
    ["at the same moment of winter", night("Europe/Berlin"), "2026-01-15T05:00:00Z", "2026-01-15T06:00:00.000Z"],
  ])("%s", (_, hours, now, end) => {
    expect(endOfQuiet(hours, new Date(now))?.toISOString() ?? null).toBe(end);
  });

  it("is at most an hour off in the nights when clocks are changed, and the rest is asked for again", () => {
    const berlin = night("Europe/Berlin");
    // Clocks go from 2:00 to 3:00.
    expect(endOfQuiet(berlin, new Date("2026-03-29T00:00:00Z"))?.toISOString()).toBe("2026-03-29T06:00:00.000Z");
    // And from 3:00 to 2:00: at this moment it is 6:00, and quiet for one more hour.
    const early = endOfQuiet(berlin, new Date("2026-10-25T00:00:00Z"));
    expect(early?.toISOString()).toBe("2026-10-25T05:00:00.000Z");
    expect(endOfQuiet(berlin, early ?? new Date(0))?.toISOString()).toBe("2026-10-25T06:00:00.000Z");
  });
});

it.each([
  [{ from: "22:00", to: "07:00", timeZone: "Europe/Berlin" }, true],
  [{ from: "00:00", to: "23:59", timeZone: "UTC" }, true],
  [{ from: "24:00", to: "07:00", timeZone: "UTC" }, false],
  [{ from: "7:00", to: "08:00", timeZone: "UTC" }, false],
  [{ from: "07:00", to: "07:00", timeZone: "UTC" }, false],
  [{ from: "07:00", to: "08:00", timeZone: "Europe/Atlantis" }, false],
])("takes quiet hours %j: %s", (hours, isTaken) => {
  expect(QuietHours.safeParse(hours).success).toBe(isTaken);
});

import { describe, expect, it } from "vitest";
import * as format from "./format.ts";

describe("figures", () => {
  it.each([
    [2_834_112, "2.8 MB"],
    [49_999_999, "50.0 MB"],
    [40_000, "0.0 MB"],
  ])("shows %d bytes as %s", (sizeBytes, text) => expect(format.formatMegabytes(sizeBytes)).toBe(text));

  it.each([
    [200_000, "200 kB/s"],
    [2_430_000, "2.4 MB/s"],
  ])("shows %d bytes a second as %s", (speed, text) => expect(format.formatSpeed(speed)).toBe(text));

  it.each([
    [0, "1 s left"],
    [3.2, "3 s left"],
    [130, "2 min left"],
    [3_900, "1 h 5 min left"],
    [7_200, "2 h left"],
  ])("shows %d seconds to go as %s", (seconds, text) => expect(format.formatTimeLeft(seconds)).toBe(text));

  it.each([
    [252, "4:12"],
    [9_067, "2:31:07"],
    [9.6, "0:10"],
  ])("shows a length of %d seconds as %s", (seconds, text) => expect(format.formatClock(seconds)).toBe(text));

  it("sets a bit rate apart from its unit and leaves lines of picture alone", () => {
    expect(format.formatQuality("128kbps")).toBe("128 kbps");
    expect(format.formatQuality("480p")).toBe("480p");
  });

  it.each([
    [1_200, "20 minutes"],
    [7_200, "2 hours"],
    [3_600, "1 hour"],
    [604_800, "7 days"],
  ])("names %d seconds %s", (seconds, text) => expect(format.formatSpan(seconds)).toBe(text));
});

describe("relative time", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  it.each([
    ["2026-01-01T12:52:40Z", "in 52 minutes"],
    ["2026-01-01T12:01:00Z", "in 1 minute"],
    ["2026-01-01T12:00:40Z", "in 40 seconds"],
    ["2026-01-08T12:00:00Z", "in 7 days"],
    ["2026-01-01T09:00:00Z", "3 hours ago"],
  ])("tells %s at noon as %s, never more than is left", (iso, text) =>
    expect(format.formatRelativeTime(iso, now)).toBe(text));
});

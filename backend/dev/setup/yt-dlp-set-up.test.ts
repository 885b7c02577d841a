import { describe, expect, it } from "vitest";
import { isRecent } from "./yt-dlp-set-up.ts";

describe("a yt-dlp on the PATH", () => {
  const nowMs = Date.UTC(2026, 10, 21);
  it.each([
    ["2026.11.20", true],
    ["2026.08.23", true],
    ["2026.08.22", false],
    ["2026.11.20.231015", true],
    ["2023.03.04", false],
  ])("released as %s: is recent: %s", (version, expected) => {
    expect(isRecent(version, nowMs)).toBe(expected);
  });
});

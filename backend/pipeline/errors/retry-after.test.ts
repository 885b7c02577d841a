import { expect, it } from "vitest";
import { readRetryAfterMs } from "./retry-after.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 12, 0, 0);
const HOUR_MS = 3_600_000;

it.each<[string | undefined, number | undefined]>([
  ["0", 0],
  ["1", 1_000],
  [" 120 ", 120_000],
  ["3600", HOUR_MS],
  ["3601", HOUR_MS],
  ["99999999999999999999999", HOUR_MS],
  ["9".repeat(400), HOUR_MS],
  ["Sun, 22 Nov 2026 12:00:30 GMT", 30_000],
  ["Sunday, 22-Nov-26 12:00:30 GMT", 30_000],
  ["Sun Nov 22 12:00:30 2026", 30_000],
  ["Sun, 22 Nov 2026 11:59:30 GMT", 0],
  ["Sun, 22 Nov 2099 12:00:30 GMT", HOUR_MS],
  [undefined, undefined],
  ["", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["soon", undefined],
  ["2026", 2_026_000],
  ["Sun, 99 Nov 2026 12:00:30 GMT", undefined],
])("reads %j as %j ms", (value, waitMs) => {
  expect(readRetryAfterMs(value, NOW_MS)).toBe(waitMs);
});

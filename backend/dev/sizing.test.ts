import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { Figures, FIGURES_FILE, MANUAL_FILE, reckon, withSizing } from "./sizing.ts";

const figures = Figures.parse(JSON.parse(await readFile(FIGURES_FILE, "utf8")));
const cpu = (seconds: number) => ({ ours: 0, tools: seconds, rounds: 1, measuredAt: "2026-01-01T00:00:00Z" });

describe("the operator's manual", () => {
  it("has the tables that follow from the figures beside it (node backend/dev/sizing.ts writes them)", async () => {
    const manual = await readFile(MANUAL_FILE, "utf8");
    expect(withSizing(manual, figures)).toBe(manual);
  });
});

describe("the sum for a million users", () => {
  it("is that of plain arithmetic", () => {
    // All cost the same: a second for each minute.
    const same: Figures = {
      ...figures,
      cpuSeconds: {
        "mp3-128-progressive-2min": cpu(2),
        "mp3-128-progressive-10min": cpu(10),
        "mp3-320-progressive-10min": cpu(10),
        "mp4-480-progressive-2min": cpu(2),
        "mp4-480-progressive-10min": cpu(10),
        "mp4-1080-dash-10min": cpu(10),
        "mp4-480-vp9-1min": cpu(1),
        "mp4-1080-vp9-1min": cpu(1),
      },
    };
    const day = reckon(same);
    expect(day.conversions).toBe(1_500_000);
    expect(day.cpuEach).toBeCloseTo(4, 9);
    expect(day.anewShare).toBeCloseTo(0.06, 9);
    // 1.5 million conversions of 4 CPU-seconds in 86,400 s.
    expect(day.cores).toBeCloseTo(69.444, 3);
    expect(day.busiestCoresToHave).toBeCloseTo((69.444 * 3) / 0.7, 1);
    expect([Math.round(day.pages), day.webs]).toEqual([13_889, 5]);
    // Free: 0.7 of 3.84 MB and 0.3 of 18.2; Pro: 0.7 of 9.6 and 0.3 of 109.
    expect(day.sentTerabytes).toBeCloseTo(1.5 * (0.97 * 8.148 + 0.03 * 39.42), 6);
    expect(day.proTerabytes).toBeCloseTo((1.5 * 0.03 * 39.42) * 7, 6);
  });
});

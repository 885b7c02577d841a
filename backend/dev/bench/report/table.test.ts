import { expect, it } from "vitest";
import { emptyResult, type CaseResult } from "./results.ts";
import { breakdownTables, figure, goalTable, isMet, spread, timeTables } from "./table.ts";

it("writes three significant figures", () => {
  expect([0.0123, 0.914, 1.234, 12.34, 123.4, 1_234].map(figure)).toEqual([
    "0.012",
    "0.914",
    "1.23",
    "12.3",
    "123",
    "1234",
  ]);
  expect([undefined, Number.NaN, 0].map(figure)).toEqual(["–", "–", "0"]);
});

it("writes the median with minimum and maximum", () => {
  expect(spread([3, 1, 2])).toBe("2.00 (1.00–3.00)");
  expect(spread([2])).toBe("2.00 (once)");
  expect(spread([])).toBe("–");
});

it("has a row for each case with times, ratios and the goal", () => {
  const rival = { seconds: [4], cpuSeconds: [], peakMegabytes: [], writtenMegabytes: [] };
  const result: CaseResult = {
    ...emptyResult({ name: "a", about: "MP3", wire: "20" }, 0),
    seconds: [1, 3, 2],
    ytDlp: rival,
    limitSeconds: 1,
    goals: [{ what: "÷ yt-dlp", value: 0.5, atMost: 0.4, unit: "×" }],
  };
  const [title, , , , row] = timeTables([result]).split("\n");
  expect(title).toBe("**20 Mbit/s and 80 ms**");
  expect(row).toBe("| MP3 | 2.00 (1.00–3.00) | 4.00 (once) | – | 1.00 | 0.500 | – | 2.00 | ÷ yt-dlp 0.500 of 0.4 ✗ |");
});

it("has a table for each wire", () => {
  const results = ["unlimited", "20", "unlimited"].map((wire, index) =>
    emptyResult({ name: `${index}`, about: `case ${index}`, wire }, 0),
  );
  const [first, second] = timeTables(results).split("\n\n**");
  expect(first).toMatch(/case 0.*\n.*case 2/u);
  expect(second).toMatch(/^20 Mbit[^]*case 1/u);
});

it("divides a whole among the parts that a case has measured", () => {
  const whole = emptyResult({ name: "a", about: "MP3" }, 0);
  const measured = { ...whole, stepSeconds: { page: [0.1, 0.1, 4], LAME: [0.3, 0.3, 0.3] } };
  expect(breakdownTables([whole])).toEqual([]);
  const [table, ...others] = breakdownTables([whole, measured]);
  expect(table).toBe(
    "**Seconds by step**\n\n| case | page | LAME | all |\n| --- | --: | --: | --: |\n" +
      "| MP3 | 0.100 (25.0 %) | 0.300 (75.0 %) | 0.400 |",
  );
  expect(others).toEqual([]);
});

it("marks each goal as met or not", () => {
  const goal = { what: "p99", value: 100, atMost: 100, unit: "ms" } as const;
  expect(isMet(goal)).toBe(true);
  expect(goalTable([goal, { ...goal, value: 101 }])).toContain("| p99 | 101 ms | 100 ✗ |");
});

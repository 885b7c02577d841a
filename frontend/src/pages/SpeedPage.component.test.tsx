import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { Speed } from "../../../common/speed.ts";
import { broken, fakeApi, json } from "../testing/fake-api.ts";
import { openPage } from "../testing/open-page.tsx";
import { violationsOfPage } from "../testing/violations.ts";

const main = page.getByRole("main");
const SPEED: Speed = {
  all: { conversions: 1240, medianSeconds: 6.4, p90Seconds: 134 },
  shares: { wait: 6, site: 31, line: 52, ours: 11 },
  promise: { conversions: 1204, medianErrorPercent: 9, keptPercent: 86 },
  days: [
    { day: "2026-06-02", conversions: 180, medianSeconds: 6.1, p90Seconds: 13.9 },
    { day: "2026-06-01", conversions: 160, medianSeconds: 5, p90Seconds: 11 },
  ],
};
const answer = (speed: Speed) => fakeApi.answer("GET /api/speed", () => json(speed));

it("shows what was measured: the times, where they went, what was promised, and each day", async () => {
  answer(SPEED);
  await openPage("/speed");
  await expect.element(main.getByRole("article", { name: "Half took at most" })).toMatchTextContent("7 seconds");
  await expect.element(main.getByRole("article", { name: "Nine in ten took at most" })).toMatchTextContent("3 minutes");
  await expect.element(main).toMatchTextContent(/Fetching the video\s*52.?%/);
  await expect.element(main).toMatchTextContent(/86.?% of the files were there by the first estimate/);
  const rows = main.getByRole("table", { name: "Day by day" }).getByRole("row");
  await expect.element(rows.nth(1)).toMatchTextContent(/Jun 2\s*180\s*0:07\s*0:14/);
  await expect.poll(violationsOfPage).toEqual([]);
});

it("says that there are too few conversions", async () => {
  answer({ all: null, shares: null, promise: null, days: [] });
  await openPage("/speed");
  await expect.element(main).toMatchTextContent("too few conversions");
  await expect.element(main.getByRole("table")).not.toBeInTheDocument();
});

it("says that the times could not be read, and reads them again", async () => {
  fakeApi.answer("GET /api/speed", broken);
  await openPage("/speed");
  await expect.element(main.getByRole("alert")).toMatchTextContent("could not be read");
  answer(SPEED);
  await main.getByRole("button", { name: "Try again" }).click();
  await expect.element(main).toMatchTextContent("1,240");
});

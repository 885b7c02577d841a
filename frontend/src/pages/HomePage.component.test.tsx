import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { convert, field } from "../testing/home.ts";
import { fakeApi, json } from "../testing/fake-api.ts";
import { filledButtons } from "../testing/filled-buttons.ts";
import { openPage } from "../testing/open-page.tsx";
import { makePreview } from "../testing/sample-answers.ts";
import { makeReadyJob } from "../testing/sample-jobs.ts";

beforeEach(() => fakeApi.answer("POST /api/preview", () => json(makePreview())));

it("the one filled button is the newest file's Download, and with a link in the field it is Convert", async () => {
  await openPage("/", { jobs: [makeReadyJob("one", 8), makeReadyJob("two", 9)] });
  await expect.poll(filledButtons).toEqual(["Download Tape two"]);
  await page.getByRole("link", { name: "Download Tape two" }).click();
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(filledButtons).toEqual(["Download Tape one"]);
  await field.fill("https://video.example/watch/rain");
  await expect.poll(filledButtons).toEqual(["Convert"]);
  await field.fill("");
  await expect.poll(filledButtons).toEqual(["Download Tape one"]);
});

it("nothing is filled while there is nothing to convert or download", async () => {
  await openPage("/");
  await expect.element(convert).toBeVisible();
  await expect.poll(filledButtons).toEqual([]);
});

it.each([390, 1280])("the small title has equal gaps above and below, %i wide", async (width) => {
  await page.viewport(width, 664);
  document.documentElement.dataset["compact"] = "";
  await openPage("/");
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const above = rectOf("#content > :first-child");
  const title = rectOf("h1");
  const below = rectOf("#converter");
  delete document.documentElement.dataset["compact"];
  const gaps = [(title?.top ?? 0) - (above?.bottom ?? 0), (below?.top ?? 0) - (title?.bottom ?? 0)] as const;
  expect(gaps[0]).toBeGreaterThan(8);
  expect(Math.abs(gaps[0] - gaps[1])).toBeLessThanOrEqual(1);
});

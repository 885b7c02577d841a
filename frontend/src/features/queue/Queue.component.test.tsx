import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { fakeApi, json, unanswered } from "../../testing/fake-api.ts";
import { emptyQueue, field, rows } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeCanceledJobs, makeJob } from "../../testing/sample-jobs.ts";
import { shown } from "../../testing/shown-limits.ts";

it("reserves the place of the first list while it loads for a visitor with jobs", async () => {
  document.documentElement.dataset["hasJobs"] = "";
  fakeApi.answer("GET /api/conversions", unanswered);
  await openPage("/", { isLoaded: false });
  await expect.element(page.getByLabelText("Loading your conversions")).toBeVisible();
  await expect.element(field).toBeEnabled();
});

it("a long list shows 50 rows, and all on request", async () => {
  await openPage("/", { jobs: makeCanceledJobs(60) });
  await expect.element(rows).toHaveLength(50);
  await expect.element(rows.first()).toMatchTextContent("Clip 59");
  await page.getByRole("button", { name: "Show all 60" }).click();
  await expect.element(rows).toHaveLength(60);
});

it("a failed list shows an error and loads after a retry", async () => {
  fakeApi.answer("GET /api/conversions", () => new Response("", { status: 503 }));
  await openPage("/", { hasSocket: false });
  await expect.element(page.getByText("Your conversions could not be loaded")).toBeVisible();
  fakeApi.answer("GET /api/conversions", () => json([]));
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(emptyQueue).toBeVisible();
});

it("the reels turn only while a job is active", async () => {
  const turning = page.getBySelector("header [data-turning]");
  const { push } = await openPage("/");
  await expect.element(turning).not.toBeInTheDocument();
  push("job", makeJob({ status: "processing", progress: 10 }));
  await expect.element(turning).toHaveLength(2);
  push("job", makeJob({ status: "canceled", updatedAt: "2026-01-01T12:00:01.000Z" }));
  await expect.element(turning).not.toBeInTheDocument();
});

it("a new visitor sees how to start, and the prices and limits of the shared table", async () => {
  await openPage("/");
  await expect.element(emptyQueue).toBeVisible();
  await expect.element(rows).not.toBeInTheDocument();
  const pricing = page.getBySelector("#pricing");
  for (const text of [
    "$9",
    "per month or $90 per year (saves $18)",
    `up to ${shown.free.length} and ${shown.free.size}`,
    `up to ${shown.pro.length} and ${shown.pro.size}, ${shown.pro.batch} links at once`,
  ])
    await expect.element(pricing).toMatchTextContent(text);
  await expect.element(pricing.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});

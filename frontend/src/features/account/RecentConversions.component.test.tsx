import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { fakeApi, json } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";

const LATER = "2099-01-01T00:00:00.000Z";
const user = makeUser();
const rowOf = (id: string) => page.getBySelector(`li[data-job="${id}"]`);

it("shows which files have expired, and why a conversion failed, with what helps", async () => {
  const title = "Rain on a tin roof, recorded for an hour in the garden";
  const reason = { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 };
  const error = { code: "too_long", message: "Longer than 20 minutes. Pro takes up to 2 hours.", reason };
  await page.viewport(390, 664);
  await openPage("/dashboard", {
    user,
    jobs: [
      makeJob({ id: "expired", title, status: "completed" }),
      makeJob({ id: "failed", title: "A lecture", status: "failed", error }),
    ],
  });
  await expect.element(rowOf("expired")).toMatchTextContent("Expired");
  await expect.element(rowOf("expired").getByRole("link", { name: `Convert again: ${title}` })).toBeVisible();
  await expect.element(rowOf("failed")).toMatchTextContent("Longer than 20 minutes. Pro takes up to 2 hours.");
  const upgrade = rowOf("failed").getByRole("link", { name: "Upgrade to Pro" });
  await expect.element(upgrade).toHaveAttribute("href", "/plans");
});

it("a finished file has its time, opens in a new tab, and can be made in the other format", async () => {
  const done = { status: "completed", downloadUrl: "/api/conversions/one/file", expiresAt: LATER };
  await openPage("/dashboard", { user, jobs: [makeJob(done)] });
  const row = rowOf("one");
  await expect.element(row.getByRole("link", { name: "Download A clip" })).toHaveAttribute("target", "_blank");
  await expect.element(row.getBySelector("time").first()).toBeVisible();
  // The link of a job of another browser is asked for.
  await expect.element(row.getByRole("link", { name: "Convert A clip as MP4" })).toHaveAttribute("href", "/#converter");
});

it("a removed row keeps its place, with Undo in it", async () => {
  await openPage("/dashboard", {
    user,
    jobs: ["first", "second"].map((id) => makeJob({ id, title: id, status: "canceled" })),
  });
  const below = await rowOf("second").findElement();
  const heading = page.getByRole("heading", { name: "Recent conversions" }).element();
  // The page may scroll.
  const distance = () => below.getBoundingClientRect().top - heading.getBoundingClientRect().top;
  const before = distance();
  await rowOf("first").getByRole("button", { name: "Remove first" }).click();
  const undo = page.getBySelector("[data-removal=first]").getByRole("button", { name: /^Undo/ });
  await expect.element(undo).toBeVisible();
  expect(distance()).toBe(before);
  await undo.click();
  await expect.element(rowOf("first").getByRole("button", { name: "Remove first" })).toBeVisible();
});

it("also the last row keeps its place when it is removed", async () => {
  await openPage("/dashboard", { user, jobs: [makeJob({ title: "only", status: "canceled" })] });
  await page.getByRole("button", { name: "Remove only" }).click();
  await expect.element(page.getBySelector("li [data-removal=one]")).toBeVisible();
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.element(page.getByText("No conversions yet")).toBeVisible();
});

it("finds titles among all conversions, of which it shows ten at first", async () => {
  const jobs = Array.from({ length: 12 }, (_, index) =>
    makeJob({
      id: `job-${index}`,
      title: index === 11 ? "Über den Wolken" : `Rain ${index}`,
      status: "canceled",
      createdAt: new Date(Date.UTC(2026, 0, 1, 12, -index)).toISOString(),
    }),
  );
  await openPage("/dashboard", { user, jobs });
  const rows = page.getBySelector("li[data-job]");
  await expect.poll(() => rows.elements()).toHaveLength(10);
  const field = page.getByRole("searchbox", { name: "Search titles" });
  await field.fill("wolken uber");
  await expect.element(rowOf("job-11")).toBeVisible();
  await expect.poll(() => rows.elements()).toHaveLength(1);
  await field.fill("snow");
  await expect.element(page.getByText("No title has these words.")).toBeVisible();
  await field.fill("");
  await page.getByRole("button", { name: "Show all 12" }).click();
  await expect.poll(() => rows.elements()).toHaveLength(12);
});

it("says when nothing was converted, and leads to the converter", async () => {
  await openPage("/dashboard", { user });
  await expect.element(page.getByText("No conversions yet")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Start Converting" })).toHaveAttribute("href", "/");
  await expect.element(page.getByRole("searchbox")).not.toBeInTheDocument();
});

const DAYS = [
  { day: "2026-01-01", conversions: 1, dataUsed: 4_000_000 },
  { day: "2026-01-02", conversions: 2, dataUsed: 8_300_000 },
];

it("draws the usage by day, says it in words, and reads it again when a conversion is counted", async () => {
  fakeApi.answer("GET /api/usage/days", () => json({ days: DAYS }));
  const { push } = await openPage("/dashboard", { user });
  await expect.element(page.getByText("3 conversions, 12.3 MB.")).toBeVisible();
  await expect.element(page.getBySelector("canvas")).toBeVisible();
  await expect.element(page.getByText("January 2, 2026")).toBeVisible();
  fakeApi.answer("GET /api/usage/days", () => json({ days: [...DAYS, { ...DAYS[0], day: "2026-01-03" }] }));
  push("usage", { month: "2026-01", totalConversions: 9, totalDataUsed: 70 });
  await expect.element(page.getByText("4 conversions, 16.3 MB.")).toBeVisible();
});

it("says that there is no usage, and tries again when it could not be loaded", async () => {
  fakeApi.answer("GET /api/usage/days", () => json({ code: "internal", message: "No." }, 500));
  await openPage("/dashboard", { user });
  const usage = page.getByRole("region", { name: "Usage of the last 30 days" });
  await expect.element(usage.getByRole("alert")).toMatchTextContent("The usage could not be loaded.");
  fakeApi.answer("GET /api/usage/days", () => json({ days: [{ day: "2026-01-01", conversions: 0, dataUsed: 0 }] }));
  await usage.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Nothing was converted in the last 30 days.")).toBeVisible();
});

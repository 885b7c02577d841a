/** What the converter shows of a link before it converts it. */
import type { Page } from "@playwright/test";
import { TYPING_PAUSE_MS } from "../src/stores/preview.ts";
import { violationsOf } from "./axe.ts";
import { expect, live, test } from "./home.ts";

const stage = (page: Page) => page.getByRole("group", { name: "Preview" });
const isPreview = (request: { url: () => string }) => request.url().endsWith("/api/preview");

/** As Ctrl+V does: the whole link at once, by the keyboard. */
async function pasteInto(page: Page, text: string): Promise<void> {
  await page.getByLabel("Video link").focus();
  await page.keyboard.insertText(text);
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 320, height: 700 },
]) {
  test(`a pasted link is shown with picture, length and sizes, and nothing moves (${viewport.width} px)`, async ({
    page,
    home,
  }) => {
    await page.setViewportSize(viewport);
    await expect(stage(page)).toContainText("Paste a link anywhere on this page");
    const link = await home.sampleLink("held-page");
    await pasteInto(page, link);
    await expect(stage(page)).toHaveAttribute("data-preview", "loading");
    await home.letGo(link);
    await expect(stage(page)).toContainText("Rain on a tin roof");
    await expect(stage(page).locator("img")).toHaveAttribute("src", /^data:image\/jpeg/);
    await expect(stage(page).locator("[data-estimate=mp3]")).toHaveText(/^MP3 · 128 kbps\s*about [\d.]+ MB$/);
    await expect(stage(page).locator("[data-estimate=mp4]")).toHaveText(
      /^MP4 · 480p\s*(?:about [\d.]+ MB|size unknown)$/,
    );
    await expect(page.getByText(/^Rain on a tin roof, \d+ seconds\.$/)).toHaveCount(1);
    await page.getByText("MP4", { exact: true }).click();
    await expect(stage(page).locator("[data-chosen]")).toContainText("MP4");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await home.field.fill("");
    await expect(stage(page)).toHaveAttribute("data-preview", "none");
    await home.expectStill();
  });
}

test("a look is given up when the text changes; the newest link is the one shown", async ({ page, home }) => {
  const [slow, rain] = [await home.sampleLink("stalled-page"), await home.sampleLink("rain")];
  const asked = page.waitForRequest(isPreview);
  await home.field.fill(slow);
  const first = await asked;
  const given = page.waitForEvent("requestfailed", (request) => request === first);
  await home.field.fill(rain);
  expect((await given).failure()?.errorText).toBe("net::ERR_ABORTED");
  await expect(stage(page)).toContainText("Rain on a tin roof");
});

test("typing asks once, when the fingers rest", async ({ page, home }) => {
  const asked: unknown[] = [];
  page.on("request", (request) => isPreview(request) && asked.push(request.postDataJSON()));
  const link = await home.sampleLink("rain");
  // The page's clock stands still between the keys, as however busy the machine is it would not: a late key is not a
  // rest.
  const nowMs = Date.now();
  await page.clock.install({ time: nowMs });
  await page.clock.pauseAt(nowMs + 60_000);
  await home.field.pressSequentially(link);
  await page.clock.runFor(TYPING_PAUSE_MS - 1);
  expect(asked).toEqual([]);
  const request = page.waitForRequest(isPreview);
  await page.clock.runFor(1);
  await request;
  await page.clock.resume();
  await expect(stage(page)).toContainText("Rain on a tin roof");
  expect(asked).toEqual([{ youtubeUrl: link, thumbnail: true }]);
});

test("a link that leads nowhere is told so in its place, and may be tried all the same", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("gone"));
  await expect(stage(page)).toHaveAttribute("data-preview", "failed");
  await expect(stage(page)).toContainText("There is no video at this link any more");
  await expect(home.toast).toHaveCount(0);
  await expect(home.field).toHaveAttribute("aria-invalid", "false");
  await expect(page.getByRole("button", { name: "Convert", exact: true })).toBeEnabled();
});

test("without an answer the preview says so in our own words and blocks nothing", async ({ page, home }) => {
  await page.route("**/api/preview", (route) => route.abort());
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  await home.field.fill(await home.sampleLink("rain"));
  await expect(stage(page)).toContainText("This link cannot be shown beforehand.");
});

test("what is beyond the plan is said before converting", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("three-hours"));
  await expect(stage(page)).toContainText("Longer than 20 minutes. Pro takes up to 2 hours.");
});

test("Enter starts what is shown; its row has title, picture and length at once", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("rain"));
  await expect(stage(page)).toContainText("Rain on a tin roof");
  // The job as it stands before anybody has looked at it, and nothing newer.
  await page.route("**/api/conversions", async (route) => {
    const answer = await route.fetch();
    const job = (await answer.json()) as Record<string, unknown>;
    await route.fulfill({
      response: answer,
      json: route.request().method() === "POST" ? { ...job, id: "unseen" } : job,
    });
  });
  await home.field.press("Enter");
  const row = page.locator("[data-job=unseen]");
  await expect(row.getByRole("heading")).toHaveText("Rain on a tin roof");
  await expect(row.locator("img")).toHaveAttribute("src", /^data:image\/jpeg/);
  await expect(row).toContainText("Waiting");
  await expect(stage(page)).toHaveAttribute("data-preview", "none");
});

test("a browser that saves data is sent no picture", async ({ page, home }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.reload();
  await live(page);
  const answered = page.waitForResponse(isPreview);
  await home.field.fill(await home.sampleLink("rain"));
  expect(((await (await answered).json()) as { thumbnail: unknown }).thumbnail).toBeNull();
  await expect(stage(page)).toContainText("Rain on a tin roof");
  await expect(stage(page).locator("img")).toHaveCount(0);
});

/** The preview of a link before its conversion. */
import type { Locator, Page } from "@playwright/test";
import { LONGER_THAN_FREE } from "../src/testing/shown-limits.ts";
import { violationsOf } from "./axe.ts";
import { Home, expect, resize, scrollWidthOf, test } from "./home.ts";

test.use({ reducedMotion: "no-preference" });

const stage = (page: Page) => page.getByRole("group", { name: "Preview" });
const isPreview = (request: { url: () => string }) => request.url().endsWith("/api/preview");

/** Inserts the whole text at once, as Ctrl+V does. */
async function pasteInto(page: Page, text: string): Promise<void> {
  await page.getByLabel("Video link").focus();
  await page.keyboard.insertText(text);
}

for (const viewport of [{ width: 320, height: 700 }]) {
  test(`previews a pasted link with picture, length and sizes without layout shifts (${viewport.width} px)`, async ({
    page,
    home,
  }) => {
    await resize(page, viewport);
    await expect(stage(page)).toContainText("Paste a link anywhere on this page");
    const link = await home.sampleLink("held-page");
    await pasteInto(page, link);
    await expect(stage(page)).toHaveAttribute("data-preview", "loading");
    await home.releaseHeld(link);
    await expect(stage(page)).toContainText("Rain on a tin roof");
    await expect(stage(page).locator("img")).toHaveAttribute("src", /^data:image\/jpeg/);
    await expect(stage(page).locator("[data-estimate=mp3]")).toHaveText(/^MP3 · 128 kbps\s*about [\d.]+ MB$/);
    await expect(stage(page).locator("[data-estimate=mp4]")).toHaveText(
      /^MP4 · 480p\s*(?:about [\d.]+ MB|size unknown)$/,
    );
    await expect(page.getByText(/^Rain on a tin roof, \d+ seconds\.$/)).toHaveCount(1);
    await page.getByText("MP4", { exact: true }).click();
    await expect(stage(page).locator("[data-chosen]")).toContainText("MP4");
    await expect.poll(() => scrollWidthOf(page)).toBe(viewport.width);
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await home.field.fill("");
    await expect(stage(page)).toHaveAttribute("data-preview", "none");
    await home.expectNoLayoutShift();
  });
}

test("starts no conversion that is certain to fail, and shows what helps", async ({ page, home }) => {
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/conversions")) requests.push(request.url());
  });
  const convert = page.getByRole("button", { name: "Convert", exact: true });
  const converter = page.locator("#converter");
  const upgrade = converter.getByRole("link", { name: "Upgrade to Pro" });

  await test.step("a video that does not exist", async () => {
    await home.field.fill(await home.sampleLink("gone"));
    await expect(stage(page)).toHaveAttribute("data-preview", "failed");
    await expect(stage(page)).toContainText("There is no video at this link any more");
    await expect(home.toast).toHaveCount(0);
    await expect(home.field).toHaveAttribute("aria-invalid", "false");
    await expect(convert).toBeDisabled();
    await expect(convert).toHaveAccessibleDescription(/^There is no video at this link any more/);
    await expect(upgrade).toHaveCount(0);
    // The button stays in the tab order, so that the keyboard reaches the reason too.
    await convert.focus();
    await page.keyboard.press("Enter");
    await home.expectToastShown("Conversion Failed There is no video at this link any more");
    await expect(home.field).toHaveValue(/gone/);
  });

  await test.step("a video that Pro takes", async () => {
    await home.field.fill(await home.sampleLink("lecture"));
    await expect(stage(page)).toContainText(LONGER_THAN_FREE);
    await expect(convert).toBeDisabled();
    await expect(upgrade).toHaveAttribute("href", "/plans");
    await expect(converter.getByRole("button", { name: "Take a part" })).toBeInViewport({ ratio: 1 });
    // On a phone both stand in one line, so that Convert stays where it was.
    await resize(page, { width: 390, height: 844 });
    const placeOf = async (part: Locator) => (await part.boundingBox())?.y;
    const besideWaysOut = await placeOf(convert);
    expect(await placeOf(upgrade)).toBe(await placeOf(converter.getByRole("button", { name: "Take a part" })));
    await home.field.fill("");
    await expect(stage(page)).toHaveAttribute("data-preview", "none");
    expect(await placeOf(convert)).toBe(besideWaysOut);
    await resize(page, { width: 1280, height: 800 });
    await expect.poll(() => violationsOf(page)).toEqual([]);
  });

  await test.step("a video that no plan takes", async () => {
    await home.field.fill(await home.sampleLink("three-hours"));
    await expect(convert).toBeDisabled();
    await expect(upgrade).toHaveCount(0);
    await converter.getByRole("button", { name: "Take a part" }).click();
    await converter.getByLabel("End", { exact: true }).fill("20:00");
    await page.keyboard.press("Enter");
    await expect(convert).toBeEnabled();
    await converter.getByLabel("End", { exact: true }).fill("20:30");
    await page.keyboard.press("Enter");
    await expect(convert).toBeDisabled();
  });

  await test.step("a video that fits in the other format only", async () => {
    const fits = { quality: "128kbps", sizeBytes: 3_000_000, fits: true, note: null };
    await page.route("**/api/preview", (route) =>
      route.fulfill({
        json: {
          title: "Wide",
          thumbnail: null,
          durationSeconds: 60,
          estimates: { mp3: fits, mp4: { ...fits, quality: "480p", sizeBytes: null, fits: false } },
        },
      }),
    );
    await page.getByText("MP4", { exact: true }).click();
    await home.field.fill(await home.sampleLink("rain"));
    await expect(convert).toBeDisabled();
    await converter.getByRole("button", { name: "As MP3" }).click();
    await expect(page.getByRole("radio", { name: "MP3" })).toBeChecked();
    await expect(convert).toBeEnabled();
  });
  expect(requests).toEqual([]);
});

test("requests no thumbnails in data-saver mode, for the preview and the row", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const pictures: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/thumbnail")) pictures.push(request.url());
  });
  const home = new Home(page);
  await home.open();
  const answered = page.waitForResponse(isPreview);
  const link = await home.sampleLink("rain");
  await home.field.fill(link);
  expect(((await (await answered).json()) as { thumbnail: unknown }).thumbnail).toBeNull();
  await expect(stage(page)).toContainText("Rain on a tin roof");
  await expect(stage(page).locator("img")).toHaveCount(0);
  const job = await home.convert(link);
  await expect(home.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible();
  expect(pictures).toEqual([]);
});

import type { Page } from "@playwright/test";
import { expect, goTo, scrollWidthOf, test } from "./home.ts";

const switchTo = (page: Page, language: string) => page.locator("footer select").selectOption({ label: language });

/** @returns the horizontal position of an element: 0 at the left edge of the page, 1 at the right */
async function placeOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  return ((box?.x ?? 0) + (box?.width ?? 0) / 2) / (page.viewportSize()?.width ?? 1);
}

test("Arabic mirrors the page, fills progress bars from the right, and is stored", async ({ page, home }) => {
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(await placeOf(page, "header a")).toBeLessThan(0.5);
  await switchTo(page, "العربية");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("الصق رابطًا");
  expect(await placeOf(page, "header a")).toBeGreaterThan(0.5);

  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("footer select")).toHaveValue("ar");

  await page.locator("input[name=link]").fill(await home.sampleLink("held"));
  await page.locator("input[name=link]").press("Enter");
  const bar = page.getByRole("progressbar");
  await expect(bar).not.toHaveAttribute("aria-valuenow", "0");
  const isFromTheRight = await bar.evaluate((frame) => {
    const fill = frame.firstElementChild?.getBoundingClientRect();
    const own = frame.getBoundingClientRect();
    return fill !== undefined && fill.right > own.right && fill.left > own.left;
  });
  expect(isFromTheRight).toBe(true);
  await expect.poll(() => scrollWidthOf(page)).toBe(page.viewportSize()?.width);
  await page
    .locator("[data-job]")
    .getByRole("button", { name: /^إلغاء/ })
    .click();
  await expect(page.locator("[data-job]").first()).toContainText("أُلغي");

  await switchTo(page, "English");
  await expect(page.locator("html")).toHaveAttribute("dir", "ltr");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
});

test("shows an error and keeps the language when another one fails to load", async ({ page, home, context }) => {
  await expect(page.locator("footer select").first()).toBeVisible();
  await context.setOffline(true);
  await switchTo(page, "हिन्दी");
  await home.expectToastShown("Language Not Changed");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
  await context.setOffline(false);
  await switchTo(page, "हिन्दी");
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
});

test("other pages are translated and mirrored; accessibility.full.e2e.ts checks them in Arabic", async ({ page }) => {
  const heading = page.getByRole("heading", { level: 1 });
  for (const [path, german] of [
    ["/plans", "Wähl deinen Tarif."],
    ["/help", "Hilfe"],
    ["/contact", "Kontakt"],
    ["/privacy", "Datenschutz"],
    ["/terms", "Nutzungsbedingungen"],
    ["/speed", "Wie lange es dauert"],
  ] as const)
    await test.step(path, async () => {
      await goTo(page, path);
      await switchTo(page, "Deutsch");
      await expect(heading).toHaveText(german);
      await page.reload();
      await expect(heading).toHaveText(german);
      await switchTo(page, "العربية");
      await expect(heading).not.toHaveText(german);
      await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    });
});

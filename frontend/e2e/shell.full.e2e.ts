import type { Page } from "@playwright/test";
import { expect, goTo, Home, test } from "./home.ts";

test.use({ reducedMotion: "no-preference" });

const LIGHT = "rgb(250, 248, 243)";
const DARK = "rgb(19, 18, 16)";
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test("uses the system's colours until a choice, which is stored and applied from the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await goTo(page, "/help");
  const colors = page.getByRole("radiogroup", { name: "Colors" });
  await expect(colors.getByRole("radio", { name: "Like the system" })).toBeChecked();
  expect(await background(page)).toBe(LIGHT);
  await colors.locator("[data-tip=Dark]").click();
  await expect.poll(() => background(page)).toBe(DARK);

  // Without scripts, this is the first paint. They wait instead of failing: the page reloads itself when one is missing.
  await page.route(/\/assets\/.*\.js$/, () => undefined);
  await page.goto("/terms", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await background(page)).toBe(DARK);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await goTo(page, "/");
  await expect(page.getByRole("radiogroup", { name: "Colors" }).getByRole("radio", { name: "Dark" })).toBeChecked();

  await page.getByRole("radio", { name: "Dark" }).press("ArrowLeft");
  await expect.poll(() => background(page)).toBe(LIGHT);
  await page.keyboard.press("ArrowLeft");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => background(page)).toBe(DARK);
});

test("an icon button shows its tooltip after 700 ms, by pointer and keyboard", async ({ page }) => {
  await page.clock.install();
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("radiogroup", { name: "Colors" })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  const tip = page.getByRole("tooltip");
  const pointAway = async () => {
    await page.mouse.move(5, 5);
    await expect(tip).toHaveCount(0);
  };
  // The script of the tooltips is loaded after the page is live.
  await expect(async () => {
    await pointAway();
    await page.locator("[data-tip=Light]").hover();
    await page.clock.runFor(700);
    await expect(tip).toBeVisible({ timeout: 500 });
  }).toPass();
  await pointAway();

  await page.locator("[data-tip=Light]").hover();
  await page.clock.runFor(650);
  await expect(tip).toHaveCount(0);
  await page.clock.runFor(50);
  await expect(tip).toHaveText("Light");
  // The pointer may move onto the tooltip.
  await tip.hover();
  await expect(tip).toBeVisible();
  await pointAway();

  await home.field.press("Enter");
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(home.toast.getByRole("button", { name: "Dismiss" })).toBeFocused();
  // The clock is stopped, but animations run: the tooltip disappears when its button moves.
  await home.toast.evaluate((toast) =>
    Promise.all(toast.getAnimations({ subtree: true }).map((animation) => animation.finished)),
  );
  await page.clock.runFor(700);
  await expect(tip).toHaveText("Dismiss");
  const box = await tip.boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
});

import type { Page } from "@playwright/test";
import { expect, goTo, Home, test } from "./home.ts";

const LIGHT = "rgb(250, 248, 243)";
const DARK = "rgb(19, 18, 16)";
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test("colours are those of the system until somebody chooses; the choice is kept, and there from the first paint", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await goTo(page, "/help");
  const colors = page.getByRole("radiogroup", { name: "Colors" });
  await expect(colors.getByRole("radio", { name: "Like the system" })).toBeChecked();
  expect(await background(page)).toBe(LIGHT);
  await colors.locator("[data-tip=Dark]").click();
  await expect.poll(() => background(page)).toBe(DARK);

  // Before any script of the page: what is painted first is what was chosen.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto("/terms");
  expect(await background(page)).toBe(DARK);
  await page.unroute(/\/assets\/.*\.js$/);
  await goTo(page, "/");
  await expect(page.getByRole("radiogroup", { name: "Colors" }).getByRole("radio", { name: "Dark" })).toBeChecked();

  await page.getByRole("radio", { name: "Dark" }).press("ArrowLeft");
  await expect.poll(() => background(page)).toBe(LIGHT);
  await page.keyboard.press("ArrowLeft");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => background(page)).toBe(DARK);
});

test("a button without a word tells what it does after 700 ms, to pointers and keyboards", async ({ page }) => {
  const nowMs = Date.now();
  await page.clock.install({ time: nowMs });
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("radiogroup", { name: "Colors" })).toBeVisible();
  await page.clock.pauseAt(nowMs + 60_000);
  const tip = page.getByRole("tooltip");
  await page.locator("[data-tip=Light]").hover();
  await page.clock.runFor(650);
  await expect(tip).toHaveCount(0);
  await page.clock.runFor(50);
  await expect(tip).toHaveText("Light");
  // The pointer may go onto the words.
  await tip.hover();
  await expect(tip).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(tip).toHaveCount(0);

  await home.field.press("Enter");
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(home.toast.getByRole("button", { name: "Dismiss" })).toBeFocused();
  // The clock stands still, but not what the browser moves: a tip goes when its button moves away.
  await home.toast.evaluate((toast) =>
    Promise.all(toast.getAnimations({ subtree: true }).map((animation) => animation.finished)),
  );
  await page.clock.runFor(700);
  await expect(tip).toHaveText("Dismiss");
  const [box, width] = [await tip.boundingBox(), page.viewportSize()?.width ?? 0];
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
});

test("what is usual is told when it is known, and never guessed", async ({ page }) => {
  const answerWith = (usualSeconds: number | null) =>
    page.route("**/api/config", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), usualSeconds } });
    });
  await answerWith(13.4);
  const home = new Home(page);
  await home.open();
  await expect(page.getByText("Usually ready in 14 seconds")).toBeVisible();
  await home.expectStill(0.01);
  await page.unroute("**/api/config");
  await answerWith(null);
  await page.reload();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await expect(page.getByText("Usually ready")).toHaveCount(0);
});

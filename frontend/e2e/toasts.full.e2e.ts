import type { CDPSession, Page } from "@playwright/test";
import { Home, expect, test, untilStill } from "./home.ts";

test.use({ reducedMotion: "no-preference" });

/** Submits an empty field, which shows a toast. */
async function showErrorToast(home: Home): Promise<void> {
  await home.field.press("Enter");
  await expect(home.toast).toContainText("Please enter a YouTube URL");
}

/** Swipes from the middle of the toast. @param distancePx positive to the right */
async function swipe(home: Home, by: "touch" | "pen", distancePx: number): Promise<void> {
  const devtools = await home.page.context().newCDPSession(home.page);
  await untilStill(home.toast);
  const box = await home.toast.boundingBox();
  if (!box) throw new Error("no toast");
  const at = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const steps = [10, 20, 35, Math.abs(distancePx)].map((moved) => ({
    x: at.x + moved * Math.sign(distancePx),
    y: at.y,
  }));
  await (by === "touch" ? swipeByTouch(devtools, at, steps) : swipeByPen(devtools, at, steps));
  await devtools.detach();
}

type Point = { x: number; y: number };

async function swipeByTouch(devtools: CDPSession, at: Point, steps: readonly Point[]): Promise<void> {
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  for (const point of steps)
    await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function swipeByPen(devtools: CDPSession, at: Point, steps: readonly Point[]): Promise<void> {
  const pen = { pointerType: "pen", button: "left", buttons: 1 } as const;
  await devtools.send("Input.dispatchMouseEvent", { type: "mousePressed", clickCount: 1, ...pen, ...at });
  for (const point of steps) await devtools.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...pen, ...point });
  await devtools.send("Input.dispatchMouseEvent", {
    type: "mouseReleased",
    clickCount: 1,
    ...pen,
    ...(steps.at(-1) ?? at),
  });
}

/** Opens the page with a stopped clock. */
async function openWithStoppedClock(page: Page): Promise<Home> {
  await page.clock.install();
  const home = new Home(page);
  await home.open();
  await expect(home.field).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  return home;
}

test.describe("swiped to the right", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("49 px do not dismiss, 51 px dismiss, and a released touch does not hold the toast open", async ({ page }) => {
    const home = await openWithStoppedClock(page);
    for (const by of ["touch", "pen"] as const)
      await test.step(by, async () => {
        await showErrorToast(home);
        await swipe(home, by, 49);
        await expect(home.toast).toHaveAttribute("data-state", "open");
        await expect.poll(() => home.toast.evaluate((toast) => getComputedStyle(toast).translate)).toBe("none");
        await swipe(home, by, 51);
        await expect(home.toast).toHaveCount(0);
      });
    await showErrorToast(home);
    await swipe(home, "touch", 30);
    await page.clock.runFor(5_100);
    await expect(home.toast).toHaveCount(0);
  });

  test("the swipe direction is mirrored in right-to-left layout", async ({ page }) => {
    const home = await openWithStoppedClock(page);
    await page.locator("footer select").selectOption("ar");
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await page.locator("input[name=link]").press("Enter");
    await expect(home.toast).toBeVisible();
    await swipe(home, "touch", 51);
    await expect(home.toast).toHaveAttribute("data-state", "open");
    await swipe(home, "touch", -49);
    await expect(home.toast).toHaveAttribute("data-state", "open");
    await swipe(home, "touch", -51);
    await expect(home.toast).toHaveCount(0);
  });
});

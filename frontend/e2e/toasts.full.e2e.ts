import type { CDPSession, Page } from "@playwright/test";
import { QUIET_MS } from "../src/stores/announcer.ts";
import { Home, expect, test, untilStill } from "./home.ts";

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

const region = (page: Page) => page.getByRole("region", { name: "Notifications (F8)" });

test("shows one toast at a time, the newest, for 5 s, and longer while pointed at or focused", async ({ page }) => {
  const home = await openWithStoppedClock(page);
  await showErrorToast(home);
  await home.field.fill("nonsense");
  await home.field.press("Enter");
  await expect(home.toast).toContainText("Please enter a valid YouTube URL");
  await expect(home.toast).toHaveCount(1);
  await page.clock.runFor(4_900);
  await expect(home.toast).toHaveAttribute("data-state", "open");
  await page.clock.runFor(200);
  await expect(home.toast).toHaveCount(0);

  await home.field.fill("");
  await showErrorToast(home);
  await home.toast.hover();
  await page.clock.runFor(60_000);
  await page.keyboard.press("F8");
  await page.mouse.move(5, 5);
  await page.clock.runFor(60_000);
  await expect(home.toast).toHaveAttribute("data-state", "open");
  await home.field.focus();
  await page.clock.runFor(5_100);
  await expect(home.toast).toHaveCount(0);
});

test("F8 focuses the toasts, Escape dismisses, and the focus returns; without a toast F8 does nothing", async ({
  page,
}) => {
  const home = await openWithStoppedClock(page);
  await home.field.focus();
  await page.keyboard.press("F8");
  await expect(home.field).toBeFocused();
  await showErrorToast(home);
  await page.keyboard.press("F8");
  await expect(region(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(home.toast.getByRole("button", { name: "Dismiss" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(home.toast).toHaveCount(0);
  await expect(home.field).toBeFocused();
});

test("errors interrupt a screen reader at once, other toasts are announced after 10 s of quiet", async ({ page }) => {
  const home = await openWithStoppedClock(page);
  await showErrorToast(home);
  const heard = page.locator("[data-announcer]");
  await expect(heard.locator("[aria-live=assertive]")).toHaveText("Invalid URL. Please enter a YouTube URL");
  await expect(heard.locator("[aria-live=polite]")).toBeEmpty();
  await page.clock.runFor(QUIET_MS - 1_000);
  // The request has no answer until it is canceled.
  await page.route("**/api/conversions", (route) =>
    route.request().method() === "POST" ? undefined : route.fallback(),
  );
  await home.field.fill(await home.sampleLink("rain"));
  await home.field.press("Enter");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(home.toast).toContainText("Conversion Canceled");
  await expect(heard).toContainText("Invalid URL");
  await page.clock.runFor(1_000);
  await expect(heard.locator("[aria-live=polite]")).toContainText("Conversion Canceled");
  await expect(heard.locator("[aria-live=assertive]")).toBeEmpty();
  await expect(region(page).locator("[aria-live]")).toHaveCount(0);
});

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

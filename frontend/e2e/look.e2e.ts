import { violationsOf } from "./axe.ts";
import { Home, expect, test } from "./home.ts";

const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 } },
  { name: "laptop", viewport: { width: 1280, height: 800 } },
];

for (const { name, viewport } of SCREENS) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${name}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: "reduce" });

      test("the page fits, is accessible with every kind of row, and has no layout shifts", async ({ page, home }) => {
        const failed = await home.convert(await home.sampleLink("three-hours"));
        const done = await home.convert(await home.sampleLink("rain"));
        const working = await home.convert(await home.sampleLink("held"));
        await expect(home.rowOf(failed)).toHaveAttribute("data-status", "failed");
        await expect(home.rowOf(done)).toHaveAttribute("data-status", "completed");
        await expect(home.bar(home.rowOf(working))).toBeVisible();
        // Also shows an error toast.
        await home.field.press("Enter");
        await expect(home.toast).toContainText("Invalid URL");

        await expect.poll(() => violationsOf(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        await home.expectNoLayoutShift(0.01);

        await home
          .rowOf(working)
          .getByRole("button", { name: /^Cancel/ })
          .click();
        await expect(home.rowOf(working)).toContainText("Canceled");
        await home
          .rowOf(working)
          .getByRole("button", { name: /^Remove/ })
          .click();
        await expect(home.rowOf(working)).toHaveCount(0);
      });

      test("touch targets are at least 44 px high", async ({ page, home }) => {
        await expect(page.getByRole("heading", { name: "Pricing" })).toBeVisible();
        await expect(home.field).toBeVisible();
        const heights = await page
          .locator("a:visible, button:visible, label:visible, input[name=link]")
          .evaluateAll((all) =>
            all.map((element) => [element.textContent, Math.round(element.getBoundingClientRect().height)] as const),
          );
        expect(heights.filter(([, height]) => height < 44)).toEqual([]);
      });
    });
  }
}

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("the page violates no content security policy and logs nothing", async ({ page }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    const home = new Home(page);
    await home.open();
    const job = await home.convert(await home.sampleLink("rain"));
    await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
    expect(messages).toEqual([]);
  });
});

test("the colours follow the system without a reload", async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await new Home(page).open();
  expect(await background()).toBe("rgb(19, 18, 16)");
  await page.emulateMedia({ colorScheme: "light" });
  expect(await background()).toBe("rgb(250, 248, 243)");
});

test("reserves the place of the first list while it loads", async ({ page }) => {
  await page.route("**/api/conversions", () => undefined);
  await new Home(page).open();
  await expect(page.getByLabel("Loading your conversions")).toBeVisible();
  await expect(page.getByLabel("Video link")).toBeEditable();
});

test("an empty queue explains how to start", async ({ page, home }) => {
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  await expect(home.rows).toHaveCount(0);
});

test("a long list shows 50 rows, and all on request", async ({ page }) => {
  const jobs = Array.from({ length: 60 }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const fields = { title: `Clip ${index}`, format: "mp3", quality: "128kbps", progress: 0, attempt: 1 };
    return { ...fields, id: `clip-${index}`, status: "canceled", createdAt: time, updatedAt: time };
  });
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.route("**/api/conversions", (route) => route.fulfill({ json: jobs }));
  const home = new Home(page);
  await home.open();
  await expect(home.rows).toHaveCount(50);
  await expect(home.rows.first()).toContainText("Clip 59");
  await page.getByRole("button", { name: "Show all 60" }).click();
  await expect(home.rows).toHaveCount(60);
});

test("a failed list shows an error and loads after a retry", async ({ page }) => {
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route("**/api/conversions", (route) => route.fulfill({ status: 503, body: "" }));
  await new Home(page).open();
  await expect(page.getByText("Your conversions could not be loaded")).toBeVisible();
  await page.unroute("**/api/conversions");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
});

test("the reels turn only while a job is active", async ({ page, home }) => {
  const turning = page.locator("header [data-turning]");
  await expect(turning).toHaveCount(0);
  const job = await home.convert(await home.sampleLink("held"));
  await expect(turning).toHaveCount(2);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect(turning).toHaveCount(0);
});

test("shows the prices and limits of the shared table", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  const pricing = page.locator("#pricing");
  await expect(pricing).toContainText("$9");
  await expect(pricing).toContainText("a month, or $90 a year (save $18)");
  await expect(pricing).toContainText("up to 20 minutes and 50 MB");
  await expect(pricing).toContainText("up to 2 hours and 500 MB, 20 links at once");
  await expect(pricing.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});

/** Notifications of conversions that end while the page is in the background. */
import type { Page } from "@playwright/test";
import { Home, expect, waitUntilLive, test } from "./home.ts";
import { serverOrigin } from "./server.ts";

declare global {
  interface Window {
    /** Notifications that the page has shown, in order. */
    shown: { title: string; body: string | undefined; tag: string | undefined }[];
    /** Number of permission requests. */
    asked: number;
  }
}

const bell = (page: Page) => page.getByRole("button", { name: "Notify me when a conversion ends" });

/** Opens the panel with the switches. */
const openSwitches = (page: Page) => page.getByRole("button", { name: "When ready…" }).click();

/** Replaces the Notification class by one that records its calls. */
function recordNotifications(): void {
  window.shown = [];
  window.asked = 0;
  const ask = Notification.requestPermission.bind(Notification);
  window.Notification = new Proxy(Notification, {
    construct(target, [title, options]: [string, NotificationOptions | undefined]) {
      window.shown.push({ title, body: options?.body, tag: options?.tag });
      return new target(title, options);
    },
    get(target, name) {
      if (name === "requestPermission") return () => ((window.asked += 1), ask());
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** Makes the page believe that it is in the background, or in view again. */
const setVisibility = (page: Page, state: "hidden" | "visible") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
const hidePage = (page: Page) => setVisibility(page, "hidden");

test.beforeEach(async ({ page }) => page.addInitScript(recordNotifications));

test("requests permission at the click, stores the choice, and notifies when a job ends in the background", async ({
  page,
  home,
  context,
}) => {
  await context.grantPermissions(["notifications"], { origin: serverOrigin() });
  await page.reload();
  await waitUntilLive(page);
  await openSwitches(page);
  await expect(bell(page)).toHaveAttribute("aria-pressed", "false");
  expect(await page.evaluate(() => window.asked)).toBe(0);
  await bell(page).click();
  await expect(bell(page)).toHaveAttribute("aria-pressed", "true");
  expect(await page.evaluate(() => window.asked)).toBe(1);
  await page.reload();
  await openSwitches(page);
  await expect(bell(page)).toHaveAttribute("aria-pressed", "true");

  const watched = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(watched)).toHaveAttribute("data-status", "completed");
  expect(await page.evaluate(() => window.shown)).toEqual([]);

  const link = await home.sampleLink("held");
  const left = await home.convert(link);
  await hidePage(page);
  await home.releaseHeld(link);
  await page.waitForFunction(() => window.shown.length > 0, undefined);
  expect(await page.evaluate(() => window.shown)).toEqual([
    { title: "Tapedeck", body: "A line that is held is ready to download.", tag: left.id },
  ]);
});

test("a ready job is heard, named in the title until the visitor looks, and downloaded by itself, once", async ({
  page,
}) => {
  await page.context().addInitScript(() => {
    localStorage.setItem("tapedeck.tone", "on");
    Object.assign(window, { tones: 0 });
    window.AudioContext = new Proxy(AudioContext, {
      construct(target) {
        Object.assign(window, { tones: (window as unknown as { tones: number }).tones + 1 });
        return new target();
      },
    });
  });
  const home = new Home(page);
  await home.open();
  await openSwitches(page);
  const autoDownload = page.getByRole("button", { name: "Download by itself when a conversion is ready" });
  await expect(autoDownload).toHaveAttribute("aria-pressed", "false");
  await autoDownload.click();
  await page.reload();
  await openSwitches(page);
  await expect(autoDownload).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: "Play a tone when a conversion is ready" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  const otherWindow = new Home(await page.context().newPage());
  await otherWindow.open();
  otherWindow.page.on("download", () => downloads.push("in the other window"));

  const link = await home.sampleLink("held");
  const job = await home.convert(link);
  await expect(home.rowOf(job)).toContainText("A line that is held");
  await setVisibility(page, "hidden");
  await home.releaseHeld(link);
  await expect(page).toHaveTitle("✓ A line that is held");
  await expect.poll(() => downloads).toEqual(["A line that is held.mp3"]);
  expect(await page.evaluate(() => (window as unknown as { tones: number }).tones)).toBe(1);
  await expect(otherWindow.rowOf(job)).toHaveAttribute("data-status", "completed");
  expect(await otherWindow.page.evaluate(() => (window as unknown as { tones: number }).tones)).toBe(0);
  await setVisibility(page, "visible");
  await expect(page).toHaveTitle("Tapedeck");
  // A reload downloads nothing again.
  await page.reload();
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  expect(downloads).toHaveLength(1);
});

test("a job that had to wait for the network is downloaded by itself", async ({ page, context }) => {
  await context.addInitScript(() => localStorage.setItem("tapedeck.auto-download", "on"));
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("button", { name: "Try a sample link" })).toBeVisible();
  await home.field.fill(await home.sampleLink("rain"));
  await context.setOffline(true);
  await home.field.press("Enter");
  await expect(page.locator("[data-kept]")).toHaveCount(1);
  const downloaded = page.waitForEvent("download");
  await context.setOffline(false);
  expect((await downloaded).suggestedFilename()).toBe("Rain on a tin roof.mp3");
});

test("a denied permission shows one hint and leaves notifications off", async ({ page, home }) => {
  await page.addInitScript(() => {
    Notification.requestPermission = () => Promise.resolve("denied");
  });
  await page.reload();
  await waitUntilLive(page);
  await openSwitches(page);
  await bell(page).click();
  await home.expectToastShown("The browser does not let this site notify.");
  await expect(bell(page)).toHaveAttribute("aria-pressed", "false");
});

test.describe("with a service worker, which phones require", () => {
  test.use({ serviceWorkers: "allow" });

  /** @returns the notifications of the service worker that are shown */
  const notificationsOfWorker = (page: Page) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });

  test("the service worker notifies when a job ends, and a click closes the notification", async ({
    page,
    home,
    context,
  }) => {
    await context.grantPermissions(["notifications"], { origin: serverOrigin() });
    await page.reload();
    await waitUntilLive(page);
    await page.waitForFunction(() => navigator.serviceWorker.ready.then(({ active }) => active?.state === "activated"));
    await openSwitches(page);
    await bell(page).click();
    await expect(bell(page)).toHaveAttribute("aria-pressed", "true");
    const link = await home.sampleLink("held");
    const job = await home.convert(link);
    await hidePage(page);
    await home.releaseHeld(link);
    await expect
      .poll(() => notificationsOfWorker(page))
      .toEqual([{ title: "Tapedeck", body: "A line that is held is ready to download.", tag: job.id }]);
    expect(await page.evaluate(() => window.shown)).toEqual([]);
    // Dispatches the event of a click on the notification.
    await context
      .serviceWorkers()[0]
      ?.evaluate(
        "self.registration.getNotifications().then(([notification]) => " +
          "void self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))",
      );
    await expect.poll(() => notificationsOfWorker(page)).toEqual([]);
  });
});

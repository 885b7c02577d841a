/** Notifications of conversions that end while the page is in the background. */
import type { Page } from "@playwright/test";
import { expect, waitUntilLive, test } from "./home.ts";
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

/** Makes the page believe that it is in the background. */
const hidePage = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });

test.beforeEach(async ({ page }) => page.addInitScript(recordNotifications));

test("requests permission at the click, stores the choice, and notifies when a job ends in the background", async ({
  page,
  home,
  context,
}) => {
  await context.grantPermissions(["notifications"], { origin: serverOrigin() });
  await page.reload();
  await waitUntilLive(page);
  await expect(bell(page)).toHaveAttribute("aria-pressed", "false");
  expect(await page.evaluate(() => window.asked)).toBe(0);
  await bell(page).click();
  await expect(bell(page)).toHaveAttribute("aria-pressed", "true");
  expect(await page.evaluate(() => window.asked)).toBe(1);
  await page.reload();
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

test("a denied permission shows one hint and leaves notifications off", async ({ page, home }) => {
  await page.addInitScript(() => {
    Notification.requestPermission = () => Promise.resolve("denied");
  });
  await page.reload();
  await waitUntilLive(page);
  await bell(page).click();
  await expect(home.toast).toContainText("The browser does not let this site notify.");
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

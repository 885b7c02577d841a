import type { Page } from "@playwright/test";
import { emptyQueue, Home, expect, test } from "./home.ts";
import { signIn, signInAsPro, newUser } from "./users.ts";

test.use({ reducedMotion: "no-preference" });

const adsOf = (page: Page) => page.getByRole("complementary", { name: /Advertisement/ });

declare global {
  interface Window {
    /** Every text about the visitor's plan that was visible at any time. */
    planTexts: string[];
  }
}

/** Records the page's texts about the visitor's plan from the first element on. */
function recordPlanTexts(): void {
  window.planTexts = [];
  const note = () => {
    for (const ad of document.querySelectorAll("aside[aria-label^=Advertisement]"))
      if (ad.checkVisibility({ visibilityProperty: true })) window.planTexts.push("ad");
    for (const element of document.querySelectorAll("header span, header a"))
      if (
        /^(Free User|Pro User|Upgrade|Pro Login)/.test(element.textContent) &&
        element.checkVisibility({ visibilityProperty: true })
      )
        window.planTexts.push(element.textContent);
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
}
const planTextsOf = async (page: Page) => [...new Set(await page.evaluate(() => window.planTexts))];

/** Delays the identity requests. @returns a function that lets them continue */
async function holdIdentity(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(/\/api\/(config|auth\/user|device-info)$/, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}

test("shows a Pro user no ad and no free badge while responses are late", async ({ page }) => {
  const ada = newUser();
  await signInAsPro(page, ada);
  await page.addInitScript(recordPlanTexts);
  const releaseIdentity = await holdIdentity(page);
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  await expect(home.field).toHaveAccessibleDescription("320 kbps Fast Processing");
  await expect(page.getByRole("banner").getByRole("button", { name: "Account" })).toBeVisible();
  releaseIdentity();
  await expect(page.getByText(`Pro User · ${ada.firstName}`)).toBeVisible();
  expect(await planTextsOf(page)).toEqual([`Pro User · ${ada.firstName}`]);
  await home.expectNoLayoutShift();
});

test("never shows a free user the signed-out page, nor the reverse; ads load nothing from other sites", async ({
  page,
}) => {
  const ada = newUser();
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  await page.addInitScript(recordPlanTexts);
  const home = new Home(page);
  await home.open();
  await expect(emptyQueue(page)).toBeVisible();
  await expect(adsOf(page)).toHaveCount(3);
  // The browser may show the bar before the rest of the page has arrived.
  expect((await planTextsOf(page)).toSorted()).toEqual(["Free User", "Pro Login", "Upgrade to Pro", "ad"]);
  await home.expectNoLayoutShift();
  await test.step("the promotion links to the affiliate", async () => {
    for (const ad of await adsOf(page).all()) {
      const link = ad.getByRole("link");
      await expect(link).toHaveAttribute("href", /^https:\/\//);
      await expect(link).toHaveAttribute("rel", "sponsored noopener nofollow");
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toContainText("headphones");
    }
    expect([...origins]).toEqual([new URL(page.url()).origin]);
  });
  await signIn(page, ada);
  await home.open();
  await expect(page.getByText(`Free User · ${ada.firstName}`)).toBeVisible();
  await expect(emptyQueue(page)).toBeVisible();
  await expect(adsOf(page)).toHaveCount(2);
  expect((await planTextsOf(page)).toSorted()).toEqual([`Free User · ${ada.firstName}`, "Upgrade to Pro", "ad"]);
  await home.expectNoLayoutShift();
});

test("reserves the places of ads and badges until the identity is known", async ({ page }) => {
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      // The empty page, as the service worker caches it.
      const answer = await route.fetch({ url: new URL("/dashboard", route.request().url()).href });
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/<meta name="viewer"[^>]*>/, "") });
    },
  );
  await page.addInitScript(recordPlanTexts);
  const releaseIdentity = await holdIdentity(page);
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("heading", { name: "Pricing" })).toBeVisible();
  expect(await planTextsOf(page)).toEqual([]);
  releaseIdentity();
  await expect(adsOf(page)).toHaveCount(3);
  await expect(page.getByText("Free User")).toBeVisible();
  await home.expectNoLayoutShift();
});

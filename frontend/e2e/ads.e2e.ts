import type { Page } from "@playwright/test";
import { Home, expect, test } from "./home.ts";
import { signIn, signInAsPro, somebody } from "./people.ts";

const adsOf = (page: Page) => page.getByRole("complementary", { name: /Advertisement/ });

declare global {
  interface Window {
    /** Every word on the visitor's plan that was ever to be seen. */
    claims: string[];
  }
}

/** Notes what the page says about the visitor from its first element on. */
function watchClaims(): void {
  window.claims = [];
  const note = () => {
    for (const ad of document.querySelectorAll("aside[aria-label^=Advertisement]"))
      if (ad.checkVisibility({ visibilityProperty: true })) window.claims.push("ad");
    for (const words of document.querySelectorAll("header span, header a"))
      if (
        /^(Free User|Pro User|Upgrade|Pro Login)/.test(words.textContent) &&
        words.checkVisibility({ visibilityProperty: true })
      )
        window.claims.push(words.textContent);
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
}
const claimsOf = async (page: Page) => [...new Set(await page.evaluate(() => window.claims))];

/** Holds back what the page asks about its visitor until told to go on. */
async function holdIdentity(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(/\/api\/(config|auth\/user|device-info)$/, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}

test("nobody on Pro is shown an ad or called a free user, however late the answers come", async ({ page }) => {
  const ada = somebody();
  await signInAsPro(page, ada);
  await page.addInitScript(watchClaims);
  const goOn = await holdIdentity(page);
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  await expect(home.field).toHaveAccessibleDescription("320 kbps");
  await expect(page.getByRole("banner").getByRole("link", { name: "Logout" })).toBeVisible();
  goOn();
  await expect(page.getByText(`Pro User · ${ada.firstName}`)).toBeVisible();
  expect(await claimsOf(page)).toEqual([`Pro User · ${ada.firstName}`]);
  await home.expectStill();
});

test("a free person is never taken for a visitor, nor the other way round", async ({ page }) => {
  const ada = somebody();
  await page.addInitScript(watchClaims);
  const home = new Home(page);
  await home.open();
  await expect(adsOf(page)).toHaveCount(3);
  expect(await claimsOf(page)).toEqual(["ad", "Free User", "Pro Login", "Upgrade to Pro"]);
  await home.expectStill();
  await signIn(page, ada);
  await home.open();
  await expect(page.getByText(`Free User · ${ada.firstName}`)).toBeVisible();
  await expect(adsOf(page)).toHaveCount(2);
  expect((await claimsOf(page)).toSorted()).toEqual([`Free User · ${ada.firstName}`, "Upgrade to Pro", "ad"]);
  await home.expectStill();
});

test("a page that does not know its visitor holds the places until it does", async ({ page }) => {
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      // One that was not drawn for strangers, as the browser keeps it for when there is no network.
      const answer = await route.fetch({ url: new URL("/dashboard", route.request().url()).href });
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/<meta name="viewer"[^>]*>/, "") });
    },
  );
  await page.addInitScript(watchClaims);
  const goOn = await holdIdentity(page);
  const home = new Home(page);
  await home.open();
  await expect(page.getByRole("heading", { name: "Pricing" })).toBeVisible();
  expect(await claimsOf(page)).toEqual([]);
  goOn();
  await expect(adsOf(page)).toHaveCount(3);
  await expect(page.getByText("Free User")).toBeVisible();
  await home.expectStill();
});

test("the promotion leads to the affiliate and loads nothing from anywhere", async ({ page }) => {
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  const home = new Home(page);
  await home.open();
  await expect(adsOf(page)).toHaveCount(3);
  for (const ad of await adsOf(page).all()) {
    const link = ad.getByRole("link");
    await expect(link).toHaveAttribute("href", /^https:\/\//);
    await expect(link).toHaveAttribute("rel", "sponsored noopener nofollow");
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toContainText("headphones");
  }
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});

import type { Page } from "@playwright/test";
import { LONG_WAIT_MS } from "../src/actions/activation.ts";
import { expectAccessible } from "./axe.ts";
import { expect, expectToastShown, isCausedByTests, resize, scrollWidthOf, stopClock, test, seenText } from "./home.ts";
import { signIn, newUser } from "./users.ts";
import { CARDS, PaymentPage } from "./payment-page.ts";
import { PaymentStandIn } from "./payment-stand-in.ts";

// The tests stop and change the stand-in for everybody, so they run one after the other.
test.describe.configure({ mode: "default" });

let standIn: PaymentStandIn;
test.beforeAll(async () => {
  standIn = await PaymentStandIn.open();
});
test.afterEach(() => standIn.control("webhooks", {}));

const CONFIRM = "**/browser/confirm";

const ads = (page: Page) => page.getByRole("complementary", { name: /Advertisement/ });

/** @returns the console's errors, such as content security policy violations by the provider's frames */
function watchConsole(page: Page): string[] {
  const consoleErrors: string[] = [];
  page.on("console", (message) => {
    if (isCausedByTests(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  return consoleErrors;
}

test("visitor signs up for Pro in two tabs, cancels, and is free after the period ends", async ({ page, context }) => {
  const ada = newUser();
  const paymentPage = new PaymentPage(page);
  const consoleErrors = watchConsole(page);
  const requestedUrls: string[] = [];
  page.on("request", (request) => request.url().startsWith(standIn.origin) && requestedUrls.push(request.url()));

  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Upgrade to Pro" }).click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(page.getByText("First you sign in, so that Pro is yours on all your devices.")).toBeVisible();
  const yearly = page.getByRole("article", { name: "Yearly" });
  for (const text of ["$90", "per year", "Most Popular", "Save $18"]) await expect(yearly).toContainText(text);
  const monthly = page.getByRole("article", { name: "Monthly" });
  for (const text of ["$9", "per month"]) await expect(monthly).toContainText(text);
  for (const title of ["Higher limits", "Premium quality", "Ad-free"])
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await monthly.getByRole("link").click();
  await paymentPage.signInAfterRedirect(ada);

  await expect(page).toHaveURL(/\/subscribe\?plan=monthly$/);
  await expect(page.getByRole("radio", { name: /^Monthly/ })).toBeChecked();
  await expect(paymentPage.payButton).toHaveText("Pay $9 per month");
  await expect(page.getByText("Cancel anytime • No hidden fees • 30-day money back guarantee")).toBeVisible();
  await expect.poll(() => requestedUrls.length).toBeGreaterThan(0);

  const other = await context.newPage();
  const urlsOfOtherTab: string[] = [];
  other.on("request", (request) => request.url().startsWith(standIn.origin) && urlsOfOtherTab.push(request.url()));
  await other.goto("/");
  await expect(other.getByText("Free User · Ada")).toBeVisible();
  await expect(ads(other)).toHaveCount(2);

  await paymentPage.pay();
  await paymentPage.expectPro();
  await expect(ads(page)).toHaveCount(0);
  await expect(other.getByText("Pro User · Ada")).toBeVisible();
  await expect(ads(other)).toHaveCount(0);
  expect(consoleErrors).toEqual([]);
  expect(await standIn.payments(ada)).toMatchObject([{ amount: 900 }]);

  await page.goto("/subscribe");
  await expect(page.getByRole("heading", { name: "You already have Pro" })).toBeVisible();
  await page.getByRole("button", { name: "Manage billing" }).click();
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByRole("link", { name: "Return to site" }).click();
  await expect(page.getByText(/^Pro until \w+ \d+, \d{4}\./)).toBeVisible();
  await expect(other.getByText(/^Pro until \w+ \d+, \d{4}\./)).toBeVisible();
  await expect(paymentPage.proBadge).toBeVisible();

  await standIn.control("advance", { days: 32 });
  await expect(other.getByText("Free User · Ada")).toBeVisible();
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await expect(ads(other)).toHaveCount(2);
  await expect(other.getByText(/^Pro until/)).toHaveCount(0);
  expect(urlsOfOtherTab).toEqual([]);
});

test("handles a failed and a successful bank authentication", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  await paymentPage.pay(CARDS.needsAuthentication);
  await paymentPage.challenge.getByRole("button", { name: "Fail" }).click();
  await expectToastShown(page, "Payment Failed We are unable to authenticate your payment method.");
  expect(await standIn.payments(ada)).toEqual([]);
  // The answered challenge is removed before the next one appears.
  await expect(paymentPage.challenge.getByRole("button", { name: "Fail" })).toHaveCount(0);
  await paymentPage.pay(CARDS.needsAuthentication);
  await paymentPage.challenge.getByRole("button", { name: "Complete" }).click();
  await paymentPage.expectPro();
  expect(await standIn.payments(ada)).toHaveLength(1);
});

test("charges once for a double click", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  await paymentPage.fillCard(CARDS.good);
  await paymentPage.payButton.dblclick();
  await paymentPage.expectPro();
  expect(await standIn.payments(ada)).toHaveLength(1);
});

test("changing the plan twice leaves one subscription and never an empty form", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  await page.goto("/plans");
  await page.getByRole("link", { name: "Choose Yearly" }).click();
  const paymentPage = new PaymentPage(page);
  await expect(paymentPage.payButton).toBeEnabled();
  await page.evaluate(() => {
    let fewest = Number.POSITIVE_INFINITY;
    new MutationObserver(() => {
      fewest = Math.min(fewest, document.querySelectorAll('iframe[title="Secure payment input frame"]').length);
      document.body.dataset["fewestForms"] = String(fewest);
    }).observe(document.body, { subtree: true, childList: true });
  });
  await page.getByText("Monthly", { exact: true }).click();
  await expect(paymentPage.payButton).toHaveText("Pay $9 per month");
  await expect(paymentPage.payButton).toBeEnabled();
  await expect(page).toHaveURL(/plan=monthly$/);
  await expect(page.locator('iframe[title="Secure payment input frame"]')).toHaveCount(1);
  expect(await page.evaluate(() => document.body.dataset["fewestForms"])).toBe("1");

  await page.goBack();
  await expect(page).toHaveURL(/\/plans$/);
  await page.goForward();
  await expect(page).toHaveURL(/plan=monthly$/);
  await expect(paymentPage.payButton).toBeEnabled();
  await paymentPage.pay();
  await paymentPage.expectPro();

  const live = (await standIn.subscriptions(ada)).filter(
    ({ status }) => !["canceled", "incomplete_expired"].includes(status),
  );
  expect(live).toMatchObject([
    { status: "active", items: { data: [{ price: { recurring: { interval: "month" } } }] } },
  ]);
  expect(await standIn.payments(ada)).toHaveLength(1);
  expect(await standIn.customers(ada)).toHaveLength(1);

  await page.goBack();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(page.getByRole("heading", { name: "You have Pro." })).toBeVisible();
});

test("who signs in in another tab pays for their own subscription, with a form of their own", async ({
  page,
  context,
}) => {
  const ada = newUser();
  const bob = newUser("Bob");
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  await paymentPage.fillCard(CARDS.good);
  // Without a connection the page does not see that Ada was signed out, and goes from her to Bob at once.
  await context.setOffline(true);
  await signIn(page, bob);
  await context.setOffline(false);
  await expect(page.getByText("Free User · Bob")).toBeVisible();
  await expect(paymentPage.payButton).toBeEnabled();
  await expect(paymentPage.fields.getByLabel("Card number")).toHaveValue("");
  await paymentPage.pay();
  await paymentPage.expectPro();
  expect(await standIn.payments(bob)).toHaveLength(1);
  expect(await standIn.payments(ada)).toEqual([]);
});

test("falls back to the yearly plan for an unknown one; the form follows the colour scheme", async ({ page }) => {
  await signIn(page, newUser());
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/subscribe?plan=weekly");
  const paymentPage = new PaymentPage(page);
  await expect(page.getByRole("radio", { name: /^Yearly/ })).toBeChecked();
  await expect(paymentPage.payButton).toHaveText("Pay $90 per year");
  const color = () => paymentPage.fields.getByLabel("Card number").evaluate((field) => getComputedStyle(field).color);
  await expect.poll(color).toBe("rgb(28, 26, 21)");
  // The frame is of another origin, so the fonts need the server's permission.
  const fonts = () =>
    paymentPage.fields
      .locator("body")
      .evaluate(() => [...document.fonts].map(({ family, status }) => [family, status]));
  await expect.poll(fonts).toEqual([["Inter", "loaded"]]);
  await paymentPage.fields.getByLabel("Card number").fill("4242");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(color).toBe("rgb(244, 240, 230)");
  await expect(paymentPage.fields.getByLabel("Card number")).not.toHaveValue("");
});

test("deleting a paid account warns that Pro ends", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  const warning = page.getByText("Your subscription ends at once");
  const askForDeletion = async () => {
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Delete account" }).click();
    await expect(page.getByRole("button", { name: "Delete my account" })).toBeVisible();
  };
  await askForDeletion();
  await expect(warning).toBeHidden();
  await standIn.subscribe(page, "yearly");
  await expect(paymentPage.proBadge).toBeVisible();
  await askForDeletion();
  await expect(warning).toBeVisible();
});

test("Pro is active although the tab was closed before the payment's answer", async ({ page, context }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  const closed = page.waitForEvent("close");
  const pressed = Promise.withResolvers<void>();
  await context.route(CONFIRM, async (route) => {
    await route.fetch();
    // A click fails when its page closes before it has been confirmed.
    await pressed.promise;
    await page.close();
  });
  await paymentPage.pay();
  pressed.resolve();
  await closed;
  const next = await context.newPage();
  await next.goto("/");
  await expect(next.getByText("Pro User · Ada")).toBeVisible();
  expect(await standIn.payments(ada)).toHaveLength(1);
});

test("handles Pro that is pushed before the payment's answer", async ({ page, context }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  const other = await context.newPage();
  await other.goto("/");
  await page.route(CONFIRM, async (route) => {
    const answer = await route.fetch();
    await expect(other.getByText("Pro User · Ada")).toBeVisible();
    await expect(paymentPage.proBadge).toBeVisible();
    await route.fulfill({ response: answer });
  });
  await paymentPage.pay();
  await paymentPage.expectPro();
});

test("waits for a late activation of Pro, also after a reload", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  await standIn.control("webhooks", { hold: true });
  // The page's own requests do not report Pro either.
  await page.route("**/api/auth/user", (route) => route.abort());
  await paymentPage.fillCard(CARDS.good);
  // From now on the wait is as long as the test says, however slow the machine is.
  await stopClock(page);
  await paymentPage.payButton.click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator("[data-notice]").filter({ hasText: "Activating Pro…" })).toContainText(
    "The payment was confirmed.",
  );
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await expect(paymentPage.toast).toHaveCount(0);
  await expect(seenText(page, "This takes longer than usual.")).toHaveCount(0);
  await page.clock.fastForward(LONG_WAIT_MS);
  await expect(seenText(page, "This takes longer than usual.")).toBeVisible();
  await page.clock.resume();
  await page.reload();
  await expect(seenText(page, "This takes longer than usual.")).toBeVisible();
  await page.unroute("**/api/auth/user");
  await standIn.control("webhooks/release", {});
  await paymentPage.expectPro();
  await expect(seenText(page, "Pro is active. Thank you!")).toBeVisible();
});

test("continues after the bank's page and removes the parameters from the URL", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await page.goto("/?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_1&redirect_status=failed");
  await expectToastShown(page, "Payment Failed");
  await expect(page).toHaveURL(/\/$/);
  await expect(seenText(page, "Activating Pro…")).toHaveCount(0);

  await paymentPage.open();
  await page.route(CONFIRM, async (route) => {
    const answer = await route.fetch();
    const { id } = await answer.json();
    // The provider redirects like this when the bank needs the whole window.
    await page.goto(`/?payment_intent=${id}&payment_intent_client_secret=${id}_secret_1&redirect_status=succeeded`);
  });
  await paymentPage.pay();
  await paymentPage.expectPro();
});

test("opens the home page with the server's message when the provider is down", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  await page.route("**/api/create-subscription", async (route) => {
    await expect(page.getByText("Setting up your subscription...")).toBeVisible();
    await route.continue();
  });
  // Only for her: tests of other files open the page of the payment at the same time.
  await standIn.control("fail", { path: "^/v1/customers", about: ada.email, status: 500, times: 3 });
  await page.goto("/subscribe");
  await expectToastShown(page, "Error The payment provider does not answer at the moment.");
  await expect(page).toHaveURL(/\/$/);
});

test("a card form that fails to load can be loaded again", async ({ page }) => {
  await signIn(page, newUser());
  await page.route("**/stripe.js", (route) => route.abort());
  await page.goto("/subscribe");
  await expect(page.getByRole("alert").filter({ hasText: "The card form could not be loaded" })).toBeVisible();
  await expect(new PaymentPage(page).payButton).toBeDisabled();
  await page.unroute("**/stripe.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(new PaymentPage(page).payButton).toBeEnabled();
});

/** Opens the home page of a user who has just paid for the monthly plan. */
async function payForMonthlyPlan(page: Page) {
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await standIn.subscribe(page, "monthly");
  await page.goto("/");
  await expect(paymentPage.proBadge).toBeVisible();
  return { ada, paymentPage };
}

/** Opens the home page of a user whose first monthly renewal has just been declined. */
async function failRenewal(page: Page) {
  const { ada, paymentPage } = await payForMonthlyPlan(page);
  await standIn.setCard(ada, "4000000000000341");
  // Not 31 days: beyond a short month they would use up the days of grace.
  await standIn.control("advance", { months: 1 });
  await standIn.control("advance", { days: 1 });
  await standIn.control("advance", { hours: 8 });
  const banner = page.getByRole("alert").filter({ hasText: "Your last payment did not go through" });
  await expect(banner).toContainText(/Update your card by \w+ \d+, \d{4} to keep Pro\./);
  await expect(paymentPage.proBadge).toBeVisible();
  return { ada, paymentPage, banner };
}

test("a failed renewal shows the date of the grace period, and a new card pays it", async ({ page }) => {
  const { paymentPage, banner } = await failRenewal(page);
  await banner.getByRole("button", { name: "Update card" }).click();
  await paymentPage.fillPortalCard(CARDS.good);
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("link", { name: "Return to site" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Account" })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await expect(paymentPage.proBadge).toBeVisible();
});

test("a disputed payment pauses Pro live, and the page links to support", async ({ page }) => {
  const { ada } = await payForMonthlyPlan(page);
  await standIn.dispute(ada);
  const notice = page.getByText("Your subscription is paused");
  await expect(notice).toBeVisible();
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await page.goto("/subscribe");
  await expect(page.getByRole("main").getByText("Your subscription is paused")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Contact Support" }).click();
  await expect(page).toHaveURL(/\/contact$/);
});

test("an unpaid renewal ends Pro live after the grace period", async ({ page }) => {
  const { banner } = await failRenewal(page);
  await standIn.control("advance", { days: 4 });
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await expect(banner).toContainText("so Pro has stopped. Update your card to get it back.");
});

test("billing pages are accessible and fit a phone", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const check = async (name: string) => {
    // The provider's frame is transparent; the checker assumes a white background there.
    await expectAccessible(page, name, { excludedSelector: 'iframe[title="Secure payment input frame"]' });
    await resize(page, { width: 390, height: 844 });
    await expect.poll(() => scrollWidthOf(page)).toBe(390);
    await resize(page, { width: 1280, height: 800 });
  };
  const ada = newUser();
  await signIn(page, ada);
  await page.goto("/plans");
  await expect(page.getByRole("link", { name: "Choose Yearly" })).toBeVisible();
  await check("/plans");
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  await check("/subscribe");
  await paymentPage.pay();
  await paymentPage.expectPro();
  await check("just paid");
  await page.goto("/subscribe");
  await expect(page.getByRole("button", { name: "Manage billing" })).toBeVisible();
  await check("already paid");
});

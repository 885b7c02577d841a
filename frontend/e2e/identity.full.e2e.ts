import { Job } from "../../common/job.ts";
import { BYTES_PER_MB, qualityFor, TIERS } from "../../common/tiers.ts";
import { LONGER_THAN_FREE, shown } from "../src/testing/shown-limits.ts";
import { violationsOf } from "./axe.ts";
import { emptyQueue, expect, Home, openWithOwnFonts, recordPage, test } from "./home.ts";
import { newBrowser, newUser, openDashboard, signIn, signInAtProvider, signInThroughPages } from "./users.ts";
import { CREATE_PER_MINUTE_DEVICE, ageSessionsOf, changeTier, expireSessionsOf, serverOrigin } from "./server.ts";

test("a second user can sign in at the same browser after the first one", async ({ page }) => {
  const ada = newUser();
  const bob = newUser("Bob");
  for (const person of [ada, bob, ada]) {
    await signInThroughPages(page, person);
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { name: `Welcome, ${person.firstName}` })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Logout" }).click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
  }
});

test("the English top bar shows the whole plan and name of a signed-in user", async ({ page }) => {
  await signIn(page, newUser());
  await recordPage(page);
  await page.goto("/help");
  await openWithOwnFonts(page);
  const badge = page.getByRole("banner").getByText("Free User · Ada");
  await expect(badge).toBeVisible();
  for (const width of [768, 820, 895, 896, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const cutPixels = (): Promise<number> => badge.evaluate((label) => label.scrollWidth - label.clientWidth);
    await expect.poll(cutPixels, { message: `${width} px` }).toBe(0);
  }
});

test("explains an expired sign-in, with a link back", async ({ page }) => {
  for (const path of [
    "/development-sign-in/interaction/none",
    "/development-sign-in/auth/none",
    "/development-sign-in/auth?client_id=nobody",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("alert")).toContainText("Please begin again");
    await page.getByRole("link", { name: "Back to the sign-in page" }).click();
    await expect(page.getByRole("button", { name: "Sign in as Pro User" })).toBeVisible();
  }
});

test("redirects visitors from pages that they may not see", async ({ page }) => {
  await page.goto("/pro");
  await expect(page).toHaveURL(/\/login$/);
  const ada = newUser();
  await signInThroughPages(page, ada);
  await page.goto("/pro");
  await expect(page).toHaveURL(/\/$/);
  await changeTier(ada.email, "pro");
  await page.goto("/pro");
  await expect(page.getByText("Pro Member")).toBeVisible();
  const { maxFileBytes, retentionSeconds } = TIERS.pro;
  const megabytes = `${maxFileBytes / BYTES_PER_MB}MB`;
  for (const text of [
    `Batch of ${shown.pro.batch} URLs`,
    `HD ${qualityFor("pro", "mp4")}/${qualityFor("pro", "mp3")}`,
    `${retentionSeconds / 86_400}-day storage`,
    `${megabytes} file limit`,
    `${megabytes} monthly limit`,
    "0 completed",
    "0 processing or pending",
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByLabel("Video link")).toBeVisible();

  // The home page opens even without a response.
  await page.route("**/api/logout", (route) => route.abort());
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("updates the open page when the user gains and loses Pro", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  const ads = page.getByRole("complementary", { name: /Advertisement/ });
  // The leaderboard is only for signed-out visitors.
  await expect(ads).toHaveCount(2);
  await expect(home.field).toHaveAccessibleDescription("128 kbps · Pro makes it 320");
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const tooLong = home.rowOf(await home.convertUnseen(await home.sampleLink("lecture")));
  await expect(tooLong).toContainText(LONGER_THAN_FREE);
  await expect(tooLong.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
  const retry = tooLong.getByRole("button", { name: /^Retry/ });
  await expect(retry).toHaveCount(0);

  await changeTier(ada.email, "pro");
  await expect(ads).toHaveCount(0);
  await expect(page.getByText("Pro User · Ada")).toBeVisible();
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  await expect(home.field).toHaveAccessibleDescription("320 kbps Fast Processing");
  await expect(retry).toBeVisible();
  const bar = page.getByRole("banner");
  for (const name of ["Pro", "Pro User · Ada"])
    await expect(bar.getByRole("link", { name, exact: true })).toHaveAttribute("href", "/pro");
  await expect(tooLong.getByRole("link", { name: "Upgrade to Pro" })).toHaveCount(0);

  await changeTier(ada.email, "free");
  await expect(ads).toHaveCount(2);
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toHaveCount(0);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

test("a user's second browser shows and cancels a job of the first, with the usage", async ({ page, browser }) => {
  const ada = newUser();
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  await using other = await newBrowser(browser);
  const otherHome = new Home(await other.newPage());
  await signIn(otherHome.page, ada);
  await otherHome.open();

  const job = await home.convert(await home.sampleLink("held"));
  await expect.poll(() => otherHome.percent(otherHome.rowOf(job))).toBeGreaterThan(0);
  await otherHome
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect(home.rowOf(job)).toContainText("Canceled");

  await openDashboard(otherHome.page);
  const done = await home.convert(await home.sampleLink("rain"));
  await expect(otherHome.page.getByRole("article", { name: "Total Conversions" })).toContainText("1");
  const recent = otherHome.page.locator(`[data-job="${done.id}"]`);
  await expect(recent.getByText("Ready")).toHaveAttribute("data-tone", "ok");
  await expect(recent).toContainText(/MP3 · 128 kbps · \d+\.\d MB/);
  await expect(recent.getByRole("link", { name: /^Download/ })).toHaveAttribute("target", "_blank");
  const canceled = otherHome.page.locator(`[data-job="${job.id}"]`).getByText("Canceled");
  await expect(canceled).toBeVisible();
  await expect(canceled).not.toHaveAttribute("data-tone");

  // In the tab that has started it, a failed row leads back to the converter, to take a part.
  await page.route("**/api/preview", (route) => route.abort());
  const failed = await home.convert(await home.sampleLink("three-hours"));
  await expect(home.rowOf(failed)).toHaveAttribute("data-status", "failed");
  await page.unroute("**/api/preview");
  await openDashboard(page);
  await page
    .locator(`[data-job="${failed.id}"]`)
    .getByRole("link", { name: /^Take a part/ })
    .click();
  await expect(home.field).toHaveValue(/three-hours/);
  await expect(page.getByRole("group", { name: "Choices for this video" })).toBeVisible();

  // The dashboard retries what may succeed later, in every browser of the user.
  const refused = await home.convertUnseen(await home.sampleLink("forbidden-media"));
  const refusedItem = otherHome.page.locator(`[data-job="${refused.id}"]`);
  const retried = otherHome.page.waitForResponse((answer) => answer.url().endsWith(`/${refused.id}/retry`));
  await refusedItem.getByRole("button", { name: /^Retry/ }).click();
  expect((await retried).ok()).toBe(true);
  await expect(otherHome.page.locator(`[data-job="${failed.id}"]`).getByRole("button", { name: /^Retry/ })).toHaveCount(
    0,
  );
});

test("jobs created before the sign-in appear in all browsers of the user", async ({ page, home, browser }) => {
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  const ada = newUser();
  await signIn(page, ada);
  await home.open();
  await expect(home.rowOf(job)).toBeVisible();
  await using other = await newBrowser(browser);
  const otherHome = new Home(await other.newPage());
  await signIn(otherHome.page, ada);
  await otherHome.open();
  await expect(otherHome.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible();
});

test("a form of another site takes no jobs away", async ({ page, home }) => {
  const job = await home.convert(await home.sampleLink("rain"));
  const target = `${serverOrigin()}/api/logout`;
  const body = `<form method="post" action="${target}"></form>`;
  await page.route("http://evil.example/", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("http://evil.example/");
  const answered = page.waitForResponse(target);
  await page.evaluate(() => document.forms[0]?.submit());
  expect((await answered).status()).toBe(403);
  await page.waitForURL(target);
  await home.open();
  await expect(home.rowOf(job)).toBeVisible();
});

test("an expired session signs the open page out, and its job continues", async ({ page, browser }) => {
  const ada = newUser();
  await using other = await newBrowser(browser);
  const bob = new Home(await other.newPage());
  await signIn(bob.page, newUser("Bob"));
  await bob.open();
  const bobs = await bob.convert(await bob.sampleLink("rain"));
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  const job = await home.convert(await home.sampleLink("held"));
  await expect.poll(() => home.percent(home.rowOf(job))).toBeGreaterThan(0);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await expireSessionsOf(ada.email);
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("Free User", { exact: true })).toBeVisible();
  await expect(emptyQueue(page)).toBeVisible();
  await expect(home.rows).toHaveCount(0);
  await expect(page.getByText(ada.firstName)).toHaveCount(0);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  for (const { id } of [job, bobs]) {
    expect((await page.request.get(`/api/conversions/${id}`)).status()).toBe(404);
    expect(
      (
        await page.request.delete(`/api/conversions/${id}`, {
          headers: { origin: serverOrigin(), "content-type": "application/json" },
        })
      ).status(),
    ).toBe(404);
  }
  await expect(bob.rows).toHaveCount(1);
  await expect(bob.rowOf(bobs)).toBeVisible();

  await signIn(page, ada);
  await home.open();
  // The first attempt is still processing: the expired session did not restart it.
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "processing");
  const before = await home.percent(home.rowOf(job));
  await expect.poll(() => home.percent(home.rowOf(job))).toBeGreaterThan(before);
  expect(Job.parse(await (await page.request.get(`/api/conversions/${job.id}`)).json())).toMatchObject({ attempt: 1 });
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect(home.rowOf(job)).toContainText("Canceled");
});

test("signing out everywhere signs every browser out at once", async ({ page, browser }) => {
  const ada = newUser();
  await signIn(page, ada);
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Account" })).toBeVisible();
  await using other = await newBrowser(browser);
  const otherPage = await other.newPage();
  await signIn(otherPage, ada);
  await otherPage.goto("/dashboard");
  await expect(otherPage.getByRole("heading", { name: "Welcome, Ada" })).toBeVisible();
  const accountPage = await other.newPage();
  await accountPage.goto("/dashboard");
  await accountPage.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(accountPage.getByRole("link", { name: "Pro Login" }).first()).toBeVisible();
  await expect(otherPage).toHaveURL(/\/login$/);
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
});

test("the rate limit's message says when to retry", async ({ page, home }) => {
  // Invalid links count against the rate limit but start no conversion.
  const statuses = await page.evaluate(async (count) => {
    const ask = async () => {
      const body = JSON.stringify({ youtubeUrl: "https://example.com/", format: "mp3" });
      return (
        await fetch("/api/conversions", { method: "POST", headers: { "content-type": "application/json" }, body })
      ).status;
    };
    return Promise.all(Array.from({ length: count }, ask));
  }, CREATE_PER_MINUTE_DEVICE);
  expect(new Set(statuses)).toEqual(new Set([422]));
  const link = await home.sampleLink("rain");
  await home.field.fill(link);
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/conversions"),
  );
  await home.field.press("Enter");
  const answer = await answered;
  expect(answer.status()).toBe(429);
  const seconds = Number(answer.headers()["retry-after"]);
  expect(seconds).toBeGreaterThan(0);
  await home.expectToastShown(`Conversion Failed Too many conversions in one minute. Try again in ${seconds} second`);
  await expect(home.field).toHaveValue(link);
  await expect(home.rows).toHaveCount(0);
});

test("asks for a fresh sign-in before an account is deleted, and opens the form again", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  await ageSessionsOf(ada.email, 11 * 60 * 1_000);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByLabel(/Type delete my account/).fill("delete my account");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText("sign in once more first")).toBeVisible();
  const again = page.getByRole("button", { name: "Sign in again" });
  await expect(again).toBeFocused();
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await again.click();
  await signInAtProvider(page, ada);
  await expect(page).toHaveURL(/\/dashboard\?delete-account$/);
  await page.getByLabel(/Type delete my account/).fill("delete my account");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
});

test("deletes an account after the typed confirmation", async ({ page }) => {
  const ada = newUser();
  await signIn(page, ada);
  await page.goto("/dashboard");
  await expect(page.getByRole("link", { name: "Export my data" })).toHaveAttribute("href", "/api/account/export");
  await page.getByRole("button", { name: "Delete account" }).click();
  const confirm = page.getByRole("button", { name: "Delete my account" });
  await expect(confirm).toBeDisabled();
  await page.getByLabel(/Type delete my account/).fill("delete my account");
  await confirm.click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test("the debug panel shows the identity of the browser", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  await page.getByText("Debug").click();
  await expect(page.getByText(/^Device .{8}$/)).toBeVisible();
  await expect(page.getByText("Auth No")).toBeVisible();
  await expect(page.getByText("User Anonymous")).toBeVisible();
  await expect(page.getByRole("complementary", { name: /Advertisement/ })).toHaveCount(3);
});

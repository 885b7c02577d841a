import { Job } from "../../common/job.ts";
import { violationsOf } from "./axe.ts";
import { Home, expect, live, test } from "./home.ts";
import { newBrowser, passProvider, signIn, signInAsPro, somebody } from "./people.ts";
import { CREATE_PER_MINUTE_DEVICE, changeTier, runOutSessions, serverOrigin } from "./server.ts";

test("a visitor who wants the dashboard signs in and gets there; the way out leads home", async ({ page }) => {
  const ada = somebody();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole("heading", { name: "Pro User Login" })).toBeVisible();
  await expect(page.getByLabel("Password")).toBeDisabled();
  await expect(page.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  // An answer without a page leaves this one standing, long enough to be read.
  await page.route("**/api/login", (route) => route.fulfill({ status: 204 }));
  await page.getByRole("button", { name: "Sign in as Pro User" }).click();
  await expect(page.getByRole("button", { name: "Signing in..." })).toBeDisabled();
  await page.unroute("**/api/login");
  await page.reload();
  await live(page);
  await page.getByRole("button", { name: "Sign in as Pro User" }).click();
  await passProvider(page, ada);

  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { name: "Welcome, Ada" })).toBeVisible();
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await expect(page.getByRole("article", { name: "Total Conversions" })).toContainText("0");
  await expect(page.getByRole("article", { name: "Data Used" })).toContainText("0.0 MB");
  await expect(page.getByRole("article", { name: "Account Status" })).toContainText("Free");
  await expect(page.getByText("No conversions yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Start Converting" })).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Pro Login" }).first()).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => sessionStorage.getItem("tapedeck.after-sign-in"))).toBeNull();
});

test("a second person signs in at the same browser, after the first and again", async ({ page }) => {
  const [ada, bob] = [somebody(), somebody("Bob")];
  for (const person of [ada, bob, ada]) {
    await signIn(page, person);
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { name: `Welcome, ${person.firstName}` })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Logout" }).click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
  }
});

test("a sign-in that is over is said in a sentence, with a way back", async ({ page }) => {
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

test("pages for some send others where they belong", async ({ page }) => {
  await page.goto("/pro");
  await expect(page).toHaveURL(/\/login$/);
  const ada = somebody();
  await signIn(page, ada);
  await page.goto("/pro");
  await expect(page).toHaveURL(/\/$/);
  await changeTier(ada.email, "pro");
  await page.goto("/pro");
  await expect(page.getByText("Pro Member")).toBeVisible();
  for (const text of [
    "Batch of 20 URLs",
    "HD 1080p/320kbps",
    "7-day storage",
    "500MB file limit",
    "500MB monthly limit",
    "0 completed",
    "0 processing or pending",
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByLabel("Video link")).toBeVisible();

  // Home in any case, even when the server does not answer.
  await page.route("**/api/logout", (route) => route.abort());
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/$/);
});

for (const [code, words] of [
  ["unavailable", /cannot be reached/],
  ["refused", /refused or called off/],
  ["expired", /took too long/],
  ["invalid", /could not be trusted/],
  ["rate_limited", /Too many sign-ins/],
] as const) {
  test(`a sign-in that ends with "${code}" is explained`, async ({ page }) => {
    await page.goto(`/login?error=${code}`);
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByRole("button", { name: "Sign in as Pro User" })).toBeEnabled();
  });
}

test("Pro comes and goes while the person looks on", async ({ page }) => {
  const ada = somebody();
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  const ads = page.getByRole("complementary", { name: /Advertisement/ });
  // Not the leaderboard, which is for those who are not signed in.
  await expect(ads).toHaveCount(2);
  await expect(home.field).toHaveAccessibleDescription("128 kbps · Pro makes it 320");
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await changeTier(ada.email, "pro");
  await expect(ads).toHaveCount(0);
  await expect(page.getByText("Pro User · Ada")).toBeVisible();
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  await expect(home.field).toHaveAccessibleDescription("320 kbps");

  await changeTier(ada.email, "free");
  await expect(ads).toHaveCount(2);
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toHaveCount(0);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

test("one person, two browsers: started here, watched and canceled there; usage comes along", async ({
  page,
  browser,
}) => {
  const ada = somebody();
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  await using other = await newBrowser(browser);
  const elsewhere = new Home(await other.newPage());
  await signIn(elsewhere.page, ada);
  await elsewhere.open();

  const job = await home.convert(await home.sampleLink("held"));
  await expect.poll(() => elsewhere.percent(elsewhere.rowOf(job))).toBeGreaterThan(0);
  await elsewhere
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect(home.rowOf(job)).toContainText("Canceled");

  await elsewhere.page.getByRole("link", { name: "Dashboard" }).first().click();
  const done = await home.convert(await home.sampleLink("rain"));
  await expect(elsewhere.page.getByRole("article", { name: "Total Conversions" })).toContainText("1");
  const recent = elsewhere.page.locator(`[data-recent="${done.id}"]`);
  await expect(recent.getByText("completed")).toHaveAttribute("data-variant", "default");
  await expect(recent).toContainText(/MP3\s*128 kbps\s*\d+\.\d MB/);
  await expect(recent.getByRole("link", { name: /^Download/ })).toHaveAttribute("target", "_blank");
  await expect(elsewhere.page.locator(`[data-recent="${job.id}"]`).getByText("canceled")).toHaveAttribute(
    "data-variant",
    "secondary",
  );
});

test("what was made before signing in comes along, to every browser of the person", async ({ page, home, browser }) => {
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  const ada = somebody();
  await signIn(page, ada);
  await home.open();
  await expect(home.rowOf(job)).toBeVisible();
  await using other = await newBrowser(browser);
  const elsewhere = new Home(await other.newPage());
  await signIn(elsewhere.page, ada);
  await elsewhere.open();
  await expect(elsewhere.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible();
});

test("a session that runs out in mid-job signs the open page out, and the job goes on", async ({ page, browser }) => {
  const ada = somebody();
  await using other = await newBrowser(browser);
  const bob = new Home(await other.newPage());
  await signIn(bob.page, somebody("Bob"));
  await bob.open();
  const bobs = await bob.convert(await bob.sampleLink("rain"));
  await signIn(page, ada);
  const home = new Home(page);
  await home.open();
  const job = await home.convert(await home.sampleLink("held"));
  await expect.poll(() => home.percent(home.rowOf(job))).toBeGreaterThan(0);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await runOutSessions(ada.email);
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("Free User", { exact: true })).toBeVisible();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
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
  // Still the first attempt, and still at work: nothing of it was lost with the session.
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

test("who signs out everywhere is signed out in every browser at once", async ({ page, browser }) => {
  const ada = somebody();
  await signIn(page, ada);
  await using other = await newBrowser(browser);
  const elsewhere = await other.newPage();
  await signIn(elsewhere, ada);
  await elsewhere.goto("/dashboard");
  const account = await other.newPage();
  await account.goto("/dashboard");
  await account.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(account.getByRole("link", { name: "Pro Login" }).first()).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login$/);
  await expect(page.getByRole("banner").getByRole("link", { name: "Pro Login" })).toBeVisible();
});

test("who asks too often is told when to try again", async ({ page, home }) => {
  // Refused for their links, so that they count and start nothing.
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
  await expect(home.toast).toContainText("Conversion Failed");
  await expect(home.toast).toContainText(`Too many conversions in one minute. Try again in ${seconds} second`);
  await expect(home.field).toHaveValue(link);
  await expect(home.rows).toHaveCount(0);
});

test("an account is deleted by those who type that they want it", async ({ page }) => {
  const ada = somebody();
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

test("who helps finds out who the server takes this browser for", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  await page.getByText("Debug").click();
  await expect(page.getByText(/^Device .{8}$/)).toBeVisible();
  await expect(page.getByText("Auth No")).toBeVisible();
  await expect(page.getByText("User Anonymous")).toBeVisible();
  await expect(page.getByRole("complementary", { name: /Advertisement/ })).toHaveCount(3);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the account's pages are accessible and fit a phone, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const home = await signInAsPro(page, somebody());
    const job = await home.convert(await home.sampleLink("rain"));
    await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
    for (const [path, heading] of [
      ["/dashboard", "Account"],
      ["/pro", "Recent conversions"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
      await expect(page.locator(`[data-recent="${job.id}"]`)).toBeVisible();
      await expect.poll(() => violationsOf(page), { message: path }).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.context().clearCookies();
    await page.goto("/login?error=expired");
    await expect(page.getByRole("alert")).toBeVisible();
    await expect.poll(() => violationsOf(page), { message: "/login" }).toEqual([]);
  });
}

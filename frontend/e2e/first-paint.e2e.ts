/** The page before its scripts have run, and its hydration. */
import { expect, test } from "@playwright/test";
import { serverOrigin } from "./server.ts";

// A blocked service worker would log an error to the console.
test.use({ reducedMotion: "reduce", serviceWorkers: "allow" });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the styled home page", async ({ page }) => {
    await page.goto(`${serverOrigin()}/`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toContainText("Paste a link.");
    await expect(page.getByLabel("Video link")).toBeVisible();
    expect(await heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(
      30,
    );
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(250, 248, 243)");
  });
});

test("hydration does not change the prerendered page", async ({ page }) => {
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      for (const element of document.querySelectorAll("h1, input[name=link]"))
        element.setAttribute("data-prerendered", "");
    });
  });
  await page.goto(`${serverOrigin()}/`);
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  await expect(page.locator("h1")).toHaveAttribute("data-prerendered", "");
  await expect(page.getByLabel("Video link")).toHaveAttribute("data-prerendered", "");
  expect(messages).toEqual([]);
});

const PRERENDERED_PAGES: [path: string, title: string, heading?: string][] = [
  ["/plans", "Plans", "Choose your plan."],
  ["/help", "Help"],
  ["/privacy", "Privacy"],
  ["/terms", "Terms"],
];
for (const [path, title, heading = title] of PRERENDERED_PAGES) {
  test(`${path} is prerendered with its metadata, and hydration does not change it`, async ({ page, request }) => {
    const html = await (await request.get(`${serverOrigin()}${path}`)).text();
    expect(html).toMatch(new RegExp(`<title>[^<]*${title}[^<]* · Tapedeck</title>`));
    expect(/<meta name="description" content="([^"]*)"/.exec(html)?.[1]?.length).toBeGreaterThan(20);
    const messages: string[] = [];
    // Only errors and warnings: the browser logs a hint about the form's password field.
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    await page.addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () =>
        document.querySelector("h1")?.setAttribute("data-prerendered", ""),
      ),
    );
    // This request shows that the script runs.
    const configured = page.waitForResponse((answer) => answer.url().endsWith("/api/config"));
    await page.goto(`${serverOrigin()}${path}`);
    await expect(page.locator("h1")).toContainText(heading);
    await configured;
    await expect(page.locator("h1")).toHaveAttribute("data-prerendered", "");
    expect(messages).toEqual([]);
  });
}

test.describe("a choice made on an earlier visit", () => {
  test.use({ colorScheme: "light" });

  test("applies a stored dark scheme and hides English for a stored language from the first paint", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      localStorage.setItem("tapedeck.scheme", "dark");
      localStorage.setItem("tapedeck.language", "de");
    });
    // The page's scripts never arrive.
    await page.route("**/assets/*.js", () => undefined);
    await page.goto(`${serverOrigin()}/`, { waitUntil: "commit" });
    await expect(page.locator("h1")).toBeAttached();
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
    await expect(page.locator("h1")).toBeHidden();
    await page.unroute("**/assets/*.js");
    await page.reload();
    await expect(page.locator("h1")).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
  });
});

test("keeps a colour scheme that was chosen before hydration", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`${serverOrigin()}/help`, { waitUntil: "commit" });
  await page.locator("footer input[value=dark]").check({ force: true });
  scripts.resolve();
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.reload();
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
});

test("applies a language that was chosen before hydration", async ({ page }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`${serverOrigin()}/help`, { waitUntil: "commit" });
  await page.locator("footer select").selectOption("de");
  scripts.resolve();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hilfe");
});

import type { Page } from "@playwright/test";
import { shown } from "../src/testing/shown-limits.ts";
import { expect, goTo, resize, scrollWidthOf, test } from "./home.ts";
import { signInAsPro, newUser } from "./users.ts";
import { SUPPORT_EMAIL, TAKEDOWN_EMAIL, serverOrigin } from "./server.ts";

const PAGES = [
  { path: "/help", heading: "Help", title: "Help · Tapedeck" },
  { path: "/contact", heading: "Contact", title: "Contact · Tapedeck" },
  { path: "/privacy", heading: "Privacy Policy", title: "Privacy Policy · Tapedeck" },
  { path: "/terms", heading: "Terms of Service", title: "Terms of Service · Tapedeck" },
  { path: "/speed", heading: "How long it takes", title: "How long it takes · Tapedeck" },
  { path: "/no/such/place", heading: "404 Page Not Found", title: "404 Page Not Found · Tapedeck" },
];

const WITH_TITLES = [
  { path: "/", heading: "Paste a link. Keep the tape.", title: "Tapedeck" },
  { path: "/login", heading: "Pro User Login", title: "Pro User Login · Tapedeck" },
  { path: "/plans", heading: "Choose your plan.", title: "Plans · Tapedeck" },
  ...PAGES,
];

const headOf = (page: Page) =>
  page.evaluate(() => ({
    title: document.title,
    description: document.querySelector<HTMLMetaElement>("meta[name=description]")?.content,
    canonical: document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href,
    robots: document.querySelector<HTMLMetaElement>("meta[name=robots]")?.content,
    tags: document.querySelectorAll("meta[name=description], link[rel=canonical], meta[name=robots]").length,
  }));

/** Checks the page on phones, with what a visitor may open on it. */
async function expectToFitFingers(page: Page, path: string): Promise<void> {
  if (path === "/contact") {
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.locator("[aria-invalid=true]")).toHaveCount(5);
  }
  if (path === "/help") await page.locator("summary").first().click();
  // 320 px is also the width of a 640 px window at 200 % zoom.
  for (const width of [320, 390]) {
    await resize(page, { width, height: 640 });
    await expect.poll(() => scrollWidthOf(page), { message: path }).toBe(width);
    const heights = await page
      .locator(
        "main a:visible, button:visible, summary:visible, footer a:visible, " +
          "input:visible:not([type=radio]), select:visible",
      )
      .evaluateAll((all) =>
        all
          .filter((element) => getComputedStyle(element).display !== "inline")
          .map((element) => [element.textContent, Math.round(element.getBoundingClientRect().height)] as const),
      );
    expect(heights.filter(([, height]) => height < 44)).toEqual([]);
  }
  await resize(page, { width: 1280, height: 800 });
}

test("every page has its own title, description and canonical URL, and fits every width and finger", async ({
  page,
}) => {
  const descriptions = new Set<string>();
  for (const { path, heading, title } of WITH_TITLES) {
    await goTo(page, `${path}?from=test`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page).toHaveTitle(title);
    // Added by the script after hydration.
    await expect(page.locator("link[rel=canonical]")).toBeAttached();
    await expect(page.locator("meta[name=robots]")).toBeAttached();
    const head = await headOf(page);
    expect(head.canonical).toMatch(new RegExp(`^http://[^/?]+${path}$`));
    expect(head.robots).toBe(heading.startsWith("404") ? "noindex" : "index, follow");
    expect(head.tags).toBe(3);
    expect(head.description?.length).toBeGreaterThan(50);
    descriptions.add(head.description ?? "");
    // The others are checked with all that they may show.
    if (PAGES.some((one) => one.path === path)) await expectToFitFingers(page, path);
  }
  // The not-found page has the description of the home page.
  expect(descriptions.size).toBe(WITH_TITLES.length - 1);
});

test("pages after the sign-in have titles and are not indexed", async ({ page }) => {
  await signInAsPro(page, newUser());
  for (const [path, title] of [
    ["/dashboard", "Dashboard · Tapedeck"],
    ["/pro", "Pro · Tapedeck"],
    ["/subscribe", "Upgrade to Pro · Tapedeck"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(title);
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
    expect((await headOf(page)).description?.length).toBeGreaterThan(50);
  }
});

test("the not-found page links to the home page", async ({ page }) => {
  await page.goto("/no/such/place");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the converter" }).click();
  await expect(page.getByLabel("Video link")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test("the footer links to help, and help to support", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  const links = page.getByRole("contentinfo").getByRole("link");
  for (const name of ["Help", "Contact", "Privacy", "Terms"])
    await expect(links.filter({ hasText: name })).toHaveAttribute("href", `/${name.toLowerCase()}`);
  await links.filter({ hasText: "Help" }).click();
  for (const card of ["Getting started", "Account", "Technical support", "Downloads and files"])
    await expect(page.getByRole("heading", { name: card, exact: true })).toBeVisible();
  const answer = page.getByText(`${shown.free.kept} on the free plan and ${shown.pro.kept} with Pro`);
  await expect(answer).toBeHidden();
  await page.getByText("How long are my files kept?").click();
  await expect(answer).toBeVisible();
  await page.getByRole("link", { name: "Contact Support" }).click();
  await expect(page.getByRole("heading", { name: "Send a message" })).toBeVisible();
});

test("the legal pages state the product's real figures", async ({ page }) => {
  await page.goto("/privacy");
  const main = page.getByRole("main");
  for (const text of [
    "July 25, 2025",
    `${shown.free.kept} on the free plan, ${shown.pro.kept} with Pro`,
    "90 days",
    "within 30 days",
    "30 days after its file has gone",
  ])
    await expect(main).toContainText(text);
  await page.goto("/terms");
  for (const text of [
    "July 25, 2025",
    "within 30 days of a payment",
    "cancel at any time",
    "Convert only what you may copy",
    shown.free.size,
    shown.pro.size,
    "$9 a month or $90 a year",
  ])
    await expect(main).toContainText(text);
});

test("shows the operator's contact addresses with and without a script and after navigation", async ({
  page,
  browser,
}) => {
  const withoutScript = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const view of [page, withoutScript]) {
    await view.goto(`${serverOrigin()}/terms`);
    await expect(view.getByRole("link", { name: TAKEDOWN_EMAIL })).toHaveAttribute("href", `mailto:${TAKEDOWN_EMAIL}`);
    await expect(view.getByRole("main")).toContainText(SUPPORT_EMAIL);
    const shared = (name: string) => view.locator(`meta[property='og:${name}']`);
    await expect(shared("title")).toHaveAttribute("content", "Terms of Service · Tapedeck");
    await expect(shared("image")).toHaveAttribute("content", `${serverOrigin()}/shared-link.png`);
  }
  expect((await page.request.get("/shared-link.png")).headers()["content-type"]).toBe("image/png");
  await withoutScript.context().close();
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByRole("link", { name: SUPPORT_EMAIL })).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("main")).toContainText(SUPPORT_EMAIL);
});

test("sections have links, which the top bar does not cover", async ({ page }) => {
  await goTo(page, "/terms");
  // Fonts that arrive during the smooth scroll change the heights above the section.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Refunds" }).click();
  await expect(page).toHaveURL(/#refunds$/);
  const heading = page.getByRole("heading", { name: "Refunds" });
  await expect(heading).toBeInViewport();
  const bar = await page.getByRole("banner").boundingBox();
  expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  await page.goto("/privacy#how-long");
  await expect(page.getByRole("heading", { name: "How long we keep it" })).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
});

test("the scripts of a page that is opened anew leave it where the browser has scrolled it", async ({ page }) => {
  // Without motion the page is in its place at once, and a wrong place is seen.
  await page.emulateMedia({ reducedMotion: "reduce" });
  const live = page.locator("html[data-live]");
  const scrollY = (): Promise<number> => page.evaluate(() => window.scrollY);
  await goTo(page, "/terms");
  await page.mouse.move(5, 5);
  await expect(live).toBeAttached();
  await page.keyboard.press("End");
  await expect.poll(scrollY).toBeGreaterThan(2_000);
  const before = await scrollY();
  await page.goto("/privacy#how-long");
  await page.mouse.move(6, 6);
  await expect(live).toBeAttached();
  await expect(page.getByRole("heading", { name: "How long we keep it" })).toBeInViewport();
  expect(await scrollY()).toBeLessThan(before);
});

test("the scripts of a page leave it where its reader has scrolled it", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/privacy");
  await page.evaluate(() => window.scrollTo(0, 1_000));
  await page.mouse.move(6, 6);
  await expect(page.locator("html[data-live]")).toBeAttached();
  expect(await page.evaluate(() => window.scrollY)).toBe(1_000);
});

test("another page opens at its top, and the way back leads to the place where the reader was", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const scrollY = (): Promise<number> => page.evaluate(() => window.scrollY);
  await page.goto("/terms");
  // Not by a key: the browser drops keys before the first paint, and moves step by step.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const before = await scrollY();
  expect(before).toBeGreaterThan(2_000);
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect.poll(scrollY).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Help");
  await expect.poll(scrollY).toBe(before);
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect.poll(scrollY).toBe(0);
});

test("the top bar stays visible and links to converter and prices from every page", async ({ page }) => {
  const bar = page.getByRole("banner");
  await page.goto("/terms");
  await page.keyboard.press("End");
  await expect(bar.getByRole("link", { name: "Pricing" })).toBeInViewport();
  await bar.getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL(/\/#pricing$/);
  const prices = page.getByRole("heading", { name: "Pricing" });
  await expect(prices).toBeInViewport();
  const bottom = await bar.evaluate((element) => element.getBoundingClientRect().bottom);
  await expect.poll(async () => (await prices.boundingBox())?.y).toBeGreaterThanOrEqual(bottom);
  await bar.getByRole("link", { name: "Converter" }).click();
  await expect(page.getByLabel("Video link")).toBeInViewport();
  await bar.getByRole("link", { name: "Pricing" }).click();
  await expect(prices).toBeInViewport();
});

test("the skip link jumps over the top bar", async ({ page }) => {
  await goTo(page, "/help");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  // The browser moves the place from which Tab goes on when it has followed the link.
  await expect(page).toHaveURL(/#/);
  await page.keyboard.press("Tab");
  await expect(page.locator("summary").first()).toBeFocused();
});

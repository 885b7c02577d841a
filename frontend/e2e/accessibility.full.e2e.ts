/**
 * Checks every page against the accessibility rules, and that it fits small screens. The states of the queue are in
 * `src/features/queue/QueueStates.component.test.tsx`.
 */
import type { Page } from "@playwright/test";
import { LANGUAGE_COOKIE } from "../../common/languages.ts";
import { JOBS_IN_EVERY_STATE } from "../src/testing/jobs-in-every-state.ts";
import { expectAccessible } from "./axe.ts";
import { cutTexts } from "./cut-texts.ts";
import { Home, expect, goTo, resize, test, waitUntilLive, waitForOwnFonts } from "./home.ts";
import { serverOrigin } from "./server.ts";
import { signIn, signInAsPro, newUser } from "./users.ts";

const LANGUAGES = ["en", "ar"] as const;
/** Paths with a selector of what must be there before the check. */
const PUBLIC_PAGES: readonly [path: string, content: string][] = [
  ["/", "h1"],
  ["/login?error=expired", "[role=alert]"],
  ["/help", "h1"],
  ["/contact", "h1"],
  ["/privacy", "h1"],
  ["/terms", "h1"],
  ["/speed", "h1"],
  ["/plans", "h1"],
  ["/no/such/place", "h1"],
];
const PRO_PAGES: readonly [path: string, content: string][] = [
  ["/", "[data-job]"],
  ["/dashboard", "main [data-job]"],
  ["/pro", "li[data-job]"],
];

/** Stores the choice of a language. */
const setLanguage = (page: Page, language: (typeof LANGUAGES)[number] | "de") =>
  page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: serverOrigin() }]);

/**
 * Expects no horizontal scrolling. 320 px is also the width of a 1280 px window at 400 % zoom, and 640 × 400 px the
 * size of a 1280 × 800 px window at 200 %.
 */
async function expectToFit(page: Page, what: string): Promise<void> {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 390, height: 844 },
    { width: 640, height: 400 },
  ]) {
    await resize(page, viewport);
    let isRetry = false;
    // Scripts react to the width with a delay, and a headless browser may miss a change of its width:
    // a page that does not fit is reloaded in that width.
    await expect
      .poll(
        async () => {
          if (isRetry) await page.reload();
          isRetry = true;
          return page.evaluate(() => document.documentElement.scrollWidth);
        },
        { message: what },
      )
      .toBe(viewport.width);
  }
  await resize(page, { width: 1280, height: 800 });
}

async function expectGoodPages(
  page: Page,
  language: (typeof LANGUAGES)[number],
  pages: readonly [path: string, content: string][],
): Promise<void> {
  await setLanguage(page, language);
  for (const [path, content] of pages) {
    await page.goto(path);
    await waitUntilLive(page);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toBeAttached();
    await expect(page.locator(content).first()).toBeVisible();
    await expectToFit(page, `${path} in ${language}`);
    await expectAccessible(page, `${path} in ${language}`);
  }
}

for (const language of LANGUAGES) {
  test(`public pages are accessible and fit small screens (${language})`, async ({ page }) => {
    await expectGoodPages(page, language, PUBLIC_PAGES);
  });
}

test("pages of Pro users and the account deletion form are accessible and fit small screens", async ({ page }) => {
  const home = await signInAsPro(page, newUser());
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  for (const language of LANGUAGES) await expectGoodPages(page, language, PRO_PAGES);
  await setLanguage(page, "en");
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Delete account" }).press("Enter");
  await expect(page.getByLabel(/to confirm/)).toBeFocused();
  await expectAccessible(page, "deleting the account");
  await page.getByRole("button", { name: "Keep it" }).press("Enter");
  await expect(page.getByRole("button", { name: "Delete account" })).toBeFocused();
  await goTo(page, "/");
  await page.getByText("Batch", { exact: true }).click();
  await page.getByLabel("Video links, one a line").fill("nothing");
  await page.getByRole("button", { name: "Convert all" }).click();
  await expectAccessible(page, "a batch without links");
});

test("the payment page and the dashboard of a free user are accessible in right-to-left layout", async ({ page }) => {
  await signIn(page, newUser());
  await setLanguage(page, "ar");
  const cardForm = 'iframe[title="Secure payment input frame"]';
  await page.goto("/subscribe");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator(cardForm)).toBeVisible();
  await expectToFit(page, "/subscribe in ar");
  // The provider's frame is transparent; the checker assumes a white background there.
  await expectAccessible(page, "/subscribe in ar", { excludedSelector: cardForm });
  await page.goto("/dashboard");
  await expect(page.locator("#recent-heading")).toBeVisible();
  await expectToFit(page, "/dashboard in ar");
  await expectAccessible(page, "/dashboard in ar");
});

/** Opens the home page with the given response for the job list and without sockets. */
async function openWithList(page: Page, answer: "failure" | readonly object[]): Promise<Home> {
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.unroute("**/api/conversions");
  await page.route("**/api/conversions", async (route) => {
    await route.fulfill(answer === "failure" ? { status: 503, body: "" } : { json: answer });
  });
  const home = new Home(page);
  await page.goto("/");
  return home;
}

test("forced colours show progress bars, choices and the focus", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const home = await openWithList(page, JOBS_IN_EVERY_STATE);
  const bar = page.locator("[data-job=downloading] [role=progressbar]");
  await expect(bar).toBeVisible();
  expect(await bar.evaluate((frame) => getComputedStyle(frame).outlineStyle)).toBe("solid");
  const [filled, empty] = await bar.evaluate((frame) =>
    [frame.firstElementChild ?? frame, frame].map((element) => getComputedStyle(element).backgroundColor),
  );
  expect(filled).not.toBe(empty);
  await home.field.focus();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
    "solid",
  );
});

/** The spacing that texts must endure, WCAG 1.4.12. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

/** Expects that no text is cut off, and no horizontal scrolling. Polls, because a page reacts to its size with a delay. */
async function expectNothingCut(page: Page, what: string, width: number): Promise<void> {
  const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(scrollWidth, { message: what }).toBe(width);
  await expect.poll(() => page.evaluate(cutTexts), { message: what }).toEqual([]);
}

/** Expects that a page shows all texts on small screens, also large ones (200 %), and with wide spacing. */
async function expectReadable(page: Page, what: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const setTextSize = (standard: number) => session.send("Page.setFontSizes", { fontSizes: { standard } });
  // Also a laptop's window at 400 %.
  await resize(page, { width: 320, height: 640 });
  await expectNothingCut(page, `${what} on 320 px`, 320);
  await resize(page, { width: 390, height: 844 });
  await setTextSize(32);
  await expectNothingCut(page, `${what} with text of 200 %`, 390);
  await setTextSize(16);
  const style = await page.addStyleTag({ content: TEXT_SPACING });
  await expectNothingCut(page, `${what} with wide spacing`, 390);
  await style.evaluate((element) => element.parentElement?.removeChild(element));
  await session.detach();
}

test("in German, small screens show all texts: also large ones, and with wide spacing", async ({ page }) => {
  await waitForOwnFonts(page);
  await setLanguage(page, "de");
  for (const path of ["/plans", "/help", "/contact", "/login", "/terms"]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("contentinfo")).toBeAttached();
    await expectReadable(page, path);
  }
});

test("the home page in German does so too, with jobs in every state and with errors", async ({ page }) => {
  await waitForOwnFonts(page);
  await page.goto("/manifest.webmanifest");
  await setLanguage(page, "de");
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expectReadable(page, "the empty home page");
  await page.evaluate(() => localStorage.setItem("tapedeck.has-jobs", "yes"));
  const home = await openWithList(page, JOBS_IN_EVERY_STATE);
  await expect(home.rows).toHaveCount(11);
  await page.locator("[data-batch] [aria-expanded]").click();
  await expect(home.rows).toHaveCount(14);
  await expectReadable(page, "the queue");
  const field = page.locator("input[name=link]");
  await field.fill("cats");
  await field.press("Enter");
  await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
  await expectReadable(page, "a link that is refused");
  await openWithList(page, "failure");
  await expect(page.locator("section [role=alert]")).toBeVisible();
  await expectReadable(page, "the queue that cannot be loaded");
});

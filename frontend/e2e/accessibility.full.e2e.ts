/** Checks every page in every state against the accessibility rules, and that it fits small screens. */
import type { Page } from "@playwright/test";
import { LANGUAGE_COOKIE } from "../../common/languages.ts";
import { ar } from "../src/texts/ar.ts";
import { en } from "../src/texts/en.ts";
import { expectAccessible } from "./axe.ts";
import { cutTexts } from "./cut-texts.ts";
import { Home, expect, goTo, resize, test, waitUntilLive, waitForOwnFonts } from "./home.ts";
import { serverOrigin } from "./server.ts";
import { signIn, signInAsPro, newUser } from "./users.ts";

const CATALOGUES = { en, ar };
const LANGUAGES = ["en", "ar"] as const;
/** Paths with a selector of what must be there before the check. */
const PUBLIC_PAGES: readonly [path: string, content: string][] = [
  ["/", "h1"],
  ["/login?error=expired", "[role=alert]"],
  ["/help", "h1"],
  ["/contact", "h1"],
  ["/privacy", "h1"],
  ["/terms", "h1"],
  ["/plans", "h1"],
  ["/no/such/place", "h1"],
];
const PRO_PAGES: readonly [path: string, content: string][] = [
  ["/", "[data-job]"],
  ["/dashboard", "[data-recent]"],
  ["/pro", "[data-recent]"],
];

test.use({ reducedMotion: "reduce" });

/** Stores the choice of a language. */
const setLanguage = (page: Page, language: (typeof LANGUAGES)[number] | "de") =>
  page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: serverOrigin() }]);

/**
 * Expects no horizontal scrolling. 320 px is also the width of a 1280 px window at 400 % zoom, and 640 × 400 px the
 * size of a 1280 × 800 px window at 200 %.
 */
async function expectToFit(page: Page, what: string, afterReload?: () => Promise<void>): Promise<void> {
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
          if (isRetry) {
            await page.reload();
            await afterReload?.();
          }
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

const baseJob = {
  format: "mp3",
  quality: "128kbps",
  attempt: 1,
  progress: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const completed = { ...baseJob, status: "completed", progress: 100, fileSize: 3_000_000 };
/** One of each kind; the last three are a batch. */
const JOBS = [
  { ...baseJob, id: "queued", title: "Still waiting", status: "queued" },
  {
    ...baseJob,
    id: "resumes",
    title: "Asked to wait",
    status: "queued",
    attempt: 2,
    resumesAt: "2099-01-01T00:00:00.000Z",
  },
  { ...baseJob, id: "pending", title: "Being looked at", status: "pending" },
  {
    ...baseJob,
    id: "paused",
    title: "Asked to wait in the middle",
    status: "processing",
    stage: "download",
    progress: 41,
    resumesAt: "2099-01-01T00:00:00.000Z",
  },
  {
    ...baseJob,
    id: "downloading",
    title: "On its way",
    status: "processing",
    stage: "download",
    progress: 41,
    bytesPerSecond: 2_000_000,
    etaSeconds: 20,
  },
  {
    ...baseJob,
    id: "converting",
    title: "صوت المطر على السطح",
    status: "processing",
    stage: "convert",
    progress: 80,
    etaSeconds: 3,
    durationSeconds: 182,
  },
  {
    ...completed,
    id: "ready",
    title: "Rain on a tin roof",
    expiresAt: "2099-01-01T00:00:00.000Z",
    downloadUrl: "/api/conversions/ready/file",
    note: "360p to fit 50 MB",
    shortfall: { reason: "file_size", heightLines: 360, maxBytes: 50_000_000 },
    sponsorsUnknown: true,
  },
  { ...completed, id: "expired", title: "Gone with the hour", expiresAt: "2026-01-01T01:00:00.000Z" },
  {
    ...completed,
    id: "blocked",
    title: "Claimed by its owner",
    expiresAt: "2099-01-01T00:00:00.000Z",
    isBlocked: true,
  },
  {
    ...baseJob,
    id: "failed",
    title: "Three hours of a very quiet room",
    status: "failed",
    error: {
      code: "too_long",
      message: "Longer than 20 minutes. Pro takes up to 2 hours.",
      reason: { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 },
    },
  },
  { ...baseJob, id: "canceled", title: "Never mind", status: "canceled" },
  {
    ...completed,
    id: "first",
    batchId: "many",
    title: "First of many",
    expiresAt: "2099-01-01T00:00:00.000Z",
    downloadUrl: "/api/conversions/first/file",
  },
  {
    ...baseJob,
    id: "second",
    batchId: "many",
    title: "Second of many",
    status: "failed",
    error: { code: "unavailable", message: "Not there." },
  },
  {
    ...baseJob,
    id: "third",
    batchId: "many",
    title: "Third of many",
    status: "processing",
    stage: "download",
    progress: 10,
  },
];

/** Opens the home page with the given response for the job list and without sockets. */
async function openWithList(page: Page, answer: "never" | "failure" | readonly object[]): Promise<Home> {
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.unroute("**/api/conversions");
  await page.route("**/api/conversions", async (route) => {
    if (answer === "failure") await route.fulfill({ status: 503, body: "" });
    else if (answer !== "never") await route.fulfill({ json: answer });
  });
  const home = new Home(page);
  await page.goto("/");
  return home;
}

/** @returns the texts with words in the rows of the queue, apart from titles and formats */
async function wordsInRows(page: Page): Promise<string[]> {
  const texts = await page.locator("[data-job], [data-batch]").evaluateAll((rows) =>
    rows.flatMap((row) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) found.push(walker.currentNode.textContent?.trim() ?? "");
      return found;
    }),
  );
  const titles = new Set<string>(JOBS.map(({ title }) => title));
  return [...new Set(texts)].filter((text) => /\p{L}{3}/u.test(text) && !titles.has(text) && !/^MP[34] · /.test(text));
}

for (const language of LANGUAGES) {
  test(`the queue in every state, menus, toasts and tooltips are accessible (${language})`, async ({ page }) => {
    await page.goto("/manifest.webmanifest");
    await setLanguage(page, language);
    await page.evaluate(() => localStorage.setItem("tapedeck.has-jobs", "yes"));
    await openWithList(page, "never");
    await waitUntilLive(page);
    await expect(page.getByRole("status", { name: CATALOGUES[language].queue.loading })).toBeVisible();
    await expectAccessible(page, "loading");
    await openWithList(page, "failure");
    await expect(page.locator("section [role=alert]")).toBeVisible();
    await expectAccessible(page, "unreachable");
    const home = await openWithList(page, JOBS);
    const unfoldBatch = async () => {
      await expect(home.rows).toHaveCount(11);
      await page.locator("[data-batch] [aria-expanded]").click();
      await expect(home.rows).toHaveCount(14);
    };
    await unfoldBatch();
    const blocked = page.locator("[data-job=blocked]");
    const { job, errors } = CATALOGUES[language];
    await expect(blocked).toContainText(job.blocked);
    await expect(blocked).toContainText(errors.blocked);
    await expect(blocked).not.toContainText(job.expired);
    await expect(blocked.getByRole("button")).toHaveCount(1);
    await expect(blocked.getByRole("link")).toHaveCount(0);
    await expectToFit(page, "every kind of row", unfoldBatch);
    await expectAccessible(page, "every kind of row");
    if (language === "en")
      await test.step("no row has an English text in German", async () => {
        const english = await wordsInRows(page);
        expect(english).toEqual(expect.arrayContaining(["360p to fit 50 MB", "Not there.", "Expired"]));
        await page.locator("footer select").selectOption("de");
        await expect(page.locator("[data-job=failed]")).toContainText(
          "Länger als 20 Minuten. Pro nimmt bis zu 2 Stunden.",
        );
        await expect(page.locator("[data-job=ready]")).toContainText("360p, damit die Datei in 50 MB passt");
        const german = new Set(await wordsInRows(page));
        expect(english.filter((text) => german.has(text))).toEqual([]);
        await page.locator("footer select").selectOption("en");
        await expect(page.locator("[data-job=ready]")).toContainText("360p to fit 50 MB");
      });
    await page.locator("[data-scope=menu][data-part=trigger]").click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectAccessible(page, "the menu");
    await page.keyboard.press("Escape");
    // A toast closes after a while, unless the focus is in it.
    await expect(async () => {
      await page.locator("input[name=link]").press("Enter");
      await page.keyboard.press("F8");
      await expect(page.locator("section:has([data-scope=toast])")).toBeFocused({ timeout: 1_000 });
    }).toPass();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("tooltip")).toBeVisible();
    // A tooltip is reached through its button, so it needs no landmark.
    await expectAccessible(page, "a toast with a tip", { exceptRules: ["region"] });
    await goTo(page, "/contact");
    await page.locator("form button[type=submit]").click();
    await expect(page.locator("[aria-invalid=true]")).toHaveCount(5);
    await page.locator("summary").first().click();
    await expectAccessible(page, "a form with mistakes");
  });
}

test("forced colours show progress bars, choices and the focus", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const home = await openWithList(page, JOBS);
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
  const home = await openWithList(page, JOBS);
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

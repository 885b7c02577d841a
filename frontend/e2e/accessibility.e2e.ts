/** Checks every page in every state against the accessibility rules, and that it fits small screens. */
import type { Page } from "@playwright/test";
import { violationsOf } from "./axe.ts";
import { Home, expect, goTo, test } from "./home.ts";
import { signIn, signInAsPro, newUser } from "./users.ts";

const LANGUAGES = ["en", "ar"] as const;
const COLORS = ["light", "dark"] as const;
const PUBLIC_PAGES = ["/", "/login", "/help", "/contact", "/privacy", "/terms", "/plans", "/no/such/place"];
const PRO_PAGES = ["/", "/dashboard", "/pro"];

test.use({ reducedMotion: "reduce" });

const setLanguage = (page: Page, language: (typeof LANGUAGES)[number]) =>
  page.evaluate((code) => localStorage.setItem("tapedeck.language", code), language);

/** Expects no violations in light and dark; in dark only the contrast rule is checked again. */
async function expectAccessible(
  page: Page,
  what: string,
  exceptRules: string[] = [],
  excludedSelector?: string,
): Promise<void> {
  for (const colorScheme of COLORS) {
    await page.emulateMedia({ colorScheme });
    // Finishes colour transitions, which start with the next frame.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    });
    const options = {
      exceptRules,
      excludedSelector,
      rules: colorScheme === "dark" ? ["color-contrast"] : undefined,
    };
    // Polls, because elements may still fade in or out.
    await expect.poll(() => violationsOf(page, options), { message: `${what}, ${colorScheme}` }).toEqual([]);
  }
}

/**
 * Expects no horizontal scrolling. 320 px is also the width of a 1280 px window at 400 % zoom, and 640 × 400 px the
 * size of a 1280 × 800 px window at 200 %.
 */
async function expectToFit(page: Page, what: string): Promise<void> {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(viewport);
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
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function expectGoodPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const language of LANGUAGES) {
    await setLanguage(page, language);
    for (const path of paths) {
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeAttached();
      await expectToFit(page, `${path} in ${language}`);
      await expectAccessible(page, `${path} in ${language}`);
    }
  }
}

test("public pages are accessible and fit small screens", async ({ page }) => {
  await page.goto("/help");
  await expectGoodPages(page, PUBLIC_PAGES);
});

test("pages of Pro users and the account deletion form are accessible and fit small screens", async ({ page }) => {
  await signInAsPro(page, newUser());
  await expectGoodPages(page, PRO_PAGES);
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
  await expectAccessible(page, "/subscribe in ar", [], cardForm);
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
  },
  { ...completed, id: "expired", title: "Gone with the hour", expiresAt: "2026-01-01T01:00:00.000Z" },
  {
    ...baseJob,
    id: "failed",
    title: "Three hours of a very quiet room",
    status: "failed",
    error: { code: "too_long", message: "Longer than 20 minutes." },
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

for (const language of LANGUAGES) {
  test(`the queue in every state, menus, toasts and tooltips are accessible (${language})`, async ({ page }) => {
    await page.goto("/help");
    await setLanguage(page, language);
    await openWithList(page, "never");
    await expect(page.locator("#queue-heading")).toBeVisible();
    await expectAccessible(page, "loading");
    await openWithList(page, "failure");
    await expect(page.locator("section [role=alert]")).toBeVisible();
    await expectAccessible(page, "unreachable");
    const home = await openWithList(page, JOBS);
    await expect(home.rows).toHaveCount(9);
    await page.locator("[data-batch] [aria-expanded]").click();
    await expect(home.rows).toHaveCount(12);
    await expectToFit(page, "every kind of row");
    await expectAccessible(page, "every kind of row");
    await page.locator("[data-scope=menu][data-part=trigger]").click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectAccessible(page, "the menu");
    await page.keyboard.press("Escape");
    await page.locator("input[name=link]").press("Enter");
    await expect(home.toast).toBeVisible();
    await page.keyboard.press("F8");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("tooltip")).toBeVisible();
    // A tooltip is reached through its button, so it needs no landmark.
    await expectAccessible(page, "a toast with a tip", ["region"]);
    await goTo(page, "/contact");
    await page.locator("form button[type=submit]").click();
    await expect(page.locator("[aria-invalid=true]")).toHaveCount(5);
    await page.locator("summary").first().click();
    await expectAccessible(page, "a form with mistakes");
  });
}

test("a job that waits for the video site says when it continues", async ({ page }) => {
  const resumesAt = new Date(Date.now() + 20 * 60_000).toISOString();
  await openWithList(page, [
    { ...baseJob, id: "resumes", title: "Asked to wait", status: "queued", attempt: 2, resumesAt },
  ]);
  const row = page.locator("[data-job=resumes]");
  await expect(row).toContainText(/The video site asks us to wait; continues in \d+ minutes/);
  await expect(row).not.toContainText("attempt");
});

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

/** Phones and bad networks: each request takes effect once, and outdated data are marked. */
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Page, Route } from "@playwright/test";
import { z } from "zod";
import { JobList } from "../../common/api.ts";
import { Job } from "../../common/job.ts";
import { UNDO_MS } from "../src/stores/removals.ts";
import { emptyQueue, expect, Home, test } from "./home.ts";
import { serverOrigin } from "./server.ts";

const jobsAtServer = async (page: Page) =>
  JobList.parse(await (await page.request.get(`${serverOrigin()}/api/conversions`)).json());
const waitingRows = (page: Page) => page.locator("[data-kept]");

/** Waits for the configuration, which contains the accepted hosts and the sample links. */
const configured = (page: Page) => expect(page.getByRole("button", { name: "Try a sample link" })).toBeVisible();

/** Submits a link without waiting for the result. */
async function submitLink(home: Home, link: string): Promise<void> {
  await configured(home.page);
  await home.field.fill(link);
  await home.field.press("Enter");
}

/** Sends the request to the server but drops its response. */
async function dropResponse(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

test("retries a request with a lost answer under the same key and creates one job", async ({ home, page }) => {
  const link = await home.sampleLink("rain");
  const keys: (string | undefined)[] = [];
  await page.route("**/api/conversions", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    keys.push(route.request().headers()["idempotency-key"]);
    return keys.length === 1 ? dropResponse(route) : route.fallback();
  });
  await submitLink(home, link);
  await expect(home.rows).toHaveCount(1);
  await expect.poll(() => keys.length).toBe(2);
  expect(new Set(keys).size).toBe(1);
  expect(await jobsAtServer(page)).toHaveLength(1);
  await expect(waitingRows(page)).toHaveCount(0);
});

test("only the last of several offline requests for a job is sent", async ({ home, page, context }) => {
  const job = await home.convert(await home.sampleLink("held"));
  const row = home.rowOf(job);
  await expect(row).toBeVisible();
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes(job.id))
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.clock.install();
  await context.setOffline(true);
  await expect(page.locator("[data-network]").filter({ hasText: "Offline" })).toBeVisible();
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toHaveAttribute("data-status", "canceled");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
  // The removal is sent when it cannot be undone any more.
  await page.clock.fastForward(UNDO_MS);
  await context.setOffline(false);
  await expect.poll(async () => (await jobsAtServer(page)).length).toBe(0);
  expect(requests.every((request) => request === `DELETE /api/conversions/${job.id}`)).toBe(true);
});

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  async function visitTwice(page: Page): Promise<Home> {
    const home = new Home(page);
    await home.open();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller)
        await new Promise((resolve) =>
          navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
        );
    });
    return home;
  }

  test("an offline click and a reload create one job when the network is back", async ({ page, context }) => {
    const home = await visitTwice(page);
    const link = await home.sampleLink("rain");
    await configured(page);
    await context.setOffline(true);
    await submitLink(home, link);
    await expect(waitingRows(page)).toHaveCount(1);
    await page.reload();
    await expect(page.getByText("You are offline")).toBeVisible();
    await expect(waitingRows(page)).toHaveCount(1);
    await expect(waitingRows(page)).toContainText(link);
    await context.setOffline(false);
    await expect(home.rows).toHaveCount(1);
    await expect(waitingRows(page)).toHaveCount(0);
    await expect(page.locator("[data-network]").filter({ hasText: "Offline" })).toHaveCount(0);
    expect(await jobsAtServer(page)).toHaveLength(1);
    await page.reload();
    await expect(home.rows).toHaveCount(1);
    expect(await jobsAtServer(page)).toHaveLength(1);
  });

  test("the cached page contains no identity", async ({ page }) => {
    await visitTwice(page);
    const cached = await page.evaluate(async () => (await caches.match("/page.html"))?.text());
    expect(cached).toContain('<div id="root">');
    expect(cached).not.toContain('name="viewer"');
  });
});

test("drops a request older than a day and shows a toast", async ({ home, page }) => {
  await expect(emptyQueue(page)).toBeVisible();
  await page.evaluate(() => {
    const old = {
      key: "old",
      kind: "convert",
      youtubeUrl: "https://youtu.be/aaaaaaaaaaa",
      format: "mp3",
      madeAtMs: Date.now() - 25 * 3_600_000,
      madeBy: null,
      isKept: true,
    };
    localStorage.setItem("tapedeck.requests", JSON.stringify([old]));
  });
  await page.reload();
  await home.expectToastShown("longer than a day");
  await expect(waitingRows(page)).toHaveCount(0);
  expect(await jobsAtServer(page)).toEqual([]);
});

test("opens a new socket and receives a snapshot after a freeze, without progress going back", async ({
  home,
  page,
}) => {
  const job = await home.convert(await home.sampleLink("held"));
  const row = home.rowOf(job);
  await expect.poll(() => home.percent(row)).toBeGreaterThan(3);
  const before = await home.percent(row);
  const socket = page.waitForEvent("websocket");
  // An automated browser never freezes a page; this is the event after a freeze.
  await page.evaluate(() => document.dispatchEvent(new Event("resume")));
  await (await socket).waitForEvent("framereceived", ({ payload }) => String(payload).includes('"snapshot"'));
  await expect.poll(() => home.percent(row)).toBeGreaterThanOrEqual(before);
  await expect(page.locator("[data-stale]")).toHaveCount(0);
  const history = await home.history(job);
  expect(history).toEqual(history.toSorted((a, b) => a - b));
});

test("a page from the back/forward cache is live again", async ({ browser }) => {
  // The back/forward cache is off in the tests' usual browser.
  await using own = await browser.browserType().launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const page = await (
    await own.newContext({ baseURL: serverOrigin(), viewport: { width: 390, height: 844 }, serviceWorkers: "block" })
  ).newPage();
  const home = new Home(page);
  const opened = page.waitForEvent("websocket");
  await home.open();
  await opened;
  const link = await home.sampleLink("held");
  const job = await home.convert(link);
  await expect(home.rowOf(job)).toBeVisible();
  await page.evaluate(() => {
    Object.assign(window, { isSamePage: true });
  });
  // Playwright does not track pages in the back/forward cache, so the test uses the browser's protocol.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.enable");
  const notRestoredReasons: unknown[] = [];
  devtools.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) =>
    notRestoredReasons.push(...notRestoredExplanations),
  );
  const evaluate = async (expression: string) =>
    (await devtools.send("Runtime.evaluate", { expression })).result.value as unknown;
  // Tries again, because an expression fails that is asked while one page gives way to another.
  const expectValue = (expression: string, value: string) =>
    expect(async () => expect(await evaluate(expression)).toBe(value)).toPass({ timeout: 60_000 });
  await devtools.send("Page.navigate", { url: `${serverOrigin()}/manifest.webmanifest` });
  await expectValue("location.pathname + document.readyState", "/manifest.webmanifestcomplete");
  const { currentIndex, entries } = await devtools.send("Page.getNavigationHistory");
  await devtools.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1]?.id ?? -1 });
  await expectValue("location.pathname + document.readyState", "/complete");
  expect(await evaluate("window.isSamePage === true"), JSON.stringify(notRestoredReasons)).toBe(true);
  await home.releaseHeld(link);
  const row = `document.querySelector('[data-job="${job.id}"]')`;
  await expect.poll(() => evaluate(`${row}.dataset.status`)).toBe("completed");
  // Not at once: the job may be polled while its socket still connects.
  await expect.poll(() => evaluate("document.querySelectorAll('[data-stale], [data-network]').length")).toBe(0);
});

test("a lost connection shows a mark and stops the progress bars", async ({ page, context }) => {
  await page.clock.install();
  const home = new Home(page);
  const connected = page.waitForEvent("websocket");
  await home.open();
  await connected;
  const job = await home.convert(await home.sampleLink("held"));
  await expect.poll(() => home.percent(home.rowOf(job))).toBeGreaterThan(0);
  await context.setOffline(true);
  await page.clock.fastForward(1_500);
  await expect(page.locator("[data-network=offline]")).toHaveText("Offline");
  await expect(page.locator("[data-stale] [role=progressbar]")).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator("[data-network]")).toHaveCount(0);
  await expect(page.locator("[data-stale]")).toHaveCount(0);
});

test("resumes a broken download", async ({ home, page, context }) => {
  const job = await home.convert(await home.sampleLink("rain"));
  const row = home.rowOf(job);
  // Before, the link leads to the file as it is while it is made.
  await expect(row).toHaveAttribute("data-status", "completed");
  const link = row.getByRole("link", { name: /^Download/ });
  const url = new URL(z.string().parse(await link.getAttribute("href")), serverOrigin()).href;
  const whole = await (await page.request.get(url)).body();
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

  const broken = await open(url, { cookie });
  const [start] = z
    .tuple([z.instanceof(Buffer)])
    .rest(z.unknown())
    .parse(await once(broken, "data"));
  broken.destroy();
  expect(start.length).toBeLessThan(whole.length);

  const rest = await open(url, {
    cookie,
    range: `bytes=${start.length}-`,
    "if-range": z.string().parse(broken.headers.etag),
  });
  expect(rest.statusCode).toBe(206);
  const chunks: Buffer[] = [];
  for await (const chunk of rest) chunks.push(z.instanceof(Buffer).parse(chunk));
  expect(Buffer.concat([start, ...chunks]).equals(whole)).toBe(true);
  expect(Job.parse(await (await page.request.get(`/api/conversions/${job.id}`)).json()).status).toBe("completed");
});

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { headers }, resolve).on("error", reject));
}

import type { Page, WebSocketRoute } from "@playwright/test";
import { emptyQueue, expect, Home, test, seenText, stopClock } from "./home.ts";
import { UNDO_MS } from "../src/stores/removals.ts";

/** Lets the test cut sockets and REST requests separately. */
async function controlNetwork(page: Page) {
  const open = new Set<WebSocketRoute>();
  const state = { areSocketsBlocked: false, polls: 0 };
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (state.areSocketsBlocked) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  // Long polling, the socket's fallback without WebSockets.
  await page.route(/\/socket\.io\//, (route) => (state.areSocketsBlocked ? route.abort() : route.fallback()));
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().endsWith("/api/conversions")) state.polls++;
  });
  return {
    polls: () => state.polls,
    async blockSockets() {
      state.areSocketsBlocked = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    allowSockets() {
      state.areSocketsBlocked = false;
    },
  };
}

test("falls back to polls when the network breaks, without losing progress, then returns to pushes", async ({
  page,
  context,
}) => {
  const network = await controlNetwork(page);
  await page.clock.install();
  const home = new Home(page);
  const connected = page.waitForEvent("websocket");
  await home.open();
  await connected;
  const polled = seenText(page, "updated every 5 s");
  const link = await home.sampleLink("held");
  const job = await home.convert(link);
  const row = home.rowOf(job);
  await expect.poll(() => home.percent(row)).toBeGreaterThan(3);
  const pollsWhileConnected = network.polls();

  await test.step("the socket alone", async () => {
    await network.blockSockets();
    await expect(polled).toBeVisible();
    await expect.poll(network.polls).toBeGreaterThan(pollsWhileConnected);
    const before = await home.percent(row);
    await page.clock.fastForward(5_000);
    await expect.poll(() => home.percent(row)).toBeGreaterThan(before);
  });

  await test.step("everything", async () => {
    await context.setOffline(true);
    const before = await home.percent(row);
    await page.clock.fastForward(5_000);
    await expect(row).toBeVisible();
    expect(await home.percent(row)).toBeGreaterThanOrEqual(before);
    await expect(seenText(page, /^Offline$/)).toBeVisible();
  });

  await test.step("back", async () => {
    const before = await home.percent(row);
    network.allowSockets();
    await context.setOffline(false);
    await expect(page.locator("[data-network]")).toHaveCount(0);
    await expect.poll(() => home.percent(row)).toBeGreaterThan(before);
    await home.releaseHeld(link);
    const pollsWhenBack = network.polls();
    await expect(row.getByRole("link", { name: /^Download/ })).toBeVisible();
    // Longer than the polling interval, but short enough for the socket's heartbeat.
    await page.clock.fastForward(6_000);
    await page.getByRole("heading", { name: "Your queue" }).hover();
    expect(network.polls()).toBe(pollsWhenBack);
  });

  const history = await home.history(job);
  expect(history).toEqual(history.toSorted((a, b) => a - b));
});

test("follows a job by polls from start to end without a socket", async ({ page }) => {
  const network = await controlNetwork(page);
  await network.blockSockets();
  await page.clock.install();
  const home = new Home(page);
  await home.open();
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(seenText(page, "updated every 5 s")).toBeVisible();
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(home.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
});

test("two browsers see different jobs; two windows of one browser see the same", async ({
  home,
  page,
  browser,
  baseURL,
}) => {
  const job = await home.convert(await home.sampleLink("snow"), "mp4");
  await expect(home.rowOf(job)).toBeVisible();

  const window = new Home(await page.context().newPage());
  await window.open();
  await expect(window.rowOf(job)).toBeVisible();

  await using otherBrowser = await browser.newContext({ baseURL: baseURL ?? "" });
  const otherHome = new Home(await otherBrowser.newPage());
  await otherHome.open();
  await expect(emptyQueue(otherHome.page)).toBeVisible();
  const answer = await otherBrowser.request.get(`/api/conversions/${job.id}`);
  expect(answer.status()).toBe(404);

  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
  await expect(home.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible();
  await stopClock(page);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(home.rowOf(job)).toHaveCount(0);
  // The removal can be undone until the page is left.
  await expect(window.rowOf(job)).toBeVisible();
  await page.goto("about:blank");
  await window.page.clock.resume();
  await expect(window.rowOf(job)).toHaveCount(0);
  await expect(emptyQueue(otherHome.page)).toBeVisible();
});

test("a removal is sent at the next visit when the browser was ended while it could be undone", async ({
  page,
  home,
  context,
}) => {
  const job = await home.convertUnseen(await home.sampleLink("three-hours"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "failed");
  await stopClock(page);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(home.rowOf(job)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Undo the removal/ })).toBeVisible();
  // As when a phone ends the browser: the page gets no event.
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => undefined);
  await crashed;
  const statusAtServer = async () => (await context.request.get(`/api/conversions/${job.id}`)).status();
  expect(await statusAtServer()).toBe(200);

  await page.close();
  await context.clock.fastForward(UNDO_MS);
  await context.clock.resume();
  const next = new Home(await context.newPage());
  // The visitor need not use the page.
  await next.page.goto("/");
  await expect.poll(statusAtServer).toBe(404);
  await expect(emptyQueue(next.page)).toBeVisible();
});

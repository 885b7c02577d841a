import { emptyQueue, expect, Home, test, stopClock } from "./home.ts";
import { UNDO_MS } from "../src/stores/removals.ts";

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

/** What rows say of the video site: that it asks to wait, and that it gave less than the plan allows. */
import type { Locator } from "@playwright/test";
import { Home, expect, goTo, test } from "./home.ts";

test.use({ reducedMotion: "no-preference" });

const link = (videoId: string) => `https://www.youtube.com/watch?v=${videoId}`;
const COUNTDOWN = /The video site asks us to wait; continues in (\d+) seconds?/;

async function secondsOf(row: Locator): Promise<number> {
  return Number(COUNTDOWN.exec((await row.textContent()) ?? "")?.[1]);
}

test("a job counts down to the end of an advertisement: live, by polling and after a reload; cancel ends it", async ({
  page,
  home,
  context,
}) => {
  const job = await home.convert(link("ad-before-2"));
  const row = home.rowOf(job);
  await expect(row).toContainText(COUNTDOWN);
  await expect(row).toContainText("A video: an ad of 100 seconds before it");
  await expect(page.locator("[aria-live=polite]").filter({ hasText: "asks us to wait" })).toHaveCount(1);
  const first = await secondsOf(row);
  await expect.poll(() => secondsOf(row)).toBeLessThan(first);
  await home.expectNoLayoutShift();

  await page.reload();
  await expect(row).toContainText(COUNTDOWN);
  const polling = await context.newPage();
  await polling.route("**/socket.io/**", (route) => route.abort());
  await goTo(polling, "/");
  const polled = new Home(polling).rowOf(job);
  await expect(polled).toContainText(COUNTDOWN);

  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toHaveAttribute("data-status", "canceled");
  await expect(polled).toHaveAttribute("data-status", "canceled");
});

test("a job goes on by itself after an advertisement", async ({ home }) => {
  // Without a preview, whose extraction starts the advertisement before the job.
  const job = await home.convertUnseen(link("ad-before-3"));
  const row = home.rowOf(job);
  await home.expectRowSaid(job, COUNTDOWN);
  await expect(row).toHaveAttribute("data-status", "completed");
  await expect(row).not.toContainText("asks us to wait");
  const history = await home.history(job);
  expect(history).toEqual(history.toSorted((a, b) => a - b));
  await home.expectNoLayoutShift();
});

test("a job that the media server asks to wait goes on where it is", async ({ home }) => {
  const job = await home.convert(link("media-in-9s"));
  const row = home.rowOf(job);
  await home.expectRowSaid(job, /The video site asks us to wait/);
  await expect(row).toHaveAttribute("data-status", "completed");
  const history = await home.history(job);
  expect(history).toEqual(history.toSorted((a, b) => a - b));
});

test("a row says that the site gave fewer lines than the plan allows, in the language of the page", async ({
  page,
  home,
}) => {
  const job = await home.convert(link("small-video"), "mp4");
  await expect(home.rowOf(job)).toContainText("360p: the site gave no more");
  await page.getByLabel("Language").selectOption("de");
  await expect(home.rowOf(job)).toContainText("360p: mehr gab die Seite nicht her");
});

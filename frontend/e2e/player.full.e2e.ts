/** Files are played while they are made, and heard. */
import type { Page } from "@playwright/test";
import { test, expect, Home } from "./home.ts";
import { hearPage, takeHeard, type HeardClick } from "./sound.ts";

const TITLE = "A click at every second";

/** Waits until a page has played some more clicks. @returns all since the last time */
async function hear(page: Page, count: number): Promise<HeardClick[]> {
  await expect.poll(() => page.evaluate(() => window.heard.length)).toBeGreaterThanOrEqual(count);
  return takeHeard(page);
}

const secondsOf = (heard: readonly HeardClick[]) => heard.map(({ second }) => second);

/** @returns as many seconds as were heard, one after the other, from the first of them on */
const oneByOne = (heard: readonly HeardClick[]) => heard.map((_, index) => (heard[0]?.second ?? NaN) + index);

const SOURCES = [
  ["clicks-held", "mp3", "whose length is known"],
  ["clicks-held", "mp4", "whose length is known"],
  ["clicks-hls-held", "mp3", "of unknown length"],
  ["clicks-hls-held", "mp4", "in fragments"],
] as const;

test.describe("heard", () => {
  test.use({ bypassCSP: true });
  for (const [name, format, kind] of SOURCES)
    test(`an ${format.toUpperCase()} ${kind} is heard while it is made, sought in, and goes on to its end`, async ({
      page,
      home,
    }) => {
      await hearPage(page);
      await home.open();
      const link = await home.sampleLink(name);
      const row = home.rowOf(await home.convert(link, format));
      await row.getByRole("button", { name: `Play ${TITLE}` }).click();
      const line = row.getByRole("slider", { name: `Position in ${TITLE}` });
      // The recorder may have come in the middle of the first one.
      const beginning = (await hear(page, 5)).slice(1);
      expect(secondsOf(beginning)).toEqual(oneByOne(beginning));
      await expect(row).toHaveAttribute("data-status", "processing");

      await line.fill("1");
      await expect.poll(async () => secondsOf(await takeHeard(page))).toContain(2);
      // Behind what is there is nothing to play.
      await line.fill("90");
      await expect.poll(() => line.inputValue().then(Number)).toBeLessThan(60);
      await line.fill("2");
      await expect.poll(async () => secondsOf(await takeHeard(page))).toContain(3);
      await takeHeard(page);

      await home.releaseHeld(link);
      await expect(row).toHaveAttribute("data-status", "completed");
      const seam = [...(await hear(page, 3)), ...(await hear(page, 3))];
      expect(secondsOf(seam)).toEqual(oneByOne(seam));
      // All of it is there, so the player waits for nothing.
      expect(seam.at(-1)?.waits).toBe(seam[0]?.waits);
      expect(await page.evaluate(() => [window.players.length, navigator.mediaSession.metadata?.title])).toEqual([
        1,
        TITLE,
      ]);

      await line.fill("96");
      await expect(row.getByRole("button", { name: `Play ${TITLE}` })).toBeVisible();
      await expect(line).toHaveCount(0);
      expect((await takeHeard(page)).at(-1)?.second).toBe(99);
      await expect(row).toContainText("Ready");
      await expect(row).not.toContainText("Downloaded");
    });
});

test("one file plays at a time, in all tabs; a canceled one ends", async ({ page, home }) => {
  const link = await home.sampleLink("clicks-held");
  const first = home.rowOf(await home.convert(link));
  const second = home.rowOf(await home.convertUnseen(await home.sampleLink("clicks-held"), "mp4"));
  const playing = page.getByRole("button", { name: `Pause ${TITLE}` });
  await first.getByRole("button", { name: `Play ${TITLE}` }).click();
  await expect(first.getByRole("slider")).not.toHaveValue("0");
  await second.getByRole("button", { name: `Play ${TITLE}` }).click();
  await expect(second.getByRole("slider")).not.toHaveValue("0");
  await expect(playing).toHaveCount(1);
  await expect(second.locator("video")).toBeVisible();
  await expect(first.getByRole("slider")).toHaveCount(0);

  const other = new Home(await page.context().newPage());
  await other.open();
  await other.page
    .locator("[data-job]")
    .first()
    .getByRole("button", { name: `Play ${TITLE}` })
    .click();
  await expect(other.page.getByRole("button", { name: `Pause ${TITLE}` })).toHaveCount(1);
  await expect(playing).toHaveCount(0);
  await other.page.close();

  await second.getByRole("button", { name: `Play ${TITLE}` }).click();
  await expect(playing).toHaveCount(1);
  await second.getByRole("button", { name: `Cancel ${TITLE}` }).click();
  await expect(playing).toHaveCount(0);
  await expect(page.getByRole("slider")).toHaveCount(0);
  await home.releaseHeld(link);
});

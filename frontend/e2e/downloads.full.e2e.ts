/** Downloads in browsers that need help with them: few connections, an installed iPhone app, a page inside an app. */
import type { Page } from "@playwright/test";
import { expect, resize, test } from "./home.ts";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const PHONE = { width: 390, height: 844 };

test("six downloads of unfinished files leave Cancel a connection in HTTP/1.1; the others come when finished", async ({
  page,
  home,
}) => {
  const link = await home.sampleLink("held");
  const jobs = [];
  // One conversion makes the file of all six.
  for (let count = 0; count < 6; count += 1) jobs.push(await home.convertUnseen(link));
  const rows = jobs.map((job) => home.rowOf(job));
  const names: string[] = [];
  page.on("download", (download) => names.push(download.suggestedFilename()));
  for (const row of rows) await row.getByRole("link", { name: "Download A line that is held" }).click();
  const waiting = page.locator("[data-job]", { hasText: "This one starts when it is finished." });
  await expect(waiting).toHaveCount(3);
  await expect.poll(() => names.length).toBe(3);
  const canceled = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await rows.at(-1)?.getByRole("button", { name: "Cancel A line that is held" }).click();
  expect((await canceled).status()).toBe(200);
  expect(names).toHaveLength(3);
  await home.releaseHeld(link);
  await expect.poll(() => names).toEqual(Array.from({ length: 5 }, () => "A line that is held.mp3"));
  await expect(waiting).toHaveCount(0);
});

/** Runs in the page: it is an installed app of an iPhone, which shares files in a test. */
function beInstalled(): void {
  const shared: string[] = [];
  Object.assign(window, { shared });
  Object.defineProperty(navigator, "standalone", { value: true });
  Object.defineProperty(navigator, "canShare", { value: () => true });
  Object.defineProperty(navigator, "share", {
    value: ({ files }: { files: File[] }) => {
      for (const { name, type, size } of files) shared.push(`${name} ${type} ${size > 1_000}`);
      return Promise.resolve();
    },
  });
}

const sharedFiles = (page: Page) => page.evaluate(() => ("shared" in window ? window.shared : undefined));

test("an installed iPhone app gives a file to the share menu and stays on its page", async ({ page, home }) => {
  await page.addInitScript(beInstalled);
  await resize(page, PHONE);
  await home.open();
  const job = await home.convert(await home.sampleLink("rain"));
  const row = home.rowOf(job);
  await expect(row).toHaveAttribute("data-status", "completed");
  await expect(row).toContainText("Download opens the share menu");
  await row.getByRole("link", { name: /^Download/ }).click();
  await expect.poll(() => sharedFiles(page)).toEqual(["Rain on a tin roof.mp3 audio/mpeg true"]);
  await expect(page).toHaveURL("/");
  await expect(row).toContainText("Download opens the share menu");
});

test.describe("inside Instagram on an iPhone", () => {
  test.use({ userAgent: `${IPHONE} Mobile/15E148 Instagram 300.0.0.29.110 (iPhone14,5; iOS 18_5)`, viewport: PHONE });

  test("a row has an address for the browser, where it opens the file", async ({ page, home, browser }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const row = home.rowOf(await home.convert(await home.sampleLink("rain")));
    await expect(row).toContainText("This app may not save files.");
    await row.getByRole("button", { name: "Copy address" }).click();
    await expect(row).toContainText("Copied: paste it in your browser");
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const context = await browser.newContext({ userAgent: `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1` });
    const inBrowser = await context.newPage();
    await inBrowser.goto(address);
    const downloading = inBrowser.waitForEvent("download");
    await inBrowser.getByRole("link", { name: "Download" }).click();
    expect((await downloading).suggestedFilename()).toBe("Rain on a tin roof.mp3");
    await context.close();
  });
});

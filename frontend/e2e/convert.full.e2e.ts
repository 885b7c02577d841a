import { expect, Home, resize, scrollWidthOf, test, untilStill } from "./home.ts";
import { probe } from "./probe.ts";
import { newUser, signInAsPro } from "./users.ts";

function rightOf(box: { readonly x: number; readonly width: number } | null): number {
  return box ? box.x + box.width : NaN;
}

test("converts in the oldest browsers that the pages are built for", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(URL, "parse");
    Reflect.deleteProperty(AbortSignal, "any");
    Reflect.deleteProperty(Promise, "withResolvers");
  });
  const home = new Home(page);
  await home.open();
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
});

test("an MP3 can be downloaded while it is made, and plays to its end", async ({ page, home }) => {
  const link = await home.sampleLink("held");
  const row = home.rowOf(await home.convertUnseen(link));
  await expect(home.bar(row)).toBeVisible();
  await untilStill(row);
  const bar = await home.bar(row).boundingBox();
  const download = row.getByRole("link", { name: "Download A line that is held" });
  await expect(download).toBeVisible();
  expect(await home.bar(row).boundingBox()).toEqual(bar);
  await expect(row).toHaveAttribute("data-status", "processing");
  await expect(row).toContainText("Already playable");
  const arriving = page.waitForEvent("download");
  await download.click();
  const file = await arriving;
  expect(file.suggestedFilename()).toBe("A line that is held.mp3");
  await expect(row).toHaveAttribute("data-status", "processing");
  await home.releaseHeld(link);
  await expect(row).toHaveAttribute("data-status", "completed");
  await expect(row).not.toContainText("Already playable");
  const { format, streams } = await probe(file);
  expect(streams.map(({ codec_name }) => codec_name)).toContain("mp3");
  expect(format.duration).toBeCloseTo(30, 0);
});

test("an MP4 can be downloaded while it is made, and its row says both on a phone", async ({ page }) => {
  // Without Pro its picture would be encoded with fewer lines.
  const home = await signInAsPro(page, newUser());
  await resize(page, { width: 390, height: 844 });
  const link = await home.sampleLink("held");
  const row = home.rowOf(await home.convertUnseen(link, "mp4"));
  await expect(home.bar(row)).toBeVisible();
  await untilStill(row);
  const bar = await home.bar(row).boundingBox();
  const download = row.getByRole("link", { name: "Download A line that is held" });
  await expect(download).toBeVisible();
  await expect(row.getByText("Already playable").filter({ visible: true })).toHaveCount(1);
  expect(await home.bar(row).boundingBox()).toEqual(bar);
  await expect.poll(() => scrollWidthOf(page)).toBe(390);
  // The percentage is not below the button.
  const percent = await row.getByText(/^\d+\s%$/).boundingBox();
  expect(rightOf(percent)).toBeLessThanOrEqual(rightOf(bar) + 1);
  const arriving = page.waitForEvent("download");
  await download.click();
  const file = await arriving;
  expect(file.suggestedFilename()).toBe("A line that is held.mp4");
  await expect(row).toHaveAttribute("data-status", "processing");
  await home.releaseHeld(link);
  await expect(row).toHaveAttribute("data-status", "completed");
  const { format, streams } = await probe(file);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(expect.arrayContaining(["h264", "aac"]));
  expect(format.duration).toBeCloseTo(30, 0);
});

test("the progress bar of a slow download shows its stage and only moves forward", async ({ home }) => {
  const job = await home.convert(await home.sampleLink("slow"));
  const row = home.rowOf(job);
  await expect(row).toContainText("Downloading");
  await expect(row).toContainText(/kB\/s|left/);
  await expect.poll(() => home.percent(row)).toBeGreaterThan(25);
  // On a busy machine the first steps may have been merged.
  await expect.poll(async () => (await home.history(job)).length).toBeGreaterThan(5);
  const history = await home.history(job);
  await row.getByRole("button", { name: "Cancel A slow line" }).click();
  expect(history).toEqual(history.toSorted((a, b) => a - b));
});

test("converts DASH to an MP4 of at most 480 lines", async ({ page, home }) => {
  const job = await home.convert(await home.sampleLink("observatory"), "mp4");
  const row = home.rowOf(job);
  await expect(row).toContainText("MP4 · 480p");
  const link = row.getByRole("link", { name: /^Download/ });
  // A download that begins before has no cover.
  await expect(row).toHaveAttribute("data-status", "completed");
  const arriving = page.waitForEvent("download");
  await link.click();
  const { streams } = await probe(await arriving);
  // The video's picture is the cover of the file.
  const [cover, ...others] = streams.toSorted((a, b) => b.disposition.attached_pic - a.disposition.attached_pic);
  expect([cover?.disposition.attached_pic, cover?.codec_name]).toEqual([1, "mjpeg"]);
  expect(others.map(({ codec_name }) => codec_name).toSorted()).toEqual(["aac", "h264"]);
  expect(Math.max(...others.map(({ height }) => height ?? 0))).toBeLessThanOrEqual(480);
});

test("the row of an original sound says what the file is once that is known", async ({ page, home }) => {
  const held = home.rowOf(await home.convertUnseen(await home.sampleLink("held"), "original"));
  await expect(home.bar(held)).toBeVisible();
  await expect(held).toContainText("original sound");
  await held.getByRole("button", { name: /^Cancel/ }).click();
  const row = home.rowOf(await home.convertUnseen(await home.sampleLink("lanterns"), "original"));
  const link = row.getByRole("link", { name: /^Download/ });
  await expect(link).toBeVisible();
  await expect(row).toContainText(/Opus · original · \d+\.\d MB/);
  const arriving = page.waitForEvent("download");
  await link.click();
  const file = await arriving;
  expect(file.suggestedFilename()).toBe("Paper lanterns over the harbour.opus");
  const { streams } = await probe(file);
  // The second one is the cover.
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(["opus", "mjpeg"]);
});

test("a job that is too large as an MP4 can be converted as an MP3, and has no Retry", async ({ page, home }) => {
  // Without a preview, which would stop the conversion.
  await page.route("**/api/preview", (route) => route.abort());
  const job = await home.convert(await home.sampleLink("concert"), "mp4");
  const row = home.rowOf(job);
  await expect(row).toHaveAttribute("data-status", "failed");
  await expect(row).toContainText("too much to fetch");
  await expect(row.getByRole("button", { name: /^Retry/ })).toHaveCount(0);
  await page.reload();
  await row.getByRole("button", { name: "Convert A concert, uncut as MP3" }).click();
  await expect(home.rows).toHaveCount(2);
  await expect(home.rows.first()).toContainText("MP3");
});

test("shows a title in four scripts unchanged", async ({ page, home }) => {
  const job = await home.convert(await home.sampleLink("tangled-title"));
  const title = home.rowOf(job).getByRole("heading");
  await expect(title).toContainText('Before/After: "The Rain"');
  await expect(title).toContainText("صوت المطر");
  await resize(page, { width: 390, height: 844 });
  await expect.poll(() => scrollWidthOf(page)).toBe(390);
});

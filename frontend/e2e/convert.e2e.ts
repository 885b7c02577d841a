import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Download, Page } from "@playwright/test";
import { z } from "zod";
import { emptyQueue, expect, Home, resize, scrollWidthOf, test, untilStill } from "./home.ts";
import { newUser, signInAsPro } from "./users.ts";

const FFPROBE = process.env["FFMPEG_PATH"]?.replace(/ffmpeg$/, "ffprobe") || "ffprobe";

const Probe = z.object({
  format: z.object({ duration: z.coerce.number() }),
  streams: z.array(
    z.object({
      codec_name: z.string(),
      height: z.number().optional(),
      disposition: z.object({ attached_pic: z.literal([0, 1]) }),
    }),
  ),
});

function rightOf(box: { readonly x: number; readonly width: number } | null): number {
  return box ? box.x + box.width : NaN;
}

/** @returns ffprobe's data about the downloaded file */
async function probe(download: Download) {
  const args = ["-v", "error", "-of", "json", "-show_format", "-show_streams", await download.path()];
  const { stdout } = await promisify(execFile)(FFPROBE, args);
  return Probe.parse(JSON.parse(stdout));
}

test("converts a sample link to a playable MP3 by keyboard and shows its progress", async ({ page, home }) => {
  await page.getByRole("button", { name: "Try a sample link" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByRole("menuitem", { name: /^rain/i })).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(home.field).toBeFocused();
  await expect(home.field).toHaveValue(/\/watch\/rain$/);
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(1);
  await expect(home.field).toHaveValue("");
  // The row itself says that the conversion has started.
  await expect(home.toast).toHaveCount(0);

  const download = page.getByRole("link", { name: "Download Rain on a tin roof" });
  await expect(download).toBeVisible();
  await expect(home.rows).toContainText(/MP3 · 128 kbps · \d+\.\d MB/);
  await expect(home.rows).toContainText(/expires in (5\d minutes|1 hour)/);
  const arriving = page.waitForEvent("download");
  await download.press("Enter");
  const file = await arriving;
  expect(file.suggestedFilename()).toBe("Rain on a tin roof.mp3");
  const { streams } = await probe(file);
  expect(streams.map(({ codec_name }) => codec_name)).toContain("mp3");
  await home.expectNoLayoutShift();
});

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

test("cancels a job at once and removes it", async ({ page, home }) => {
  const job = await home.convert(await home.sampleLink("held"), "mp4");
  const row = home.rowOf(job);
  await expect(home.bar(row)).toBeVisible();
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toContainText("Canceled");
  await home.expectToastShown("Conversion Canceled");
  await page.reload();
  await expect(row).toContainText("Canceled");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
  await expect(emptyQueue(page)).toBeVisible();
});

/** Lets the test hold back the server's pushes. */
async function holdablePushes(page: Page) {
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  return {
    hold: () => void (isHeld = true),
    releaseHeld() {
      isHeld = false;
      for (const send of held.splice(0)) send();
    },
  };
}

test("a failed job shows the reason and can be retried", async ({ page }) => {
  const pushes = await holdablePushes(page);
  const home = new Home(page);
  await home.open();
  const job = await home.convertUnseen(await home.sampleLink("live"));
  const row = home.rowOf(job);
  await expect(row).toHaveAttribute("data-status", "failed");
  await expect(row).toContainText("Failed");
  await expect(row).toContainText("This is a live stream.");
  pushes.hold();
  await row.getByRole("button", { name: /^Retry/ }).click();
  await expect(row).toHaveAttribute("data-status", /queued|pending|processing/);
  pushes.releaseHeld();
  await expect(row).toHaveAttribute("data-status", "failed");
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

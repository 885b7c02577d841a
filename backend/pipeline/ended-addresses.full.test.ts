/** Media whose addresses no longer work while the conversion still needs them. */
import { beforeAll, expect, it } from "vitest";
import { MINUTE_MS } from "../../common/durations.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { folderPipeline } from "../dev/testing/folder-pipeline.ts";
import { lavfi } from "../dev/testing/ffmpeg.ts";
import { openJobFolder } from "./process/job-folder.ts";
import { extract } from "./probe/extraction.ts";

const never = new AbortController().signal;
const SECONDS = 60;
const site = await ofFile(folderPipeline());
beforeAll(async () => {
  // 11.5 MB: more requests than an address has.
  await site.ffmpeg(...lavfi(`sine=f=400:d=${SECONDS}:r=48000`), "-ac", "2", "ending-tape.wav");
  const pieces = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_segment_filename", "ending-%d.ts"];
  await site.ffmpeg(...lavfi("sine=f=400:d=8"), "-c:a", "aac", ...pieces, "ending-list.m3u8");
});

/** Lets a conversion find metadata that was read a while ago, as after a preview. */
async function readEarlier(file: string, ageMs: number): Promise<void> {
  const { pipeline, pageOf, work } = site;
  const link = pageOf(file);
  await pipeline.extractions?.forget(pipeline, link);
  await using folder = await openJobFolder(work, "earlier");
  const info = await extract({ pipeline, signal: never }, link, folder.path);
  const kept = { ...info, readAtMs: Date.now() - ageMs };
  await pipeline.extractions?.share(pipeline, link, () => Promise.resolve(kept), never);
}

/** @returns how often the page was read during a conversion, and its length or failure */
async function convert(file: string): Promise<[number, unknown]> {
  const before = site.pagesRead();
  const made = site.convert({ file, format: "mp3" });
  const outcome = await made.then(
    ({ durationSeconds }) => Math.round(durationSeconds),
    (error: unknown) => error,
  );
  return [site.pagesRead() - before, outcome];
}

it("reads the page anew once, and goes on where it was, when an address ends in the middle of a file", async () => {
  await readEarlier("ending-tape.wav", MINUTE_MS);
  expect(await convert("ending-tape.wav")).toEqual([1, SECONDS]);
});

it("reads the page anew when the addresses have ended before the first byte", async () => {
  await readEarlier("ending-list.m3u8", MINUTE_MS);
  // Another visitor reads the page, with which the addresses of the first one end.
  await fetch(site.pageOf("ending-list.m3u8"));
  expect(await convert("ending-list.m3u8")).toEqual([1, 8]);
});

it("does not read the page anew when it was read just before", async () => {
  // "Just before" lasts for 5 s, which a busy machine may need: here it begins in a minute.
  await readEarlier("ending-list.m3u8", -MINUTE_MS);
  await fetch(site.pageOf("ending-list.m3u8"));
  expect(await convert("ending-list.m3u8")).toEqual([0, expect.objectContaining({ code: "site_blocked" })]);
});

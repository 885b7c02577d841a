/** Converts songs as their sites describe them, and reads tags and picture of the finished files with another program. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it } from "vitest";
import type { ConversionChoices } from "../../common/choices.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { H264, lavfi } from "../dev/testing/ffmpeg.ts";
import { folderPipeline } from "../dev/testing/folder-pipeline.ts";
import { shareExtractions } from "../dev/testing/test-extractor.ts";
import type { ExtractorHost } from "./extractor-host/extractor-host.ts";
import type { ConvertedFile } from "./convert.ts";

const site = await ofFile(folderPipeline());
beforeAll(async () => {
  await site.ffmpeg(...lavfi("testsrc2=s=320x180:r=25:d=2", "sine=d=2"), ...H264, "-c:a", "aac", "song.mp4");
  // A cover between bars, as YouTube shows that of a song.
  await site.ffmpeg(...lavfi("testsrc2=s=720x720:d=1"), "-vf", "pad=1280:720:-1:-1", "-frames:v", "1", "wide.jpg");
});

/** @returns yt-dlp, which finds more on the page than the page says */
function finding(more: object): ExtractorHost | undefined {
  const { extractorHost } = site.pipeline;
  return (
    extractorHost && {
      clients: extractorHost.clients,
      [Symbol.asyncDispose]: () => Promise.resolve(),
      async run(command, signal) {
        const outcome = await extractorHost.run(command, signal);
        const path = join(command.folder, command.outputFile ?? "");
        const info = JSON.parse(await readFile(path, "utf8")) as { formats: { url: string }[] };
        const thumbnails = [{ url: new URL("wide.jpg", info.formats[0]?.url).href }];
        await writeFile(path, JSON.stringify({ ...info, thumbnails, ...more }));
        return outcome;
      },
    }
  );
}

/** @returns what a player shows of the file, with width and height of its picture */
async function shownOf(format: "mp3" | "mp4" | "original", more: object, choices?: ConversionChoices) {
  let shown = {};
  const check = async ({ path }: ConvertedFile): Promise<void> => {
    const { title, artist, album, albumartist, track, picture = [] } = (await parseFile(path)).common;
    const cover = join(site.folder, "cover.jpg");
    await writeFile(cover, picture[0]?.data ?? "");
    const grey = await site.ffmpeg("-i", cover, "-vf", "crop=iw:2,format=gray", "-f", "rawvideo", "-");
    const all = await site.ffmpeg("-i", cover, "-vf", "format=gray", "-f", "rawvideo", "-");
    const widthPixels = grey.length / 2;
    shown = { title, artist, album, albumartist, track, shape: widthPixels / (all.length / widthPixels) };
  };
  const instead = { extractorHost: finding(more), extractions: shareExtractions() };
  await site.convert({ file: "song.mp4", format, choices, instead, check });
  return shown;
}

const FORMATS = ["mp3", "mp4", "original"] as const;

it.each(FORMATS)("gives a song of an album its number, its artists and a square cover as %s", async (format) => {
  const song = { title: "Song", track: "Song", artists: ["A", "Guest"], album: "Whole", channel: "A - Topic" };
  const album = { title: "Whole", artist: "A", track: 2, of: 3 };
  expect(await shownOf(format, song, { album })).toEqual({
    title: "Song",
    artist: "A, Guest",
    album: "Whole",
    albumartist: "A",
    track: { no: 2, of: 3 },
    shape: 1,
  });
});

it.each(FORMATS)("keeps the picture of a video, and takes no occasion for an artist, as %s", async (format) => {
  const concert = { title: "Live - Paris 2019", channel: "Daft Punk", categories: ["Music"] };
  expect(await shownOf(format, concert)).toMatchObject({
    title: "Live - Paris 2019",
    artist: "Daft Punk",
    album: undefined,
    track: { no: null },
    shape: expect.closeTo(16 / 9, 1) as unknown,
  });
});

it.each(FORMATS)("names all whose channels have made a video as %s", async (format) => {
  const together = { title: "Tea &amp; talk", creators: ["A", "B"], channel: "A" };
  expect(await shownOf(format, together)).toMatchObject({ title: "Tea & talk", artist: "A, B" });
});

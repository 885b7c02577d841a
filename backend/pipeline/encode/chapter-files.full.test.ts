/** Files of chapters in every format, and of pages of the sample site. */
import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { describe, expect, inject, it } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { checkedFilesOf, openChapterMaker, STEMS, probeTags } from "../../dev/testing/chapter-files-of-clicks.ts";
import { checkClicks, readClicks } from "../../dev/testing/click-track.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { samplePipeline } from "../../dev/testing/sample-pipeline.ts";
import { unzip, type UnpackedFile } from "../../dev/testing/unzip.ts";
import type { ConvertedFile, ConvertProgress } from "../convert.ts";

const maker = await ofFile(openChapterMaker("video.mp4", "audio.m4a", "audio.webm"));
const sample = await ofFile(samplePipeline());

describe("from files", () => {
  it.each([
    ["audio.webm", "mp3", 1, "mp3"],
    ["audio.webm", "mp3", 2, "mp3"],
    ["audio.m4a", "mp3", 2, "mp3"],
    ["video.mp4", "mp4", 2, "mp4"],
    ["audio.m4a", "original", 1, "m4a"],
    ["audio.webm", "original", 1, "opus"],
    ["video.mp4", "flac", 1, "flac"],
    ["video.mp4", "wav", 1, "wav"],
  ] as const)(
    "the chapters of %s as %s on %d cores are in order, with tags, each with its own clicks and frames",
    async (source, format, coreCount, ending) => {
      const names = await checkedFilesOf(maker, { source, format, coreCount });
      expect(names).toEqual(STEMS.map((stem) => `${stem}.${ending}`));
    },
  );

  it("they are refused with a sentence where the video has none", async () => {
    const made = maker.make({ source: "audio.m4a", format: "mp3", chapters: [] });
    await expect(made).rejects.toMatchObject({ code: "no_chapters", message: expect.stringContaining("no chapters") });
  });

  const SOURCES = ["audio.m4a", "audio.webm"] as const;
  it.each(SOURCES)("there is one where the video of %s has one chapter", async (source) => {
    const chapters = [{ title: "Intro", startSeconds: 0, endSeconds: 4 }];
    await maker.make({ source, format: "mp3", chapters }, async ({ files }) => {
      expect(files.map(({ name }) => name)).toEqual(["01 Intro.mp3"]);
      checkClicks(await readClicks(inject("toolPaths").ffmpegPath, files[0]?.path ?? ""), [0, 30]);
    });
  });

  it.each(SOURCES)(
    "those of %s are refused where all together are too large, and made where they just fit",
    async (source) => {
      const chapters = [
        { title: "One", startSeconds: 0, endSeconds: 2 },
        { title: "Two", startSeconds: 2, endSeconds: 30 },
      ];
      let size = 0;
      const within = (maxFileBytes: number) =>
        maker.make(
          { source, format: "original", chapters, limits: { ...TIERS.pro, maxFileBytes } },
          async ({ sizeBytes }) => {
            size = sizeBytes;
            await Promise.resolve();
          },
        );
      await within(TIERS.pro.maxFileBytes);
      await within(size);
      await expect(within(size - 1)).rejects.toMatchObject({ code: "too_large", reason: { name: "file_too_large" } });
    },
  );

  it("nothing is left when the job is canceled", async () => {
    const abort = new AbortController();
    const onFraction = (fraction: number) => {
      if (fraction > 0.2) abort.abort(new Error("canceled"));
    };
    const made = maker.make({ source: "video.mp4", format: "mp4", signal: abort.signal, onFraction });
    await expect(made).rejects.toThrow("canceled");
    expect((await readdir(maker.folder)).filter((name) => name.startsWith("job-"))).toEqual([]);
  });
});

describe("of a page", () => {
  async function convertChapters(
    page: PageName,
    choices: ConversionChoices,
    check: (file: ConvertedFile, files: readonly UnpackedFile[]) => Promise<void>,
  ): Promise<readonly ConvertProgress[]> {
    const progress: ConvertProgress[] = [];
    await sample.convert({
      page,
      format: "mp3",
      choices: { ...choices, chapterFiles: true },
      limits: TIERS.pro,
      listener: { progress: (one) => progress.push(one) },
      check: async (file) => check(file, await unzip(file.path, await mkdtemp(join(sample.folder, "unpacked-")))),
    });
    return progress;
  }

  it("they have the cover, and the tags that the visitor wants", async () => {
    const progress = await convertChapters(
      "chapters",
      { tags: { title: "My trip", artist: "Me" } },
      async (_, files) => {
        expect(files.map(({ name }) => name)).toEqual([
          "01 First drops.mp3",
          "02 On the tin roof.mp3",
          "03 The gutter; overflowing = _loud_ #3.mp3",
          "04 Nach dem Regen 🌈.mp3",
        ]);
        for (const { path } of files) {
          const { common } = await parseFile(path);
          expect(common).toMatchObject({ artist: "Me", album: "My trip", picture: [{ format: "image/jpeg" }] });
        }
      },
    );
    const percents = progress.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  });

  it("they are as many as a list of chapters may have, where a site names thousands", async () => {
    await convertChapters("hostile-chapters", {}, async (file, files) => {
      expect(files.map(({ name }) => name.slice(0, 3))).toEqual(files.map((_, index) => `0${index + 1} `));
      expect(files.length).toBeGreaterThan(1);
      for (const { name } of files) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      let seconds = 0;
      for (const { path } of files) seconds += (await probeTags(path)).seconds;
      expect(Math.abs(seconds - file.durationSeconds)).toBeLessThan(0.5);
    });
  });

  it("they are refused with a sentence where the video has none", async () => {
    const made = convertChapters("clicks", {}, () => Promise.reject(new TypeError("made")));
    await expect(made).rejects.toMatchObject({ code: "no_chapters", message: expect.stringContaining("no chapters") });
  });
});

/** Makes each format once with the real tools. What else sites and sources do is in convert.full.test.ts. */
import { readFile } from "node:fs/promises";
import { parseFile } from "music-metadata";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import type { ConvertedFile, ConvertProgress } from "./convert.ts";
import { inspectMedia } from "./probe/media-file.ts";

const sample = await ofFile(samplePipeline());

const inspect = (file: ConvertedFile) =>
  inspectMedia({ pipeline: sample.pipeline, signal: new AbortController().signal }, file.path);

describe("a page becomes", () => {
  it("an MP3 with title and cover, with progress that goes forward", async () => {
    const progress: ConvertProgress[] = [];
    let thumbnail: Promise<Buffer> | undefined;
    await sample.convert({
      page: "cello",
      format: "mp3",
      listener: {
        progress: (update) => progress.push(update),
        found: ({ thumbnailPath }) => {
          if (thumbnailPath !== undefined) thumbnail = readFile(thumbnailPath);
        },
      },
      check: async (file) => {
        const media = await inspect(file);
        expect(media.audio).toMatchObject({ codec: "mp3", bitrateKbps: 128 });
        expect(media.hasAttachedPicture).toBe(true);
        expect(Math.abs(file.durationSeconds - 24)).toBeLessThan(1);
        expect((await parseFile(file.path)).common.title).toContain("Cello");
        // ID3 2.3, which every player reads.
        const bytes = await readFile(file.path);
        expect([...bytes.subarray(0, 4), bytes.length]).toEqual([0x49, 0x44, 0x33, 3, file.sizeBytes]);
        expect([...((await thumbnail) ?? [])].slice(0, 2)).toEqual([0xff, 0xd8]);
      },
    });
    expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(["download", "convert", "store"]));
    const percents = progress.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBeLessThan(100);
  });

  it("an MP4 that every phone plays", async () => {
    await sample.convert({
      page: "lanterns",
      format: "mp4",
      choices: { part: { startSeconds: 1, endSeconds: 3 } },
      check: async (file) => {
        const { video, audio } = await inspect(file);
        expect(video).toMatchObject({ codec: "h264", pixelFormat: "yuv420p", heightLines: 360 });
        expect(audio?.codec).toBe("aac");
        expect(Math.abs(file.durationSeconds - 2)).toBeLessThan(0.2);
      },
    });
  });

  it.each([
    ["original", { container: "M4A/isom/iso2", codec: "MPEG-4/AAC" }],
    ["flac", { container: "FLAC", lossless: true }],
    ["wav", { container: "WAVE", lossless: true }],
  ] as const)("its sound as %s", async (format, found) => {
    await sample.convert({
      page: "cello",
      format,
      check: async (file) => {
        const { common, format: about } = await parseFile(file.path);
        expect(about).toMatchObject({ ...found, sampleRate: 48_000, numberOfChannels: 2 });
        expect(Math.abs((about.duration ?? NaN) - 24)).toBeLessThan(0.1);
        expect(common.title).toContain("Cello");
        expect(file.fileKind).toBe(format === "original" ? "m4a" : undefined);
      },
    });
  });

  it("a transcript", async () => {
    await sample.convert({
      page: "subtitles",
      format: "transcript",
      choices: { subtitles: { language: "en", as: "txt" } },
      check: async ({ path, subtitleLanguage }) => {
        const text = "It <rains> & rains\non a {tin} roof\nall night\nuntil the end\n";
        expect([subtitleLanguage, await readFile(path, "utf8")]).toEqual(["en", text]);
      },
    });
  });
});

it.each([
  ["gone", "unavailable"],
  ["forbidden-media", "site_blocked"],
  ["three-hours", "too_long"],
  ["media-private", "unsupported_host"],
  ["segment-file", "unsupported_host"],
] as const)("%s fails with %s", async (page, code) => {
  await expect(sample.convert({ page, format: "mp4" })).rejects.toMatchObject({ code });
});

describe("without any request", () => {
  it("ends a conversion whose signal is already aborted", async () => {
    const before = [...sample.site.requests];
    const signal = AbortSignal.abort(new Error("early"));
    await expect(sample.convert({ page: "slow", format: "mp3", signal })).rejects.toThrow("early");
    expect(sample.site.requests).toEqual(before);
  });

  it("fails with storage when the disk is nearly full", async () => {
    const before = [...sample.site.requests];
    const limits = { ...sample.pipeline.limits, minFreeDiskBytes: Number.MAX_SAFE_INTEGER };
    const full = sample.convert({ page: "rain", format: "mp3", limits: TIERS.free, pipeline: { limits } });
    await expect(full).rejects.toMatchObject({ code: "storage" });
    expect(sample.site.requests).toEqual(before);
  });
});

/** What is done with the sponsored segments of a video, from its link to its file. */
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import type { ConversionChoices } from "../../common/choices.ts";
import { TIERS, type Format } from "../../common/tiers.ts";
import { probedChapters } from "../dev/testing/ffmpeg.ts";
import { standInSegment, startSponsorBlock } from "../dev/stand-ins/sponsor-block.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import { openTestYouTube, usualAccess } from "../dev/testing/test-youtube.ts";
import type { Found } from "./conversion.ts";
import { convert, type ConvertedFile } from "./convert.ts";
import type { Pipeline } from "./pipeline.ts";
import { SponsorBlock } from "./sponsors/sponsor-block.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const server = await ofFile(startSponsorBlock());
const pipeline: Pipeline = { ...base, youtube: await usualAccess(site) };
beforeEach(() => {
  server.mood = "well";
  server.requests.length = 0;
  server.videos.clear();
});

interface Made extends ConvertedFile {
  /** Whether the listener was told that nothing is known of sponsored segments. */
  readonly isUnknown: boolean;
  /** Lengths that the listener was told, in this order. */
  readonly toldSeconds: readonly (number | undefined)[];
}

/** @param timeoutMs for the answer about segments, by default long enough for a busy machine */
async function convertVideo(
  videoId: VideoId,
  format: Format,
  choices: ConversionChoices,
  timeoutMs = 60_000,
): Promise<Made> {
  const own = await mkdtemp(path.join(folder, "job-"));
  let isUnknown = false;
  const toldSeconds: (number | undefined)[] = [];
  const listener = {
    found: ({ title, durationSeconds, sponsorsUnknown }: Found) => {
      if (title !== undefined) toldSeconds.push(durationSeconds);
      isUnknown ||= sponsorsUnknown === true;
    },
    progress: () => undefined,
  };
  const url = `https://www.youtube.com/watch?v=${videoId}`;
  const request = { url, format, choices, limits: TIERS.free, folder: own };
  const sponsorBlock = new SponsorBlock({ address: server.address, guard: pipeline.guard, timeoutMs });
  const file = await convert({
    request,
    listener,
    pipeline: { ...pipeline, sponsorBlock },
    signal: new AbortController().signal,
  });
  return { ...file, isUnknown, toldSeconds };
}

/** @returns title and start of each chapter */
const chaptersOf = async (file: string) => (await probedChapters(file)).map(([title, start]) => [title, start]);

describe("marked segments", () => {
  it.each(["mp4", "mp3", "original"] as const)("are chapters of an %s, between those of the video", async (format) => {
    server.videos.set("chapters-12", [standInSegment({ segment: [5, 7.5], videoDuration: 12 })]);
    const made = await convertVideo("chapters-12", format, { sponsored: "mark" });
    expect(made.isUnknown).toBe(false);
    expect(made.durationSeconds).toBeCloseTo(12, 0);
    expect(await chaptersOf(made.path)).toEqual([
      ["Welcome", 0],
      ["The long part", 4],
      ["Sponsored", 5],
      ["The long part", 7.5],
      ["Questions", 9],
    ]);
  });

  it("are the only chapters with a title where the video has none", async () => {
    server.videos.set("plain-video", [standInSegment({ segment: [0, 2] }), standInSegment({ segment: [6, 8] })]);
    const { path: file } = await convertVideo("plain-video", "mp3", { sponsored: "mark" });
    expect(await chaptersOf(file)).toEqual([
      ["Sponsored", 0],
      ["…", 2],
      ["Sponsored", 6],
      ["…", 8],
    ]);
  });

  it("are on the time line of a part", async () => {
    server.videos.set("plain-video", [standInSegment({ segment: [2, 5] })]);
    const part = { startSeconds: 4, endSeconds: 8 };
    const { path: file } = await convertVideo("plain-video", "mp3", { part, sponsored: "mark" });
    expect(await chaptersOf(file)).toEqual([
      ["Sponsored", 0],
      ["…", 1],
    ]);
  });

  it("are none where they were marked in another cut of the video", async () => {
    server.videos.set("plain-video", [standInSegment({ segment: [2, 5], videoDuration: 20 })]);
    const made = await convertVideo("plain-video", "mp3", { sponsored: "mark" });
    expect([made.isUnknown, await chaptersOf(made.path)]).toEqual([false, []]);
  });
});

describe("segments that are cut out", () => {
  beforeEach(() => {
    const segments = [standInSegment({ segment: [2, 4.5], videoDuration: 12 }), standInSegment({ segment: [9, 10] })];
    server.videos.set("chapters-12", segments);
  });

  it.each(["mp4", "mp3", "flac", "wav"] as const)("shorten an %s, and its chapters move", async (format) => {
    const made = await convertVideo("chapters-12", format, { sponsored: "cut" });
    expect(made.isUnknown).toBe(false);
    expect(made.durationSeconds).toBeCloseTo(8.5, 0);
    expect(Math.abs(made.durationSeconds - 8.5)).toBeLessThan(0.1);
    // The site tells the length of the whole before anything is cut out.
    expect(made.toldSeconds).toEqual([12, 8.5]);
    expect(await chaptersOf(made.path)).toEqual([
      ["Welcome", 0],
      ["The long part", 2],
      ["Questions", 6.5],
    ]);
  });

  it("are left out of a part", async () => {
    const part = { startSeconds: 3, endSeconds: 10 };
    const made = await convertVideo("chapters-12", "mp4", { part, sponsored: "cut" });
    expect(Math.abs(made.durationSeconds - 4.5)).toBeLessThan(0.1);
    expect(await chaptersOf(made.path)).toEqual([["The long part", 0]]);
  });

  it("stay in a copied sound, in which nothing can be cut out", async () => {
    const made = await convertVideo("chapters-12", "original", { sponsored: "cut" });
    expect(made.durationSeconds).toBeCloseTo(12, 0);
  });

  it("stay when they are the whole video", async () => {
    server.videos.set("chapters-12", [standInSegment({ segment: [0, 12] })]);
    const made = await convertVideo("chapters-12", "mp3", { sponsored: "cut" });
    expect(made.durationSeconds).toBeCloseTo(12, 0);
  });
});

it("asks nothing about a video without the choice", async () => {
  server.videos.set("plain-video", [standInSegment({ segment: [2, 5] })]);
  const made = await convertVideo("plain-video", "mp3", {});
  expect([made.isUnknown, await chaptersOf(made.path), server.requests]).toEqual([false, [], []]);
});

it.each(["status 500", "bad JSON", "never"] as const)(
  "goes on without them when the server fails with %s",
  async (mood) => {
    server.mood = mood;
    const made = await convertVideo("plain-video", "mp3", { sponsored: "mark" }, 1_000);
    expect([made.isUnknown, await chaptersOf(made.path)]).toEqual([true, []]);
  },
);

it("keeps the whole video where nothing is known of what to cut out", async () => {
  server.mood = "status 500";
  const made = await convertVideo("plain-video", "mp4", { sponsored: "cut" });
  expect(made.isUnknown).toBe(true);
  expect(made.durationSeconds).toBeCloseTo(12, 0);
});

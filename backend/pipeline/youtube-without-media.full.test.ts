/** Conversions from YouTube that end without any media. Those that fetch it are in youtube.full.test.ts. */
import { mkdtemp, readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import type { ConversionChoices } from "../../common/choices.ts";
import { EXACT_SENTENCES } from "../../common/errors.ts";
import { TIERS, type Format } from "../../common/tiers.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import { openTestYouTube, usualAccess } from "../dev/testing/test-youtube.ts";
import { convertAsTold, type MadeFile } from "../dev/testing/told-findings.ts";
import { BlockList } from "../domain/blocks/block-list.ts";
import { LONG_ADVERTISEMENT } from "./errors/wording.ts";
import type { Pipeline } from "./pipeline.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const pipeline: Pipeline = { ...base, youtube: await usualAccess(site) };
beforeEach(() => site.reset());
afterEach(() => void vi.useRealTimers());

interface Attempt {
  /** Default: MP3. */
  readonly format?: Format;
  readonly choices?: ConversionChoices;
  readonly maxAdvertisementMs?: number;
  readonly blocks?: BlockList;
  readonly signal?: AbortSignal;
  readonly onWait?: () => void;
}

async function convertVideo(videoId: VideoId, about: Attempt = {}): Promise<MadeFile> {
  const { format = "mp3", choices = {}, blocks, signal = new AbortController().signal, onWait } = about;
  const { maxAdvertisementMs = pipeline.limits.maxAdvertisementMs } = about;
  const own = await mkdtemp(path.join(folder, "job-"));
  const url = `https://www.youtube.com/watch?v=${videoId}`;
  const listener = { found: ignore, progress: ignore, waiting: onWait };
  const bounded = { ...pipeline, blocks, limits: { ...pipeline.limits, maxAdvertisementMs } };
  return await convertAsTold({
    request: { url, format, choices, limits: TIERS.pro, folder: own },
    listener,
    pipeline: bounded,
    signal,
  });
}

it.each([
  // The machine has heard German.
  [undefined, "de", "guten Morgen\nund willkommen\n"],
  ["en", "en", "Hello\n"],
])("with %s chosen, writes a transcript in %s", async (language, found, text) => {
  const choices = { subtitles: { language, as: "txt" } } as const;
  const { path: file, subtitleLanguage } = await convertVideo("chapters-12", { format: "transcript", choices });
  expect([subtitleLanguage, await readFile(file, "utf8")]).toEqual([found, text]);
  expect(site.count({ kind: "media" })).toBe(0);
  expect(site.requests.filter(({ kind }) => kind === "subtitles").map(({ exit }) => exit)).toEqual(["one"]);
});

it("fails without fetching when the video has no sound in the chosen language", async () => {
  await expect(convertVideo("dubbed-in-3", { choices: { soundLanguage: "it" } })).rejects.toMatchObject({
    code: "unavailable",
    message: EXACT_SENTENCES.no_such_sound,
  });
  expect(site.count({ kind: "media" })).toBe(0);
});

it("fetches no media of a blocked channel", async () => {
  const blocks = new BlockList();
  blocks.replace([{ kind: "channel", value: "youtube:UCaaaaaaaaaaaaaaaaaaaaaa", until: null }]);
  await expect(convertVideo("plain-video", { blocks })).rejects.toMatchObject({
    code: "blocked",
  });
  expect(site.count({ kind: "media" })).toBe(0);
});

it("stops at once when it is canceled during an advertisement", async () => {
  vi.setSystemTime(Date.now());
  const controller = new AbortController();
  const onWait = (): void => controller.abort(new Error("canceled"));
  await expect(convertVideo("ad-before-1", { signal: controller.signal, onWait })).rejects.toThrow("canceled");
  expect(site.count({ kind: "media" })).toBe(0);
});

it("does not wait for an advertisement that is too long, asks other clients once, and says why it fails", async () => {
  const attempt = convertVideo("ad-before-2", { maxAdvertisementMs: 100 });
  await expect(attempt).rejects.toMatchObject({ code: "busy", ...LONG_ADVERTISEMENT });
  expect(site.count({ kind: "page" })).toBe(2);
  expect(site.count({ kind: "media" })).toBe(0);
});

function ignore(): void {}

import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import type { YouTubeSite } from "../dev/stand-ins/youtube-site/youtube-site.ts";
import { openTestYouTube } from "../dev/testing/test-youtube.ts";
import { convert, type ConvertedFile } from "./convert.ts";
import { ExitPool } from "./exits/exit-pool.ts";
import { parseExit } from "./exits/exit.ts";
import type { Pipeline } from "./pipeline.ts";

const resources = new AsyncDisposableStack();
let site: YouTubeSite;
let folder: string;
let pipeline: Pipeline;

beforeAll(async () => {
  const youtube = resources.use(await openTestYouTube());
  site = youtube.site;
  folder = youtube.folder;
  const authorities = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...authorities, site.certificate]);
  resources.defer(() => tls.setDefaultCACertificates(authorities));
  const exit = await site.openExit("one");
  const exits = new ExitPool({ exits: [parseExit(exit.proxyUrl)], extractionsPerHour: Infinity });
  pipeline = { ...youtube.pipeline, youtube: { exits, clientOrder: ["visionos", "default"] } };
});
afterAll(() => resources.disposeAsync());
beforeEach(() => site.reset());

interface Converted extends ConvertedFile {
  readonly percents: readonly number[];
}

async function convertVideo(videoId: VideoId, format: "mp3" | "mp4"): Promise<Converted> {
  const own = await mkdtemp(path.join(folder, "job-"));
  const percents: number[] = [];
  const url = `https://www.youtube.com/watch?v=${videoId}`;
  const listener = {
    metadata: () => undefined,
    thumbnail: () => undefined,
    note: () => undefined,
    progress: ({ percent }: { percent: number }) => percents.push(percent),
  };
  const request = { url, format, limits: TIERS.pro, folder: own };
  return { ...(await convert(request, listener, pipeline, new AbortController().signal)), percents };
}

it.each<[VideoId, "mp3" | "mp4"]>([
  ["plain-video", "mp3"],
  ["plain-video", "mp4"],
  ["needs-scrip", "mp3"],
  ["age-embedde", "mp4"],
  ["dubbed-in-3", "mp3"],
])("converts %s to %s, with every connection through the exit", async (videoId, format) => {
  const { durationSeconds } = await convertVideo(videoId, format);
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
  expect(site.requests.every((request) => request.exit === "one")).toBe(true);
});

it.each<[VideoId, "mp3" | "mp4", readonly string[], string]>([
  ["drc-sound-1", "mp3", ["251"], "sound whose dynamics are not compressed"],
  ["upscaled-10", "mp4", ["135", "140"], "the true picture instead of the upscaled one"],
  ["dubbed-in-3", "mp3", ["251 lang=fr.4"], "the original language"],
])("takes of %s to %s the formats %j: %s", async (videoId, format, formats) => {
  await convertVideo(videoId, format);
  const fetched = site.requests.filter(({ kind }) => kind === "media").map((request) => request.format);
  expect(new Set(fetched)).toEqual(new Set(formats));
});

it("waits for the end of an advertisement instead of asking for media that is refused", async () => {
  const { durationSeconds } = await convertVideo("ad-before-1", "mp3");
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
  expect(site.count({ kind: "page" })).toBe(1);
});

it("reads the video anew, by other clients, when its media is refused, and goes on without a step back", async () => {
  const { durationSeconds, percents } = await convertVideo("media-twice", "mp4");
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(site.count({ kind: "page" })).toBe(2);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
});

it("fails with site_blocked when media is refused to the other clients too", async () => {
  await expect(convertVideo("media-403-1", "mp3")).rejects.toMatchObject({ code: "site_blocked" });
  expect(site.count({ kind: "page" })).toBe(2);
});

/** Two processes on one Redis, with the real yt-dlp and a YouTube-shaped site that counts their requests. */
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "../../common/durations.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { TIERS } from "../../common/tiers.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import type { Exit as SiteExit } from "../dev/stand-ins/youtube-site/youtube-site.ts";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { openTestYouTube } from "../dev/testing/test-youtube.ts";
import { convert } from "../pipeline/convert.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import { ExitState, joinStates, UNUSED_EXIT } from "../pipeline/exits/exit-state.ts";
import { parseExit } from "../pipeline/exits/exit.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { extractShared } from "../pipeline/probe/extraction.ts";
import { Extractions } from "../pipeline/probe/extractions.ts";
import type { VideoInfo } from "../pipeline/probe/info.ts";
import { RedisSharedRecords } from "./shared-records.ts";
import { RedisSharedResults } from "./shared-results.ts";

const redis = redisForTests();
const never = new AbortController().signal;
const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const one = await site.openExit("one");
const two = await site.openExit("two");
let tests = 0;
beforeEach(() => {
  tests += 1;
  site.reset();
  for (const exit of [one, two]) exit.treatment = "welcome";
});

interface ProcessOptions {
  readonly exits?: readonly SiteExit[];
  readonly now?: () => number;
}

/** Processes of one test share their names in Redis. */
async function openProcess({ exits = [one], now = Date.now }: ProcessOptions = {}): Promise<Pipeline> {
  const link = await redis.openLink(`test-${tests}`);
  const onError = (error: unknown): never => expect.unreachable(String(error));
  const states = await RedisSharedRecords.open<ExitState>(link, {
    name: "exit",
    schema: ExitState,
    initial: UNUSED_EXIT,
    keepMs: 3_600_000,
    join: joinStates,
    onError,
  });
  const pool = new ExitPool({
    exits: exits.map(({ proxyUrl }) => parseExit(proxyUrl)),
    extractionsPerHour: Infinity,
    states,
    now,
  });
  const others = new RedisSharedResults(link, { name: "extraction", leaseMs: 60_000, onError });
  const extractions = new Extractions({ keepMs: HOUR_MS, maxKept: 16, maxKeptBytes: 10_000_000, others });
  return { ...base, youtube: { exits: pool, clientOrder: ["visionos", "default"] }, extractions };
}

const linkOf = (videoId: VideoId | `plain-${number}`): string => `https://www.youtube.com/watch?v=${videoId}`;

async function extract(pipeline: Pipeline, videoId: VideoId | `plain-${number}`): Promise<VideoInfo> {
  return extractShared({ pipeline, signal: never }, linkOf(videoId), await mkdtemp(path.join(folder, "job-")));
}

async function convertVideo(pipeline: Pipeline, videoId: VideoId, format: "mp3" | "mp4"): Promise<number> {
  const own = await mkdtemp(path.join(folder, "job-"));
  const request = { url: linkOf(videoId), format, limits: TIERS.pro, folder: own };
  const silent = (): undefined => undefined;
  const listener = { found: silent, progress: silent };
  return (await convert({ request, listener, pipeline, signal: never })).durationSeconds;
}

it("extracts once for the preview of one process and the conversions of another", async () => {
  const web = await openProcess();
  const worker = await openProcess();
  await extract(web, "plain-video");
  expect(await convertVideo(worker, "plain-video", "mp3")).toBeCloseTo(12, 0);
  expect(await convertVideo(worker, "plain-video", "mp4")).toBeCloseTo(12, 0);
  expect(site.count({ kind: "page" })).toBe(1);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
});

it("extracts once when two processes are asked at the same time", async () => {
  const processes = [await openProcess(), await openProcess()];
  const infos = await Promise.all(processes.map((pipeline) => extract(pipeline, "plain-video")));
  expect(infos[0]).toEqual(infos[1]);
  expect(site.count({ kind: "page" })).toBe(1);
});

it("extracts anew in a process that does not have the exit", async () => {
  await extract(await openProcess({ exits: [one] }), "plain-video");
  const info = await extract(await openProcess({ exits: [two] }), "plain-video");
  expect(info.exit?.proxyUrl).toBe(two.proxyUrl);
  expect(site.count({ kind: "page", exit: "two" })).toBe(1);
});

it("extracts anew when the media of another process's extraction is refused", async () => {
  const web = await openProcess();
  const worker = await openProcess();
  await extract(web, "media-once1");
  expect(await convertVideo(worker, "media-once1", "mp4")).toBeCloseTo(12, 0);
  // By the same client: the first try used nothing of its own.
  expect(site.requests.filter(({ kind }) => kind === "player").map(({ client }) => client)).toEqual([
    "VISIONOS",
    "VISIONOS",
  ]);
});

it("goes on through another exit, and lets one job of one process test the paused exit before all use it", async () => {
  let nowMs = Date.now();
  const now = (): number => nowMs;
  const processes = [await openProcess({ exits: [one, two], now }), await openProcess({ exits: [one, two], now })];
  const [first, second] = processes as [Pipeline, Pipeline];
  one.treatment = "bot_check";
  await extract(first, "plain-00001");
  await expect.poll(() => second.youtube?.exits.statuses[0]?.isPaused).toBe(true);
  site.reset();
  await Promise.all([extract(first, "plain-00002"), extract(second, "plain-00003"), extract(second, "plain-00004")]);
  expect(site.count({ exit: "one" })).toBe(0);
  expect(site.count({ kind: "page", exit: "two" })).toBe(3);

  // The other exit is refused too, so that the jobs depend on the test of the first one.
  two.treatment = "too_many_requests";
  nowMs += 60_000;
  await expect(extract(first, "plain-00005")).rejects.toMatchObject({ code: "busy" });
  one.treatment = "welcome";
  nowMs += 4 * 60_000;
  await expect.poll(() => second.youtube?.exits.nextUseMs).toBe(nowMs);
  site.reset();
  await Promise.all([extract(first, "plain-00006"), extract(second, "plain-00007"), extract(second, "plain-00008")]);
  expect(site.count({ exit: "two" })).toBe(0);
  const pages = site.requests.filter(({ kind }) => kind === "page").map(({ videoId }) => videoId);
  expect(new Set(pages).size).toBe(3);
  // The test had ended, with its player call, before the others began.
  expect(site.requests.slice(0, 2).map(({ videoId }) => videoId)).toEqual([pages[0], pages[0]]);
});

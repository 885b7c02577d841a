import { mkdtemp, readdir } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { ConversionErrorCode } from "../../../common/errors.ts";
import { makePlayer } from "../../dev/stand-ins/youtube-site/player-script.ts";
import type { VideoId } from "../../dev/stand-ins/youtube-site/videos.ts";
import type { Exit as SiteExit } from "../../dev/stand-ins/youtube-site/youtube-site.ts";
import { openTestYouTube } from "../../dev/testing/test-youtube.ts";
import { SiteBusy } from "../errors/site-refusal.ts";
import { ExitPool } from "../exits/exit-pool.ts";
import { parseExit } from "../exits/exit.ts";
import type { Pipeline } from "../pipeline.ts";
import { extract } from "./extraction.ts";
import type { VideoInfo } from "./info.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const one = await site.openExit("one");
const two = await site.openExit("two");
beforeEach(() => {
  site.reset();
  for (const exit of [one, two]) exit.treatment = "welcome";
});

interface Access {
  readonly exits?: readonly SiteExit[];
  readonly clientOrder?: readonly string[];
  readonly playerFolder?: string;
}

function openPipeline({ exits = [one], clientOrder = ["visionos", "default"], playerFolder }: Access = {}): Pipeline {
  const pool = new ExitPool({ exits: exits.map(({ proxyUrl }) => parseExit(proxyUrl)), extractionsPerHour: 1_000 });
  return { ...base, youtube: { exits: pool, clientOrder, playerFolder } };
}

function read(videoId: VideoId, pipeline = openPipeline()): Promise<VideoInfo> {
  const link = `https://www.youtube.com/watch?v=${videoId}`;
  return extract({ pipeline, signal: new AbortController().signal }, link, folder);
}

function formatsOf(info: VideoInfo): readonly string[] {
  return info.renditions.map(({ id }) => id);
}

it("tells subtitles that are withheld from those that a video does not have", async () => {
  expect(await read("no-captions")).toMatchObject({ withholdsSubtitles: true, subtitles: undefined });
  expect((await read("plain-video")).withholdsSubtitles).toBeUndefined();
  expect(await read("no-subtitle")).not.toHaveProperty("withholdsSubtitles");
});

it.each<[VideoId, string, string]>([
  ["named-track", "en-ehkg1hFWq8A", "Default"],
  ["named-de-01", "de-CcQ45jRV4-E", "Untertitel"],
])("offers subtitles with a name as those of their language: %s", async (videoId, language, trackName) => {
  expect((await read(videoId)).subtitles).toMatchObject([{ language, isAutomatic: false, trackName }]);
});

describe("clients", () => {
  it("asks the client without a script first, and no other when it gets the video", async () => {
    const attempts: unknown[] = [];
    const base = openPipeline();
    const youtube = base.youtube && { ...base.youtube, onAttempt: (attempt: unknown) => attempts.push(attempt) };
    const info = await read("plain-video", { ...base, youtube });
    expect(formatsOf(info)).toEqual(expect.arrayContaining(["140", "251", "134", "137"]));
    expect(attempts).toMatchObject([{ client: "visionos", outcome: "ok", seconds: expect.any(Number) }]);
    expect(site.requests.map(({ kind, client }) => client ?? kind)).toEqual(["page", "VISIONOS"]);
  });

  it.each<[VideoId, string]>([
    ["needs-scrip", "18"],
    ["only-format", "18"],
    ["age-embedde", "137"],
  ])("asks the other clients when the first is refused: %s", async (videoId, format) => {
    expect(formatsOf(await read(videoId))).toContain(format);
    expect(site.count({ kind: "script", status: 200 })).toBe(1);
  });

  it("solves the challenges: the media server accepts the addresses", async () => {
    const info = await read("age-embedde");
    const address = info.renditions.find(({ id }) => id === "140")?.url ?? "";
    expect(new URL(address).searchParams.get("enc")).toBe("1");
    expect(site.refusalOf(address, "one")).toBeUndefined();
    expect(site.refusalOf(address, "two")).toBe("another address");
  });
});

describe("player scripts", () => {
  it("are fetched once when several calls need one at the same time", async () => {
    const playerFolder = await mkdtemp(path.join(folder, "players-"));
    const pipeline = openPipeline({ playerFolder });
    await Promise.all([read("age-embedde", pipeline), read("age-embedde", pipeline), read("needs-scrip", pipeline)]);
    expect(site.count({ kind: "script" })).toBe(1);
    expect((await readdir(path.join(playerFolder, "challenge-solver"))).length).toBe(1);
  });

  it("in a shape that nobody knows end as site_changed where every format needs them", async () => {
    site.player = makePlayer(3, { isReadable: false });
    await expect(read("age-embedde")).rejects.toMatchObject({ code: "site_changed", isTransient: true });
    expect(formatsOf(await read("plain-video"))).toContain("140");
    site.player = makePlayer(4);
  });
});

describe("refusals", () => {
  it.each<VideoId>(["bot-check-1", "rate-limite", "puzzle-page", "pages-429-1"])(
    "%s ends as busy, and its exit is paused",
    async (videoId) => {
      const pipeline = openPipeline();
      await expect(read(videoId, pipeline)).rejects.toMatchObject({ code: "busy", isTransient: false });
      expect(pipeline.youtube?.exits.statuses).toMatchObject([{ isPaused: true }]);
    },
  );

  it("asks one client only where the address is refused", async () => {
    await expect(read("pages-429-1")).rejects.toMatchObject({ code: "busy" });
    expect(site.count({ kind: "page" })).toBe(1);
  });
});

describe("exits", () => {
  it("reads through another exit when the first meets a bot check, and leaves that one alone afterwards", async () => {
    const pipeline = openPipeline({ exits: [one, two] });
    one.treatment = "bot_check";
    const first = await read("plain-video", pipeline);
    expect(first.exit?.proxyUrl).toBe(two.proxyUrl);
    expect(pipeline.youtube?.exits.statuses).toMatchObject([{ isPaused: true }, { isPaused: false }]);
    site.reset();
    await read("plain-video", pipeline);
    expect(site.count({ exit: "one" })).toBe(0);
  });

  it.each<[VideoId, ConversionErrorCode]>([
    ["private-one", "private"],
    ["captcha-abc", "unavailable"],
  ])("does not blame the exit for the video %s, which is %s", async (videoId, code) => {
    const pipeline = openPipeline({ exits: [one, two] });
    await expect(read(videoId, pipeline)).rejects.toMatchObject({ code });
    expect(pipeline.youtube?.exits.statuses).toMatchObject([{ isPaused: false }, { isPaused: false }]);
  });

  it("says until when the only exit is paused, and makes no request before", async () => {
    const pipeline = openPipeline();
    one.treatment = "bot_check";
    const startMs = Date.now();
    const first: unknown = await read("plain-video", pipeline).catch((error: unknown) => error);
    expect(first).toBeInstanceOf(SiteBusy);
    expect((first as SiteBusy).untilMs - startMs).toBeGreaterThanOrEqual(5 * 60_000);
    site.reset();
    await expect(read("plain-video", pipeline)).rejects.toMatchObject({
      code: "busy",
      untilMs: (first as SiteBusy).untilMs,
    });
    expect(site.requests).toEqual([]);
  });

  it("waits when every exit is refused, after each was tried once", async () => {
    const pipeline = openPipeline({ exits: [one, two] });
    one.treatment = "too_many_requests";
    two.treatment = "bot_check";
    await expect(read("plain-video", pipeline)).rejects.toMatchObject({ code: "busy" });
    expect(pipeline.youtube?.exits.statuses).toMatchObject([{ isPaused: true }, { isPaused: true }]);
  });
});

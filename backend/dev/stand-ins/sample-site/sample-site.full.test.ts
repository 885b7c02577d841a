import { execFile } from "node:child_process";
import { request as httpRequest } from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { testFolder } from "../../testing/test-folder.ts";
import { startExtractorHost, type ExtractorHost } from "../../../pipeline/extractor-host/extractor-host.ts";
import { repositoryDataDir } from "../../repository.ts";
import { CLIP_SECONDS, DASH_HEIGHTS, HLS_HEIGHTS } from "./clip-recipes.ts";
import { MANY_SEGMENTS } from "./manifests.ts";
import { PAGES, type PageName, TANGLED_TITLE } from "./pages.ts";
import { type SampleSite, startSampleSite } from "./sample-site.ts";

const run = promisify(execFile);
const { ytDlpPath, ffmpegPath, ffprobePath } = inject("toolPaths");
const options = { dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined };

let site: SampleSite;
const folder = await testFolder();
let extractor: ExtractorHost;
beforeAll(async () => {
  site = await startSampleSite(options);
  const started = await startExtractorHost(ytDlpPath, folder);
  if (!started) throw new Error("yt-dlp cannot be kept loaded");
  extractor = started;
});
beforeEach(() => site.reset());
afterAll(async () => {
  await extractor[Symbol.asyncDispose]();
  await site.stop();
});

const Info = z.object({
  _type: z.string(),
  title: z.string(),
  duration: z.number().nullish(),
  thumbnail: z.string().nullish(),
  ext: z.string().nullish(),
  vcodec: z.string().nullish(),
  filesize: z.number().nullish(),
  is_live: z.boolean().nullish(),
  formats: z.array(z.object({ height: z.number().nullish(), vcodec: z.string().nullish() })).nullish(),
  entries: z.array(z.unknown()).nullish(),
});

/** Runs yt-dlp on a page. Only with the two named extractors: trying all takes three times as long. */
async function extract(name: PageName): Promise<z.infer<typeof Info>> {
  const flags = ["--use-extractors=generic,html5", "--ignore-config", "--no-update", "--no-cache-dir"];
  const { output } = await extractor.run(
    {
      path: ytDlpPath,
      args: [...flags, "--no-playlist", "-J", "--", site.urlOf(name)],
      folder,
      timeoutMs: 60_000,
      killGraceMs: 500,
      maxMemoryBytes: 1_000_000_000,
      maxOutputBytes: 10_000_000,
    },
    new AbortController().signal,
  );
  return Info.parse(JSON.parse(output));
}

const mediaUrl = (name: PageName, file = "video.mp4"): string => `${site.origin}/media/${name}/${file}`;

/** Counts bytes until the answer ends or breaks, or until `enough` have come. */
async function countBytes(response: Response, enough = Infinity): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes >= enough) return { bytes, isWhole: false };
    }
    return { bytes, isWhole: true };
  } catch (error) {
    // What fetch throws when the connection breaks.
    if (error instanceof TypeError) return { bytes, isWhole: false };
    throw error;
  }
}

describe("the pages offered as samples", () => {
  it.each([
    ["rain", "Rain on a tin roof", CLIP_SECONDS.rain, "mp4", undefined],
    ["lanterns", "Paper lanterns over the harbour", CLIP_SECONDS.lanterns, "webm", undefined],
    ["tide", "The tide comes in at dusk", CLIP_SECONDS.tide, "mp4", [...HLS_HEIGHTS]],
    ["observatory", "A night at the observatory", CLIP_SECONDS.observatory, "mp4", [...DASH_HEIGHTS]],
    ["tangled-title", TANGLED_TITLE, CLIP_SECONDS.rain, "mp4", undefined],
    ["cello", "Cello in an empty church (sound only)", CLIP_SECONDS.cello, "m4a", undefined],
    ["snow", "Snow on the signal box (no sound)", CLIP_SECONDS.snow, "mp4", undefined],
  ] as const)(
    "%s gives yt-dlp its title, length, heights and picture",
    async (name, title, durationSeconds, ext, heights) => {
      const info = await extract(name);
      expect(info).toMatchObject({ _type: "video", title, duration: durationSeconds, ext });
      expect(info.formats?.flatMap(({ height }) => height ?? [])).toEqual(heights);
      const thumbnail = await fetch(info.thumbnail ?? "");
      expect(thumbnail.headers.get("content-type")).toBe("image/jpeg");
      expect((await thumbnail.bytes()).length).toBeGreaterThan(1_000);
    },
  );

  it("have a label each", () => {
    const labels = site.links.map(({ label }) => label);
    expect(new Set(labels).size).toBe(7);
    expect(site.links[0]?.url).toBe(site.urlOf("rain"));
  });

  it.each([
    ["rain/video.mp4", CLIP_SECONDS.rain, ["h264", "aac"]],
    ["lanterns/video.webm", CLIP_SECONDS.lanterns, ["vp9", "opus"]],
    ["cello/audio.m4a", CLIP_SECONDS.cello, ["aac"]],
    ["snow/video.mp4", CLIP_SECONDS.snow, ["h264"]],
    ["three-hours/video.mp4", CLIP_SECONDS.threeHours, ["h264", "aac"]],
    ["three-hours/22-minutes.mp4", CLIP_SECONDS.filmedLecture, ["h264", "aac"]],
    ["lake/480.m3u8", CLIP_SECONDS.lake, ["h264", "aac"]],
    ["observatory/manifest.mpd", CLIP_SECONDS.observatory, [...DASH_HEIGHTS.map(() => "h264"), "aac"]],
  ])("%s has the length and the codecs that its page names", async (file, seconds, codecs) => {
    const entries = ["-v", "error", "-of", "json", "-show_entries", "format=duration:stream=codec_name:program="];
    const { stdout } = await run(ffprobePath, [...entries, `${site.origin}/clips/${file}`]);
    const { format, streams } = z
      .object({
        format: z.object({ duration: z.coerce.number() }),
        streams: z.array(z.object({ codec_name: z.string() })),
      })
      .parse(JSON.parse(stdout));
    expect(Math.abs(format.duration - seconds)).toBeLessThan(1);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(codecs);
  });

  it("answers HEAD and range requests, on localhost and on 127.0.0.1", async () => {
    const head = await fetch(`${site.origin}/clips/rain/video.mp4`, { method: "HEAD" });
    const sizeBytes = Number(head.headers.get("content-length"));
    expect(head.headers.get("content-type")).toBe("video/mp4");
    const tail = await fetch(`${site.origin.replace("localhost", "127.0.0.1")}/clips/rain/video.mp4`, {
      headers: { range: "bytes=-1000" },
    });
    expect(tail.status).toBe(206);
    expect(tail.headers.get("content-range")).toBe(`bytes ${sizeBytes - 1_000}-${sizeBytes - 1}/${sizeBytes}`);
    expect((await tail.bytes()).length).toBe(1_000);
  });
});

describe("the pages that misbehave", () => {
  it.each([
    ["forbidden", 403],
    ["gone", 404],
  ] as const)("%s answers %i, and its -media page only for the media", async (name, status) => {
    expect((await fetch(site.urlOf(name))).status).toBe(status);
    expect((await fetch(site.urlOf(`${name}-media`))).status).toBe(200);
    expect((await fetch(mediaUrl(`${name}-media`))).status).toBe(status);
  });

  it("busy: answers 429 twice and then 200, and again after a reset", async () => {
    for (const url of [site.urlOf("busy"), mediaUrl("busy-media")]) {
      const statuses: number[] = [];
      for (let nth = 1; nth <= 6; nth += 1) {
        if (nth === 4) site.reset();
        const response = await fetch(url);
        statuses.push(response.status);
        await response.bytes();
      }
      expect(statuses).toEqual([429, 429, 200, 429, 429, 200]);
    }
  });

  it("cut-off: breaks at half of the file, also for a range request of the rest", async () => {
    const response = await fetch(mediaUrl("cut-off"));
    const sizeBytes = Number(response.headers.get("content-length"));
    const half = Math.floor(sizeBytes / 2) + 1;
    expect(await countBytes(response)).toEqual({ bytes: half, isWhole: false });
    const rest = await fetch(mediaUrl("cut-off"), { headers: { range: `bytes=${half}-` } });
    expect(rest.status).toBe(206);
    expect(await countBytes(rest)).toEqual({ bytes: 0, isWhole: false });
  });

  it("empty: sends no byte", async () => {
    const response = await fetch(mediaUrl("empty"));
    expect(response.status).toBe(200);
    expect(await countBytes(response)).toEqual({ bytes: 0, isWhole: true });
  });

  it("stall: sends no more after the beginning, and ends when the site stops", async () => {
    const another = await startSampleSite(options);
    const response = await fetch(`${another.origin}/media/stall/video.mp4`);
    const beginning = Math.floor(Number(response.headers.get("content-length")) * 0.02) + 1;
    let bytes = 0;
    await expect(
      (async () => {
        for await (const chunk of response.body ?? []) {
          bytes += chunk.length;
          // Nothing more will come: only a stop can end this.
          if (bytes === beginning) await another.stop();
        }
      })(),
    ).rejects.toThrow(TypeError);
    expect(bytes).toBe(beginning);
  });

  it("slow: sends 200 kB a second", async () => {
    const startedMs = performance.now();
    await countBytes(await fetch(mediaUrl("slow")), 200_000);
    // Only a lower bound: a loaded machine may be slower, never faster.
    expect(performance.now() - startedMs).toBeGreaterThan(800);
  });

  it("held: is held back until the test releases the query of the request", async () => {
    const mine = await fetch(`${mediaUrl("held")}?mine`);
    const theirs = await fetch(`${mediaUrl("held")}?theirs`);
    const sizeBytes = Number(mine.headers.get("content-length"));
    const media = /"contentUrl":\s*"([^"]+)"/.exec(await readText(`${site.urlOf("held")}?mine`))?.[1];
    expect(media).toBe(`${mediaUrl("held")}?mine`);
    const whole = countBytes(mine);
    expect((await countBytes(theirs, 1)).bytes).toBeLessThan(sizeBytes);
    site.release(`${site.urlOf("held")}?mine`);
    expect(await whole).toEqual({ bytes: sizeBytes, isWhole: true });

    const page = fetch(`${site.urlOf("held-page")}?page`);
    await site.nthRequest("/watch/held-page", 1);
    await fetch(`${site.origin}/release?page`);
    expect(await (await page).text()).toContain("Rain on a tin roof");
  });

  it("live: has a new segment at each request, and no end", async () => {
    const sequences = [await readText(mediaUrl("live", "index.m3u8")), await readText(mediaUrl("live", "index.m3u8"))];
    expect(sequences.map((text) => /MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])).toEqual(["1", "2"]);
    expect(sequences.join()).not.toContain("ENDLIST");
    expect(await extract("live")).toMatchObject({ is_live: true });
  });

  it("name lengths, sizes and numbers that are over a limit", async () => {
    expect(await extract("three-hours")).toMatchObject({ duration: 10_800 });
    expect((await extract("three-hours-unsaid")).duration).toBeUndefined();
    expect(await extract("studio-master")).toMatchObject({ filesize: 900_000_000 });
    expect(await extract("lake")).toMatchObject({
      duration: 1_140,
      formats: [{ height: 240 }, { height: 480 }, { height: 1_080 }],
    });
    expect(await extract("two-videos")).toMatchObject({ _type: "playlist", entries: [{}, {}] });
  });
});

describe("the hostile pages", () => {
  it.each([
    ["redirect-private", "/watch/redirect-private"],
    ["media-redirect-private", "/media/media-redirect-private/video.mp4"],
  ])("%s redirects to the private origin, which counts contacts", async (_, path) => {
    const response = await fetch(`${site.origin}${path}`, { redirect: "manual" });
    expect(response.headers.get("location")).toContain(site.privateTarget.origin);
    expect(site.privateTarget.contacts).toBe(0);
    await (await fetch(`${site.origin}${path}`)).bytes();
    expect(site.privateTarget.contacts).toBe(1);
  });

  it.each([
    ["media-private", "/watch/media-private"],
    ["player-private", "/watch/player-private"],
    ["playlist-private", "/watch/playlist-private"],
    ["thumbnail-private", "/watch/thumbnail-private"],
    ["segment-private", "/media/segment-private/index.m3u8"],
    ["key-private", "/media/key-private/index.m3u8"],
    ["rendition-private", "/media/rendition-private/index.m3u8"],
    ["base-private", "/media/base-private/manifest.mpd"],
  ])("%s names the private origin", async (_, path) => {
    expect(await readText(`${site.origin}${path}`)).toContain(site.privateTarget.origin);
  });

  it.each([
    "/watch/media-file",
    "/watch/player-file",
    "/watch/thumbnail-file",
    "/media/segment-file/index.m3u8",
    "/media/key-file/index.m3u8",
    "/media/base-file/manifest.mpd",
    "/media/playlist-in-disguise/video.mp4",
    "/media/script-in-disguise/video.mp4",
  ])("%s names a file of this machine", async (path) => {
    expect(await readText(`${site.origin}${path}`)).toContain("file:///etc/");
  });

  it("have hostile titles", async () => {
    expect((await extract("title-traversal")).title).toMatch(/^\.\.\/.*\/etc\/x$/);
    expect((await extract("title-control")).title).toContain("\u0000");
    expect((await extract("title-endless")).title).toHaveLength(10_000);
  });

  it("send without end", async () => {
    const enough = 20_000_000;
    for (const url of [mediaUrl("endless-media"), site.urlOf("endless-page"), mediaUrl("studio-master")])
      expect((await countBytes(await fetch(url), enough)).bytes).toBeGreaterThanOrEqual(enough);
  });

  it("bomb-page: unpacks to a thousand times its size", async () => {
    const packed = await bytesOnTheWire(site.urlOf("bomb-page"));
    expect(packed).toBeGreaterThan(5_000_000);
    expect(packed).toBeLessThan(20_000_000);
    const enough = 100_000_000;
    expect((await countBytes(await fetch(site.urlOf("bomb-page")), enough)).bytes).toBeGreaterThanOrEqual(enough);
  });

  it("list a hundred thousand segments, or themselves", async () => {
    const segments = (await readText(mediaUrl("many-segments", "index.m3u8"))).match(/#EXTINF/g);
    expect(segments).toHaveLength(MANY_SEGMENTS);
    const itself = mediaUrl("playlist-of-itself", "index.m3u8");
    expect(await readText(itself)).toContain(itself);
  });

  it("absurd-picture: names a height of 16,000 lines", async () => {
    const entries = ["-v", "quiet", "-show_entries", "stream=height", "-of", "csv=p=0"];
    const claim = await run(ffprobePath, [...entries, mediaUrl("absurd-picture", "video.webm")]);
    expect(claim.stdout.trim()).toBe("16000");
  });
});

it("records requests, and a test can wait for one", async () => {
  const second = site.nthRequest("/watch/rain", 2);
  await fetch(site.urlOf("rain"));
  await fetch(site.urlOf("rain"), { headers: { range: "bytes=0-1", "user-agent": "test-agent" } });
  expect(await second).toEqual({ method: "GET", path: "/watch/rain", range: "bytes=0-1", userAgent: "test-agent" });
  expect(site.requests).toHaveLength(2);
});

it("answers every page of its table", async () => {
  site.release(site.urlOf("held-page"));
  for (const name of Object.keys(PAGES) as PageName[]) {
    const controller = new AbortController();
    const answer = fetch(site.urlOf(name), { redirect: "manual", signal: controller.signal });
    const { status } = await answer;
    controller.abort();
    expect([200, 302, 403, 404, 429]).toContain(status);
  }
});

it("rejects a port that is taken", async () => {
  const port = Number(new URL(site.origin).port);
  await expect(startSampleSite({ ...options, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

async function readText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** With node:http, because fetch would unpack the answer. */
function bytesOnTheWire(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    });
    request.on("error", reject).end();
  });
}

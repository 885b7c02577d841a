import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { DIRECT_EXIT, parseExit } from "../exits/exit.ts";
import { Extractions } from "./extractions.ts";
import { parseInfo, type VideoInfo } from "./info.ts";
import { keepMsOf, mediaExpiryMs, packInfo, publicAddressOf, unpackInfo } from "./kept-info.ts";

const exit = parseExit("http://ann:secret@one:3128");
const never = new AbortController().signal;

function infoWith(format: Record<string, unknown> = {}, ip = "192.0.2.1"): VideoInfo {
  const url = `https://media.example/videoplayback?expire=2000000000&ip=${ip}&itag=140`;
  const formats = [{ format_id: "140", url, vcodec: "none", acodec: "mp4a.40.2", ...format }];
  const chapters = [{ title: "One", start_time: 0, end_time: 12 }];
  const subtitles = { en: [{ ext: "vtt", url: "https://media.example/en.vtt" }] };
  return {
    ...parseInfo(
      JSON.stringify({ title: "A title", duration: 12, formats, chapters, subtitles, channel: "A - Topic" }),
    ),
    exit,
    withholdsSubtitles: true,
  };
}

describe("packed metadata", () => {
  it("is the same when it is unpacked, with this process's exit of that name, and contains no credentials", async () => {
    const packed = (await packInfo(infoWith())) as Buffer;
    const own = parseExit("http://bob:other@one:3128");
    expect(await unpackInfo(packed, (name) => (name === own.name ? own : undefined))).toEqual({
      ...infoWith(),
      exit: own,
    });
    expect(gunzipSync(packed).toString()).not.toMatch(/\bann\b|secret/);
  });

  it("names the address family of its media, where the exit has both", async () => {
    const packed = (await packInfo({ ...infoWith({}, "2001%3Adb8%3A%3A7"), exit: DIRECT_EXIT })) as Buffer;
    expect(await unpackInfo(packed, () => DIRECT_EXIT)).toMatchObject({ exit: { name: "direct", preferredFamily: 6 } });
    const ofIpv4 = (await packInfo({ ...infoWith(), exit: DIRECT_EXIT })) as Buffer;
    expect(await unpackInfo(ofIpv4, () => DIRECT_EXIT)).toMatchObject({ exit: { name: "direct", preferredFamily: 4 } });
    const local = parseExit("2001:db8::9");
    expect((await unpackInfo(packed, () => local))?.exit).toEqual(local);
  });

  it("is not used without the exit", async () => {
    expect(await unpackInfo((await packInfo(infoWith())) as Buffer, () => undefined)).toBeUndefined();
  });

  it.each([
    ["cookies of the site", { cookies: "session=1" }],
    ["a cookie header", { http_headers: { Cookie: "session=1" } }],
    ["more than 8 MB", { note: "x".repeat(8_000_000) }],
  ])("is not shared with %s", async (_, format) => {
    expect(await packInfo(infoWith(format))).toBeUndefined();
  });

  it("is shared up to 8 MB that compress well", async () => {
    expect(await packInfo(infoWith({ note: "x".repeat(7_990_000) }))).toBeInstanceOf(Buffer);
  });

  it("is refused when it has another form", async () => {
    await expect(unpackInfo(gzipSync('{"title":1}'), () => exit)).rejects.toThrow("expected string");
    await expect(unpackInfo(Buffer.from("no gzip"), () => exit)).rejects.toThrow("incorrect header");
  });
});

describe("media addresses", () => {
  it.each([
    ["https://a.example/videoplayback?expire=2000000000&ip=192.0.2.1", 2_000_000_000_000, "192.0.2.1"],
    ["https://a.example/manifest/expire/2000000000/ip/192.0.2.1/x.m3u8", 2_000_000_000_000, "192.0.2.1"],
    ["https://a.example/videoplayback?ip=2001%3Adb8%3a%3A7&itag=18", Infinity, "2001:db8::7"],
    ["https://a.example/a.mp4", Infinity, undefined],
  ])("name their end and the address they are given to: %s", (url, expiryMs, ip) => {
    const info = infoWith({ url });
    expect(mediaExpiryMs(info)).toBe(expiryMs);
    expect(publicAddressOf(info)).toBe(ip);
  });
});

describe("kept metadata", () => {
  const blocks = {
    requireVideo: (link: string): void => {
      if (link === "blocked") throw new ConversionError("blocked");
    },
    refusesHost: () => false,
  };

  it("is not given to anybody after its video was blocked", async () => {
    const extractions = new Extractions({ keepMs: 60_000, maxKept: 16, maxKeptBytes: 10_000_000 });
    const read = (extractor: object, link: string) =>
      extractions.share(extractor, link, () => Promise.resolve(infoWith()), never);
    await Promise.all([read({}, "blocked"), read({}, "other")]);
    await expect(read({ blocks }, "blocked")).rejects.toMatchObject({ code: "blocked" });
    expect(await read({ blocks }, "other")).toMatchObject({ title: "A title" });
  });

  it("is extracted anew after all of it was forgotten", async () => {
    const extractions = new Extractions({ keepMs: 60_000, maxKept: 16, maxKeptBytes: 10_000_000 });
    let count = 0;
    const read = () =>
      extractions.share({}, "a", () => Promise.resolve({ ...infoWith(), title: `${(count += 1)}` }), never);
    expect([(await read()).title, (await read()).title]).toEqual(["1", "1"]);
    await extractions.forgetAll();
    expect((await read()).title).toBe("2");
  });
});

describe("the time for which metadata is kept", () => {
  const NOW_MS = 1_900_000_000_000;
  const inSeconds = (seconds: number): string =>
    `https://r1.googlevideo.com/videoplayback?expire=${NOW_MS / 1_000 + seconds}`;

  beforeEach(() => void vi.useFakeTimers({ now: NOW_MS }));
  afterEach(() => void vi.useRealTimers());

  it.each<[string, string, number]>([
    ["ten minutes while its addresses last", inSeconds(6 * 3_600), 600_000],
    ["ten minutes, if a conversion fits behind them", inSeconds(3_600 + 600), 600_000],
    ["shorter, if it does not", inSeconds(3_600 + 300), 300_000],
    ["a minute at least", inSeconds(3_600 + 30), 60_000],
    ["no longer than its addresses work", inSeconds(30), 30_000],
    ["ten minutes, of a manifest", "https://manifest.googlevideo.com/hls/expire/2000000000/x.m3u8", 600_000],
    ["a minute, where the end is not stated", "https://r1.googlevideo.com/videoplayback?itag=18", 60_000],
    ["a minute, on other sites", "https://a.example/videoplayback?expire=2000000000", 60_000],
    ["a minute, on a site of a similar name", "https://notgooglevideo.com/a?expire=2000000000", 60_000],
  ])("is %s: %s", async (_, url, keptMs) => {
    const extractions = new Extractions({ keepMs: 60_000, maxKept: 16, maxKeptBytes: 10_000_000 });
    let count = 0;
    const read = async (): Promise<number> => {
      await extractions.share(
        {},
        "a",
        () => Promise.resolve({ ...infoWith({ url }), title: `${(count += 1)}` }),
        never,
      );
      return count;
    };
    await read();
    vi.advanceTimersByTime(keptMs - 1);
    expect(await read()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await read()).toBe(2);
  });

  it("is a minute when one address of several does not state its end", () => {
    const { renditions } = infoWith({ url: inSeconds(6 * 3_600) });
    expect(keepMsOf({ renditions }, 60_000)).toBe(600_000);
    expect(
      keepMsOf({ renditions: [...renditions, ...infoWith({ url: "https://a.example/" }).renditions] }, 60_000),
    ).toBe(60_000);
    expect(keepMsOf({ renditions: [] }, 60_000)).toBe(60_000);
  });
});

describe("metadata of another process", () => {
  const results = new Map<string, Buffer>();
  const kept: number[] = [];
  /** As in Redis, without waiting. */
  const others = {
    acquire: (key: string) => {
      const result = results.get(key);
      if (result) return Promise.resolve({ result });
      const keep = (packed: Buffer, keepMs: number): Promise<void> => {
        kept.push(keepMs);
        results.set(key, packed);
        return Promise.resolve();
      };
      return Promise.resolve({ turn: { keep, [Symbol.asyncDispose]: () => Promise.resolve() } });
    },
    forget: (key: string) => {
      results.delete(key);
      return Promise.resolve();
    },
    forgetAll: () => {
      results.clear();
      return Promise.resolve();
    },
  };
  const open = (): Extractions => new Extractions({ keepMs: 60_000, maxKept: 16, maxKeptBytes: 10_000_000, others });
  const directInfo = (ip: string): VideoInfo => ({ ...infoWith({}, ip), exit: undefined });

  it("is used once its public address is known to be this process's own, or is not known to be another", async () => {
    const [web, worker] = [open(), open()];
    const theirs = directInfo("192.0.2.1");
    const own = directInfo("192.0.2.2");
    const read = (process: Extractions, link: string, info: VideoInfo) =>
      process.share({}, link, () => Promise.resolve(info), never);
    await read(web, "a", theirs);
    const used = await read(worker, "a", own);
    expect(used).toEqual(theirs);
    // Its media is refused: this process has another address.
    expect(await worker.forgetRefused({}, "a", used)).toBe(true);
    expect(await read(worker, "a", own)).toBe(own);
    expect(await worker.forgetRefused({}, "a", own)).toBe(false);
    // Newer than what was refused: the next try uses it.
    const newer = { ...own, readAtMs: 2 };
    await read(worker, "a", newer);
    expect(await worker.forgetRefused({}, "a", { ...own, readAtMs: 1 })).toBe(false);
    expect(await read(worker, "a", own)).toBe(newer);
    await read(web, "b", theirs);
    expect(await read(worker, "b", own)).toBe(own);
    expect(kept).toEqual([60_000, 60_000, 60_000, 60_000]);
  });

  it("is kept there for ten minutes, and here for a minute of them", async () => {
    vi.useFakeTimers({ now: 1_900_000_000_000 });
    try {
      kept.length = 0;
      const url = "https://r1.googlevideo.com/videoplayback?expire=2000000000";
      const extract = vi.fn<() => Promise<VideoInfo>>(() => Promise.resolve({ ...infoWith({ url }), exit: undefined }));
      const [web, worker] = [open(), open()];
      const read = (process: Extractions) => process.share({}, "long", extract, never);
      await read(web);
      expect(kept).toEqual([600_000]);
      const used = await read(worker);
      vi.advanceTimersByTime(59_999);
      expect(await read(worker)).toBe(used);
      vi.advanceTimersByTime(1);
      expect(await read(worker)).not.toBe(used);
      expect(extract).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is kept no longer than its addresses work", async () => {
    kept.length = 0;
    const expire = Math.floor(Date.now() / 1_000) + 30;
    const read = (link: string, url: string) => open().share({}, link, () => Promise.resolve(infoWith({ url })), never);
    await read("soon", `https://a.example/?expire=${expire}`);
    await read("past", `https://a.example/?expire=${expire - 60}`);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toBeLessThanOrEqual(30_000);
  });
});

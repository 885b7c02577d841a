import { describe, expect, it } from "vitest";
import { parseInfo } from "./info.ts";

const mp4 = {
  format_id: "18",
  url: "https://cdn.example/18.mp4",
  protocol: "https",
  vcodec: "avc1.42001E",
  acodec: "mp4a.40.2",
  height: 360,
  tbr: 500,
};
const parse = (info: object) => parseInfo(JSON.stringify({ title: "A title", formats: [mp4], ...info }));

describe("parseInfo", () => {
  it("reads title, artist, duration, thumbnails and renditions", () => {
    expect(parse({ duration: 12.5, channel: "Somebody", thumbnail: "https://i.example/a.jpg" })).toMatchObject({
      title: "A title",
      tags: { title: "A title", artist: "Somebody" },
      durationSeconds: 12.5,
      thumbnailUrls: ["https://i.example/a.jpg"],
      renditions: [
        {
          id: "18",
          delivery: "progressive",
          hasVideo: true,
          hasAudio: true,
          videoCodec: "avc1.42001e",
          heightLines: 360,
          bitrateKbps: 500,
        },
      ],
    });
  });

  it.each([
    [{ width: 480, height: 854 }, { heightLines: 480 }],
    [{ width: 1920, height: 804 }, { heightLines: 804 }],
    [
      { width: 640, height: 360, stretched_ratio: 4 / 3 },
      { heightLines: 360, shownRatio: 4 / 3 },
    ],
    [{ width: 640, height: 360, stretched_ratio: 1.78 }, { shownRatio: undefined }],
    [{ width: 640, height: 360, stretched_ratio: 100 }, { shownRatio: undefined }],
  ])("names the size of a format by its shorter side, and knows its shape: %o", (format, expected) => {
    expect(parse({ formats: [{ ...mp4, ...format }] }).renditions).toMatchObject([expected]);
  });

  it("leaves out sound that cannot be read where there is other sound", () => {
    const unreadable = { ...mp4, format_id: "xhe", vcodec: "none", acodec: "mp4a.40.42" };
    expect(parse({ formats: [mp4, unreadable] }).renditions.map(({ id }) => id)).toEqual(["18"]);
    expect(parse({ formats: [unreadable] }).renditions.map(({ id }) => id)).toEqual(["xhe"]);
  });

  it("accepts info without formats whose own URL is the only format", () => {
    const { renditions } = parseInfo(
      JSON.stringify({ title: "t", url: "http://localhost:1/a.m4a", protocol: "http", vcodec: "none", ext: "m4a" }),
    );
    expect(renditions).toMatchObject([{ delivery: "progressive", hasVideo: false, hasAudio: true }]);
  });

  it("uses the sum of the segments when no duration is stated", () => {
    const dash = { ...mp4, protocol: "http_dash_segments", fragments: [{ duration: 4 }, { duration: 4 }, {}] };
    expect(parse({ formats: [dash] })).toMatchObject({
      durationSeconds: 8,
      renditions: [{ delivery: "dash", fragmentCount: 3 }],
    });
  });

  it("reads sample rate and channels of a sound, unless they are impossible", () => {
    const shapeOf = (asr: unknown, channels: unknown) => {
      const [rendition] = parse({ formats: [{ ...mp4, asr, audio_channels: channels }] }).renditions;
      return [rendition?.sampleRateHz, rendition?.channelCount];
    };
    expect([shapeOf(48_000, 2), shapeOf(768_000, 64), shapeOf(768_001, 65), shapeOf("fast", 0)]).toEqual([
      [48_000, 2],
      [768_000, 64],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("reads the size of ranges that the site names, unless it is too small", () => {
    const rangeBytesOf = (size: unknown) =>
      parse({ formats: [{ ...mp4, downloader_options: { http_chunk_size: size } }] }).renditions[0]?.rangeBytes;
    expect([500_000, 10_485_760, 499_999, "many"].map(rangeBytesOf)).toEqual([
      500_000,
      10_485_760,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [
      { extractor_key: "Youtube", id: "dQw4w9WgXcQ", channel_id: "UCa", uploader_id: "@SomeBody" },
      { videoId: "youtube:dQw4w9WgXcQ", channelIds: ["youtube:UCa", "youtube:@somebody"] },
    ],
    [
      { extractor_key: "Vimeo", id: "7", uploader_id: "User" },
      { videoId: "vimeo:7", channelIds: ["vimeo:User"] },
    ],
    [
      { extractor_key: "Vimeo", id: "x".repeat(201) },
      { videoId: undefined, channelIds: [] },
    ],
    [
      { extractor_key: "Generic", id: "made-up", channel_id: "c" },
      { videoId: undefined, channelIds: [] },
    ],
    [
      { id: 7, channel_id: null, webpage_url: "no address" },
      { videoId: undefined, pageUrl: undefined },
    ],
    [{ webpage_url: "https://WWW.Videos.example./watch" }, { pageUrl: "https://WWW.Videos.example./watch" }],
    [
      { webpage_url: `https://blocked.example/${"x".repeat(40_000)}` },
      { pageUrl: expect.stringMatching(/^https:\/\/blocked\.example\/x+$/) as string },
    ],
  ])("reads which video it is, and of which channel: %j", (info, identity) => {
    expect(parse(info)).toMatchObject(identity);
  });

  it("ignores fields of the wrong type", () => {
    const odd = { ...mp4, height: "tall", tbr: -1, filesize: null, http_headers: 5, fragments: "many" };
    const info = parse({
      title: null,
      duration: "long",
      thumbnails: "none",
      thumbnail: 7,
      formats: [odd, null, 3, {}],
    });
    expect(info).toMatchObject({
      title: "Untitled video",
      thumbnailUrls: [],
      renditions: [{ id: "18", httpHeaders: {} }],
    });
    expect(info).not.toHaveProperty("durationSeconds");
  });

  it.each([
    ["a local file", { url: "file:///etc/passwd", protocol: "file" }, undefined],
    ["a local file without a stated protocol", { url: "file:///etc/passwd" }, undefined],
    ["a protocol that needs other programs", { url: "rtmp://x/y", protocol: "rtmp" }, "form_not_fetched"],
    ["Smooth Streaming", { protocol: "ism" }, "form_not_fetched"],
    ["a format with DRM", { has_drm: true }, "copy_protected"],
    ["Smooth Streaming with DRM", { protocol: "ism", has_drm: true }, "copy_protected"],
    ["a storyboard", { vcodec: "none", acodec: "none" }, "picture_only"],
  ])("rejects %s as unavailable, and says why", (_, change, name) => {
    expect(() => parse({ formats: [{ ...mp4, ...change }] })).toThrow(
      expect.objectContaining({ code: "unavailable", reason: name && { name } }),
    );
  });

  it("rejects a video without formats, and one of several whose forms differ, by what can be said of them", () => {
    const rtmp = { ...mp4, protocol: "rtmp", url: "rtmp://x/y" };
    expect(() => parse({ formats: [] })).toThrow(expect.objectContaining({ code: "unavailable", reason: undefined }));
    expect(() => parse({ formats: [rtmp, { ...mp4, has_drm: true }] })).toThrow(
      expect.objectContaining({ reason: { name: "form_not_fetched" } }),
    );
  });

  it("keeps only thumbnails with an http or https URL", () => {
    const thumbnails = [
      { url: "https://i.example/small.jpg" },
      { url: "file:///etc/passwd" },
      { url: "https://i.example/big.jpg" },
    ];
    expect(parse({ thumbnail: "javascript:alert(1)", thumbnails }).thumbnailUrls).toEqual([
      "https://i.example/big.jpg",
      "https://i.example/small.jpg",
    ]);
  });

  it.each([
    [{ is_live: true }, "live"],
    [{ live_status: "is_upcoming" }, "live"],
    [{ _type: "playlist", entries: [{ formats: [mp4] }, { formats: [mp4] }] }, "playlist"],
    [{ _type: "playlist", entries: [{ _type: "url", url: "https://x.example" }] }, "playlist"],
    [{ _type: "playlist", entries: [] }, "playlist"],
  ])("rejects %j as %s", (info, code) => {
    expect(() => parse({ ...info, formats: "entries" in info ? undefined : [mp4] })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("leaves it to the download whether a playlist without an end tag is live", () => {
    const found = { extractor_key: "Generic", is_live: true, live_status: "is_live", title: "index 2026-11-29 04:30" };
    expect(parse({ ...found, formats: [{ ...mp4, protocol: "m3u8_native" }] }).title).toBe("index");
  });

  it("says of a list without videos that it is empty", () => {
    const isEmpty = expect.objectContaining({ code: "playlist", reason: { name: "empty_list" } });
    expect(() => parseInfo(JSON.stringify({ _type: "playlist", entries: [] }))).toThrow(isEmpty);
  });

  it("unwraps a playlist with one video", () => {
    expect(parseInfo(JSON.stringify({ _type: "playlist", entries: [{ title: "Only", formats: [mp4] }] })).title).toBe(
      "Only",
    );
  });

  it.each(["null", "[]", "3", "not JSON"])("throws a ConversionError for %s", (json) => {
    expect(() => parseInfo(json)).toThrow(expect.objectContaining({ name: "ConversionError" }));
  });
});

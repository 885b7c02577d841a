import { describe, expect, it } from "vitest";
import { readMediaPlaylist, resolvePlaylist } from "./hls-playlist.ts";

const segments = ["#EXTM3U", "#EXT-X-TARGETDURATION:6", "#EXTINF:6.0,", "a.ts", "#EXTINF:4.5,title", "b.ts"];

it("adds up the segments and durations of a finished playlist", () => {
  expect(readMediaPlaylist([...segments, "#EXT-X-ENDLIST"].join("\r\n"))).toEqual({
    segmentCount: 2,
    durationSeconds: 10.5,
    isOpen: false,
    mayBeFinished: false,
    hasDiscontinuities: false,
    targetSeconds: 6,
    plainAddresses: ["a.ts", "b.ts"],
    plainSeconds: [6, 4.5],
  });
});

it("lists the initialisation section before the segments", () => {
  expect(readMediaPlaylist('#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\na.m4s\n#EXT-X-ENDLIST')).toMatchObject({
    plainAddresses: ["init.mp4", "a.m4s"],
    plainSeconds: [0, 4],
  });
});

describe("pieces", () => {
  const map = (name: string): string => `#EXT-X-MAP:URI="${name}"`;
  const read = (...lines: readonly string[]) => readMediaPlaylist(["#EXTM3U", ...lines, "#EXT-X-ENDLIST"].join("\n"));

  it.each([
    ["a section for each", [map("x"), "1", "#EXT-X-DISCONTINUITY", map("y"), "2"], ["x", "1", "y", "2"]],
    ["the same section again", [map("x"), "1", "#EXT-X-DISCONTINUITY", map("x"), "2"], ["x", "1", "x", "2"]],
    ["one section for all", [map("x"), "1", "#EXT-X-DISCONTINUITY", "2"], ["x", "1", "x", "2"]],
    ["a section that changes without a word", [map("x"), "1", map("y"), "2"], ["x", "1", "y", "2"]],
    ["no section", ["1", "#EXT-X-DISCONTINUITY", "2"], ["1", "2"]],
    ["a mark with a value", ["1", "#EXT-X-DISCONTINUITY:1", "2"], ["1", "2"]],
    ["a mark before the first one", ["#EXT-X-DISCONTINUITY", map("x"), "1"], ["x", "1"]],
  ])("have %s", (_, lines, addresses) => {
    expect(read(...lines)).toMatchObject({ hasDiscontinuities: true, plainAddresses: addresses });
  });

  it("have a hundred times a section that is not named again", () => {
    const cuts = Array.from({ length: 101 }, () => ["#EXT-X-DISCONTINUITY", "1"]).flat();
    const { plainAddresses = [] } = read(map("x"), "1", ...cuts) ?? {};
    expect(plainAddresses.filter((address) => address === "x")).toHaveLength(101);
    expect(plainAddresses.slice(-3)).toEqual(["x", "1", "1"]);
  });

  it("are one where the same section is named again and again", () => {
    const playlist = read(map("x"), "1", map("x"), "2");
    expect(playlist).toMatchObject({ hasDiscontinuities: false, plainAddresses: ["x", "1", "2"] });
  });
});

it.each([
  '#EXT-X-KEY:METHOD=AES-128,URI="key"',
  "#EXT-X-BYTERANGE:100@0",
  '#EXT-X-MAP:URI="init.mp4",BYTERANGE="100@0"',
])("gives no plain addresses for a playlist with %s", (tag) => {
  expect(
    readMediaPlaylist(["#EXTM3U", tag, ...segments.slice(1), "#EXT-X-ENDLIST"].join("\n"))?.plainAddresses,
  ).toBeUndefined();
});

it("reports a playlist without end mark as live", () => {
  expect(readMediaPlaylist(segments.join("\n"))).toMatchObject({ isOpen: true });
});

it("reports a playlist of type VOD as finished without an end mark", () => {
  expect(readMediaPlaylist(["#EXTM3U", "#EXT-X-PLAYLIST-TYPE:VOD", ...segments.slice(1)].join("\n"))).toMatchObject({
    isOpen: false,
  });
});

it("ignores durations that are not positive numbers", () => {
  expect(readMediaPlaylist("#EXTM3U\n#EXTINF:-5,\na\n#EXTINF:1e999,\nb\n#EXTINF:x,\nc\n#EXT-X-ENDLIST")).toMatchObject({
    durationSeconds: 0,
    segmentCount: 3,
  });
});

it.each([
  ["a multivariant playlist", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nother.m3u8"],
  ["a page", "<!doctype html>"],
  ["empty text", ""],
])("returns undefined for %s", (_, text) => {
  expect(readMediaPlaylist(text)).toBeUndefined();
});

it("skips empty lines", () => {
  const playlist = `${segments.join("\n".repeat(1_000_000))}\r\n#EXT-X-ENDLIST`;
  expect(readMediaPlaylist(playlist)).toMatchObject({ segmentCount: 2, durationSeconds: 10.5, isOpen: false });
});

it.each([" \n", "a\n", "#\n", "#EXTINF:1,\n", "#EXT-X-MAP:\n"])(
  "rejects a playlist of more than 100,000 lines with too_large: %j",
  (line) => {
    expect(() => readMediaPlaylist(`#EXTM3U\n${line.repeat(100_000)}`)).toThrow(
      expect.objectContaining({ code: "too_large" }),
    );
  },
);

it("keeps a playlist plain whose discontinuities are only counted", () => {
  const playlist = ["#EXTM3U", "#EXT-X-DISCONTINUITY-SEQUENCE:3", ...segments.slice(1), "#EXT-X-ENDLIST"].join("\n");
  expect(readMediaPlaylist(playlist)?.plainAddresses).toEqual(["a.ts", "b.ts"]);
});

describe("resolvePlaylist", () => {
  const URL_OF_LIST = "https://media.example/list.m3u8?token=abc";
  const resolved = (...lines: string[]) => resolvePlaylist(["#EXTM3U", ...lines].join("\n"), URL_OF_LIST).split("\n");

  it("writes the values of variables into addresses and tags", () => {
    const defined = ['#EXT-X-DEFINE:NAME="h",VALUE="https://cdn.example/v"', '#EXT-X-DEFINE:QUERYPARAM="token"'];
    expect(resolved(...defined, '#EXT-X-MAP:URI="{$h}/init.mp4"', "#EXTINF:4,", "{$h}/1.ts?t={$token}")).toEqual([
      "#EXTM3U",
      '#EXT-X-MAP:URI="https://cdn.example/v/init.mp4"',
      "#EXTINF:4,",
      "https://cdn.example/v/1.ts?t=abc",
    ]);
  });

  it.each([
    ["without a definition", "#EXT-X-GAP"],
    ["of the list that named this one", '#EXT-X-DEFINE:IMPORT="h"'],
    ["that the address does not give", '#EXT-X-DEFINE:QUERYPARAM="h"'],
  ])("refuses a variable %s", (_, tag) => {
    expect(() => resolved(tag, "{$h}/1.ts")).toThrow(expect.objectContaining({ code: "unavailable" }));
  });

  it.each([
    ["before", ["#EXT-X-GAP", "#EXTINF:4,"]],
    ["after", ["#EXTINF:4,", "#EXT-X-GAP"]],
  ])("leaves out a segment that is missing, with the mark %s its length", (_, tags) => {
    expect(resolved("#EXTINF:4,", "1.ts", ...tags, "2.ts", "#EXTINF:5,", "3.ts")).toEqual([
      "#EXTM3U",
      "#EXTINF:4,",
      "1.ts",
      "#EXTINF:5,",
      "3.ts",
    ]);
  });

  it("keeps the segments of an encrypted playlist, whose numbers are a part of their keys", () => {
    const encrypted = ['#EXT-X-KEY:METHOD=AES-128,URI="key"', "#EXTINF:4,", "1.ts"];
    expect(resolved(...encrypted, "#EXT-X-GAP", "#EXTINF:4,", "2.ts")).toContain("2.ts");
  });

  it("leaves any other text as it is", () => {
    expect(resolvePlaylist("# {$comment}\n{$h}", URL_OF_LIST)).toBe("# {$comment}\n{$h}");
  });
});

it.each([
  ["an event", "#EXT-X-PLAYLIST-TYPE:EVENT", true],
  ["one that has its first segment", "#EXT-X-MEDIA-SEQUENCE:0", true],
  ["one whose first segments are gone", "#EXT-X-MEDIA-SEQUENCE:7", false],
  ["an ended one", "#EXT-X-ENDLIST", false],
])("says whether a broadcast may be over: %s", (_, tag, mayBeFinished) => {
  expect(readMediaPlaylist([segments[0], tag, ...segments.slice(1)].join("\n"))).toMatchObject({
    mayBeFinished,
    targetSeconds: 6,
  });
});

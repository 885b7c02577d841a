import { describe, expect, it } from "vitest";
import { MAX_ENTRY_TITLE_LENGTH } from "../../../common/lists.ts";
import { parseList } from "./video-list.ts";

const entry = (more: object = {}) => ({ _type: "url", url: "https://video.example/1", title: "One", ...more });
const parse = (entries: unknown, more: object = {}) =>
  parseList(JSON.stringify({ _type: "playlist", title: "A list", entries, ...more }));

describe("parseList", () => {
  it("keeps title, link and length, and the number of entries that the site states", () => {
    expect(parse([entry({ duration: 12.5 }), entry({ _type: "url_transparent" })], { playlist_count: 7 })).toEqual({
      title: "A list",
      statedCount: 7,
      entries: [
        { link: "https://video.example/1", title: "One", durationSeconds: 12.5 },
        { link: "https://video.example/1", title: "One" },
      ],
    });
  });

  it("leaves out a title that is not there, and names a list without one", () => {
    expect(parse([entry({ title: null })], { title: "\u0000" })).toEqual({
      title: "Untitled list",
      entries: [{ title: "", link: "https://video.example/1" }],
    });
  });

  it("numbers the videos that the page itself holds, but not those of a list within it", () => {
    const held = { title: "Held", duration: 4, formats: [{ url: "https://media.example/1.mp4" }] };
    const inner = { _type: "playlist", entries: [held, entry()] };
    expect(parse([held, entry(), { ...held, _type: "video", duration: null }, inner]).entries).toEqual([
      { link: 1, title: "Held", durationSeconds: 4 },
      { link: "https://video.example/1", title: "One" },
      { link: 3, title: "Held" },
      { link: "https://video.example/1", title: "One" },
    ]);
  });

  it("says which album the list is", () => {
    const songs = [entry({ channel: "Rain - Topic" }), entry({ channel: "Rain - Topic" })];
    expect(parse(songs, { id: "OLAK5uy_1", title: "Album - Weather" }).album).toEqual({
      title: "Weather",
      artist: "Rain",
    });
    expect(parse(songs)).not.toHaveProperty("album");
  });

  it.each([
    ["YoutubeTab", ["youtube:UC1", "youtube:@rain"]],
    ["Soundcloud", ["soundcloud:UC1", "soundcloud:@rain"]],
    ["Generic", undefined],
  ])("names the channel of a list of %s as its videos do", (extractor, channelIds) => {
    const owner = { extractor_key: extractor, channel_id: "UC1", uploader_id: "@Rain" };
    expect(parse([entry()], owner).channelIds).toEqual(channelIds);
  });

  it("takes a list without entries for an empty one", () => {
    expect(parse([]).entries).toEqual([]);
  });

  it("takes the entries of lists within the list, and adds up how many they state", () => {
    const tab = (count: number, more: object = {}) => ({
      _type: "playlist",
      title: "A tab",
      entries: Array.from({ length: count }, (_, index) => entry({ title: `${count}-${index + 1}` })),
      playlist_count: count,
      ...more,
    });
    const { title, entries, statedCount } = parse([tab(2), tab(0), tab(1)], { playlist_count: 3 });
    expect([title, entries.map((one) => one.title), statedCount]).toEqual(["A list", ["2-1", "2-2", "1-1"], 3]);
    expect(parse([tab(20, { playlist_count: 700 }), tab(1)]).statedCount).toBe(701);
    expect(parse([tab(20, { playlist_count: null }), tab(1)], { playlist_count: 2 })).not.toHaveProperty("statedCount");
    expect(parse([tab(0)])).toMatchObject({ entries: [], statedCount: 0 });
    let deep: object = tab(1);
    for (let depth = 0; depth < 100; depth += 1) deep = { _type: "playlist", entries: [deep] };
    expect(() => parse([deep])).toThrow(expect.objectContaining({ code: "unavailable" }));
  });

  it("cuts long titles and removes marks that change the text around them", () => {
    const [long, marked] = parse([entry({ title: "la ".repeat(9_000) }), entry({ title: "a\u202Eb\u0000c" })]).entries;
    expect(long?.title.length).toBeLessThanOrEqual(MAX_ENTRY_TITLE_LENGTH);
    expect(marked?.title).toBe("a b c");
  });

  it("names the best picture of each entry", () => {
    const thumbnails = ["low", "high"].map((name) => ({ url: `https://video.example/${name}.jpg` }));
    const held = {
      title: "Held",
      formats: [{ url: "https://video.example/a.mp4" }],
      thumbnail: "https://a.example/b.jpg",
    };
    const odd = entry({ thumbnails: [{ url: "file:///etc/passwd" }, { url: 7 }] });
    const { entries } = parse([entry({ thumbnails }), held, odd, entry()]);
    expect(entries.map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([
      "https://video.example/high.jpg",
      "https://a.example/b.jpg",
      undefined,
      undefined,
    ]);
  });

  it("removes what yt-dlp adds to an address", () => {
    const url = "https://video.example/1#__youtubedl_smuggle=%7B%22force_videoid%22%3A+%22x%22%7D";
    expect(parse([entry({ url })]).entries[0]?.link).toBe("https://video.example/1");
  });

  it.each([
    ["a file of this machine", entry({ url: "file:///etc/passwd" })],
    ["a search", entry({ url: "ytsearch:cats" })],
    ["an endless address", entry({ url: `https://video.example/${"a".repeat(3_000)}` })],
    ["no address", { _type: "url", title: "x" }],
    ["a number", 5],
    ["nothing", null],
    ["a video without an address", { _type: "video", title: "A" }],
  ])("leaves out an entry with %s", (_, hostile) => {
    expect(parse([hostile, entry()]).entries).toHaveLength(1);
  });

  it.each([
    [{ availability: "private" }, "private"],
    [{ availability: "needs_auth" }, "private"],
    [{ availability: "subscriber_only" }, "members_only"],
    [{ availability: "premium_only" }, "members_only"],
    [{ availability: "public" }, undefined],
    [{ live_status: "is_live" }, "live"],
    [{ live_status: "is_upcoming" }, "upcoming"],
    [{ live_status: "was_live" }, undefined],
    [{ title: "[Private video]" }, "private"],
    [{ title: "[Deleted video]" }, "deleted"],
    [{ ie_key: "YoutubeTab" }, "list"],
    [{ ie_key: "Youtube" }, undefined],
    [{ availability: 5, live_status: {}, duration: "x", ie_key: [] }, undefined],
  ])("finds for %j the problem %s", (more, problem) => {
    expect(parse([entry(more)]).entries[0]?.problem).toBe(problem);
  });

  it.each([
    ["a single video", { title: "One", formats: [] }, "invalid_link"],
    ["recordings that the page embeds", { _type: "playlist", entries: [{ formats: [] }, {}] }, "unavailable"],
    ["a list without entries of its own", { _type: "playlist" }, "invalid_link"],
    ["a text", "cats", "invalid_link"],
  ])("refuses %s", (_, json, code) => {
    expect(() => parseList(JSON.stringify(json))).toThrow(expect.objectContaining({ code }));
  });

  it("refuses what is no JSON", () => {
    expect(() => parseList("{")).toThrow(expect.objectContaining({ code: "internal" }));
  });
});

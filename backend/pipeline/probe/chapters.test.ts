import { describe, expect, it } from "vitest";
import { MAX_CHAPTERS } from "../../../common/preview-details.ts";
import { parseInfo } from "./info.ts";
import { chaptersFrom, chaptersOfPart, SPONSORED, UNTITLED, withSponsored, type Chapter } from "./chapters.ts";

const raw = (title: unknown, start: unknown, end?: unknown) => ({ title, start_time: start, end_time: end });
const chapter = (title: string, startSeconds: number, endSeconds: number): Chapter => ({
  title,
  startSeconds,
  endSeconds,
});

describe("chapters of a site", () => {
  it.each<[string, unknown[], Chapter[]]>([
    ["are kept", [raw("a", 0, 40), raw("b", 40, 100)], [chapter("a", 0, 40), chapter("b", 40, 100)]],
    ["are sorted", [raw("b", 40, 100), raw("a", 0, 40)], [chapter("a", 0, 40), chapter("b", 40, 100)]],
    ["do not overlap", [raw("a", 0, 90), raw("b", 40, 100)], [chapter("a", 0, 40), chapter("b", 40, 100)]],
    ["have no gaps", [raw("a", 0, 10), raw("b", 40, 100)], [chapter("a", 0, 40), chapter("b", 40, 100)]],
    [
      "end with the video when no end is stated",
      [raw("a", 0), raw("b", 40, null)],
      [chapter("a", 0, 40), chapter("b", 40, 100)],
    ],
    ["begin with the video", [raw("a", 5, 100)], [chapter(UNTITLED, 0, 5), chapter("a", 5, 100)]],
    ["begin with the video when they nearly do", [raw("a", 0.9, 100)], [chapter("a", 0, 100)]],
    ["begin a second late", [raw("a", 1, 100)], [chapter(UNTITLED, 0, 1), chapter("a", 1, 100)]],
    ["have a sign instead of an empty title", [raw("  \u0000", 0, 100)], [chapter(UNTITLED, 0, 100)]],
    ["have a sign instead of yt-dlp's title", [raw("<Untitled Chapter 1>", 0, 100)], [chapter(UNTITLED, 0, 100)]],
    ["have titles of one line", [raw("a\nb\u202e", 0, 100)], [chapter("a b", 0, 100)]],
    ["may begin at the same time, and one is left", [raw("a", 0, 9), raw("b", 0, 9)], [chapter("b", 0, 9)]],
    ["have times to the millisecond", [raw("a", 0, 1.00049)], [chapter("a", 0, 1)]],
    ["have no negative times", [raw("a", -1, 9), raw("b", 0, 9)], [chapter("b", 0, 9)]],
    ["have times that are numbers", [raw("a", "0", 9), raw("b", Infinity, 9), raw("c", null, 9), null, 7, "x"], []],
    ["have a length", [raw("a", 9, 3)], []],
  ])("%s", (_, stated, expected) => {
    expect(chaptersFrom(stated, 100)).toEqual(expected);
  });

  it("lack the last one when neither its end nor the video's length is known", () => {
    expect(chaptersFrom([raw("a", 0), raw("b", 5)], undefined)).toEqual([chapter("a", 0, 5)]);
  });

  it("are at most 255, with titles of at most 255 bytes", () => {
    const title = "लम्बा शीर्षक ".repeat(100_000);
    const many = Array.from({ length: 10_000 }, (_, index) => raw(title, index, index + 1));
    const found = chaptersFrom(many, 10_000);
    expect(found).toHaveLength(MAX_CHAPTERS);
    expect(found.at(-1)?.endSeconds).toBe(255);
    const short = found[0]?.title ?? "";
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(short)).toBeGreaterThan(230);
    expect(short).toMatch(/^लम्बा शीर्षक .*…$/);
  });

  it("keep a title of 255 bytes, and cut one of 256", () => {
    const titleOf = (bytes: number) => chaptersFrom([raw("a".repeat(bytes), 0, 9)], 9)[0]?.title;
    expect(titleOf(255)).toBe("a".repeat(255));
    expect(titleOf(256)).toBe(`${"a".repeat(252)}…`);
  });

  it.each([undefined, null, "x", 7, {}])("are none when the site states %j", (chapters) => {
    const formats = [{ format_id: "1", url: "https://a.example/a.mp4" }];
    const info = parseInfo(JSON.stringify({ title: "t", duration: 9, formats, chapters }));
    expect(info).toMatchObject({ chapters: undefined });
  });
});

describe("chapters of a part", () => {
  const chapters = [chapter("a", 0, 10), chapter("b", 10, 20), chapter("c", 20, 30)];

  it.each<[number, number, Chapter[]]>([
    [0, 30, chapters],
    [5, 15, [chapter("a", 0, 5), chapter("b", 5, 10)]],
    [10, 20, [chapter("b", 0, 10)]],
    [9.999, 20.001, [chapter("a", 0, 0.001), chapter("b", 0.001, 10.001), chapter("c", 10.001, 10.002)]],
    [25, 60, [chapter("c", 0, 5)]],
    [30, 60, []],
  ])("from %d s to %d s are moved and cut", (startSeconds, endSeconds, expected) => {
    expect(chaptersOfPart(chapters, { startSeconds, endSeconds })).toEqual(expected);
  });
});

describe("chapters of sponsored segments", () => {
  const span = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
  const two = [chapter("a", 0, 40), chapter("b", 40, 100)];
  const sponsored = (startSeconds: number, endSeconds: number) => chapter(SPONSORED, startSeconds, endSeconds);

  it.each<[string, readonly Chapter[], [number, number][], Chapter[]]>([
    [
      "stand alone in a video without others",
      [],
      [[10, 20]],
      [chapter(UNTITLED, 0, 10), sponsored(10, 20), chapter(UNTITLED, 20, 100)],
    ],
    [
      "may begin and end with the video",
      [],
      [
        [0, 20],
        [90, 100],
      ],
      [sponsored(0, 20), chapter(UNTITLED, 20, 90), sponsored(90, 100)],
    ],
    ["may be the whole video", two, [[0, 100]], [sponsored(0, 100)]],
    [
      "divide the chapter around them",
      two,
      [[10, 20]],
      [chapter("a", 0, 10), sponsored(10, 20), chapter("a", 20, 40), two[1] as Chapter],
    ],
    ["may lie across two chapters", two, [[30, 50]], [chapter("a", 0, 30), sponsored(30, 50), chapter("b", 50, 100)]],
    ["may replace a chapter", two, [[40, 100]], [chapter("a", 0, 40), sponsored(40, 100)]],
    ["leave no chapter of a moment", two, [[39.5, 99.5]], [chapter("a", 0, 39.5), sponsored(39.5, 100)]],
    [
      "leave none of a moment at the beginning",
      two,
      [[0.4, 20]],
      [sponsored(0, 20), chapter("a", 20, 40), two[1] as Chapter],
    ],
    [
      "leave short chapters elsewhere as they are",
      [chapter("a", 0, 0.5), chapter("b", 0.5, 100)],
      [[50, 60]],
      [chapter("a", 0, 0.5), chapter("b", 0.5, 50), sponsored(50, 60), chapter("b", 60, 100)],
    ],
    ["are none without segments", two, [], two],
  ])("%s", (_, chapters, spans, expected) => {
    expect(
      withSponsored(
        chapters,
        spans.map(([start, end]) => span(start, end)),
        100,
      ),
    ).toEqual(expected);
  });

  it("are at most 255 together with the others", () => {
    const spans = Array.from({ length: 200 }, (_, index) => span(4 * index + 2, 4 * index + 4));
    const all = withSponsored([], spans, 800);
    expect(all).toHaveLength(MAX_CHAPTERS);
    expect(all.slice(1).map(({ startSeconds }) => startSeconds)).toEqual(
      all.slice(0, -1).map(({ endSeconds }) => endSeconds),
    );
  });

  it("end with the last of them where the length of the video is not known", () => {
    expect(withSponsored([], [span(10, 20)], undefined)).toEqual([chapter(UNTITLED, 0, 10), sponsored(10, 20)]);
  });
});

import { describe, expect, it } from "vitest";
import { chosen, ConversionChoices, languageOfSubtitles, MAX_TAG_LENGTH, SubtitleLanguage } from "./choices.ts";

describe("a part of a video", () => {
  it.each([
    { startSeconds: 0, endSeconds: 1 },
    { startSeconds: 62, endSeconds: 185.25 },
    { startSeconds: 3_599_999, endSeconds: 3_600_000 },
  ])("is accepted: $startSeconds to $endSeconds", (part) => {
    expect(ConversionChoices.parse({ part })).toEqual({ part });
  });

  it.each([
    [0, 0.999],
    [5, 4],
    [-1, 10],
    [0, 3_600_001],
    [Number.NaN, 10],
    [0, Number.POSITIVE_INFINITY],
  ])("is refused: %d to %d", (startSeconds, endSeconds) => {
    expect(ConversionChoices.safeParse({ part: { startSeconds, endSeconds } }).success).toBe(false);
  });

  it("has times of whole milliseconds, so that equal parts are alike", () => {
    const part = { startSeconds: 1.000_4, endSeconds: 2.000_5 };
    expect(ConversionChoices.parse({ part })).toEqual({ part: { startSeconds: 1, endSeconds: 2.001 } });
  });
});

it("refuses choices it does not know, so that none is silently ignored", () => {
  expect(ConversionChoices.safeParse({ part: undefined, trim: 3 }).success).toBe(false);
});

it("takes one file per chapter only without a part", () => {
  const part = { startSeconds: 0, endSeconds: 5 };
  expect(ConversionChoices.parse({ chapterFiles: true })).toEqual({ chapterFiles: true });
  expect(ConversionChoices.safeParse({ chapterFiles: false }).success).toBe(false);
  expect(ConversionChoices.safeParse({ chapterFiles: true, part }).success).toBe(false);
});

it("takes what is done with sponsored segments, and nothing is done without a choice", () => {
  for (const sponsored of ["mark", "cut"]) expect(ConversionChoices.parse({ sponsored })).toEqual({ sponsored });
  for (const sponsored of ["keep", true, null]) expect(ConversionChoices.safeParse({ sponsored }).success).toBe(false);
  expect(ConversionChoices.safeParse({ sponsored: "mark", chapterFiles: true }).success).toBe(true);
  expect(ConversionChoices.safeParse({ sponsored: "cut", chapterFiles: true }).success).toBe(false);
  expect(chosen({ sponsored: undefined })).toBeUndefined();
});

describe("chosen tags", () => {
  it("are trimmed, and bounded in length", () => {
    expect(ConversionChoices.parse({ tags: { title: " Rain ", artist: "" } })).toEqual({
      tags: { title: "Rain", artist: "" },
    });
    const longest = "x".repeat(MAX_TAG_LENGTH);
    expect(ConversionChoices.safeParse({ tags: { album: longest } }).success).toBe(true);
    expect(ConversionChoices.safeParse({ tags: { album: `${longest}x` } }).success).toBe(false);
  });

  it("may leave out artist and album, but not the title", () => {
    expect(ConversionChoices.safeParse({ tags: { title: " " } }).success).toBe(false);
  });
});

it("counts choices that are all left out as none", () => {
  expect(chosen({})).toBeUndefined();
  expect(chosen({ tags: {} })).toBeUndefined();
  expect(chosen({ tags: { artist: "" } })).toEqual({ tags: { artist: "" } });
  expect(chosen({ part: undefined })).toBeUndefined();
  expect(chosen({ part: { startSeconds: 0, endSeconds: 5 } })).toEqual({ part: { startSeconds: 0, endSeconds: 5 } });
});

describe("the language of subtitles", () => {
  it.each([
    ["en", "en"],
    ["pt-BR", "pt-BR"],
    ["zh-Hant-TW", "zh-Hant-TW"],
    ["sl-rozaj-biske", "sl-rozaj-biske"],
    ["en-ehkg1hFWq8A", "en"],
    ["en-eEY6OEpapPo", "en"],
    ["en-US-UHrYkJt0gGM", "en-US"],
    ["de.CcQ45jRV4-E", "de"],
    ["en-a-b_c-defg1", "en"],
  ])("of %j is %j", (name, language) => {
    expect(SubtitleLanguage.parse(name)).toBe(name);
    expect(languageOfSubtitles(name)).toBe(language);
  });

  it.each(["live_chat", "English", "en-", "en.", "en-ehkg1hFWq8Ax", "en.ehkg1hFWq8", "en_ehkg1hFWq8A", ""])(
    "is none for %j",
    (name) => {
      expect(SubtitleLanguage.safeParse(name).success).toBe(false);
    },
  );
});

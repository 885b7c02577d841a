/** Makes transcripts of pages of the sample site with the real tools. */
import { readFile, readdir } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { ConversionChoices } from "../../common/choices.ts";
import { EXACT_SENTENCES, SENTENCES } from "../../common/errors.ts";
import { TIERS, type TierLimits } from "../../common/tiers.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import type { MadeFile } from "../dev/testing/told-findings.ts";
import type { PageName } from "../dev/stand-ins/sample-site/sample-site.ts";
import type { ConvertProgress } from "./convert.ts";

const sample = await ofFile(samplePipeline());
const { site } = sample;
beforeEach(() => site.reset());

interface Made extends MadeFile {
  readonly text: string;
  readonly progress: readonly ConvertProgress[];
  readonly languages: readonly string[];
  /** The last length that the listener was told. */
  readonly statedSeconds: number | undefined;
}

async function make(page: PageName, choices: ConversionChoices = {}, limits: TierLimits = TIERS.free): Promise<Made> {
  const progress: ConvertProgress[] = [];
  const languages: string[] = [];
  let statedSeconds: number | undefined;
  let text = "";
  const file = await sample.convert({
    page,
    format: "transcript",
    choices,
    limits,
    listener: {
      found: ({ durationSeconds, subtitleLanguage }) => {
        statedSeconds = durationSeconds ?? statedSeconds;
        if (subtitleLanguage !== undefined) languages.push(subtitleLanguage);
      },
      progress: (update) => progress.push(update),
    },
    check: async ({ path }) => void (text = await readFile(path, "utf8")),
  });
  return { ...file, text, progress, languages, statedSeconds };
}

const pathsAsked = (): readonly string[] => site.requests.map(({ path }) => path.split("/").at(-1) ?? "");

describe("a transcript", () => {
  it.each([
    [
      "srt",
      "1\n00:00:01,000 --> 00:00:04,000\nIt <rains> & rains\n\n" +
        "2\n00:00:05,500 --> 00:00:09,000\non a {tin} roof\nall night\n\n" +
        "3\n00:00:25,000 --> 00:02:00,000\nuntil the end\n",
    ],
    [
      "vtt",
      "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nIt &lt;rains&gt; &amp; rains\n\n" +
        "00:00:05.500 --> 00:00:09.000\non a {tin} roof\nall night\n\n" +
        "00:00:25.000 --> 00:02:00.000\nuntil the end\n",
    ],
    ["txt", "It <rains> & rains\non a {tin} roof\nall night\nuntil the end\n"],
  ] as const)("is stored as %s", async (as, text) => {
    const made = await make("subtitles", { subtitles: { language: "en", as } });
    expect(made).toMatchObject({ text, sizeBytes: Buffer.byteLength(text), subtitleLanguage: "en", languages: ["en"] });
  });

  it("is SRT in the first language without a choice, and no media is asked for", async () => {
    const made = await make("subtitles");
    expect(made.text).toMatch(/^1\n00:00:01,000 --> 00:00:04,000\nIt <rains>/);
    expect(made.languages).toEqual(["en"]);
    expect(pathsAsked().filter((path) => path.endsWith(".vtt") || path.endsWith(".srt"))).toEqual(["en.vtt"]);
    // The extractor asks for the type of the media, and nothing reads it.
    expect(site.requests.filter(({ path, method }) => path.endsWith(".mp4") && method === "GET")).toEqual([]);
  });

  it("has progress that goes forward from the download to the store", async () => {
    const { progress } = await make("subtitles", { subtitles: { language: "de" } });
    expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(["download", "store"]));
    const percents = progress.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(Math.max(...percents)).toBeLessThan(100);
  });

  it("of a part is cut to it, and its times begin with it", async () => {
    const part = { startSeconds: 2, endSeconds: 7 };
    const made = await make("subtitles", { part, subtitles: { language: "en" } });
    expect(made.text).toBe(
      "1\n00:00:00,000 --> 00:00:02,000\nIt <rains> & rains\n\n" +
        "2\n00:00:03,500 --> 00:00:05,000\non a {tin} roof\nall night\n",
    );
    expect(made).toMatchObject({ durationSeconds: 5, statedSeconds: 5 });
  });

  it("is made when the site is no longer busy", async () => {
    const { text } = await make("busy-subtitles", { subtitles: { language: "de", as: "txt" } });
    expect(text).toBe("Es regnet über Malmö\n");
    expect(pathsAsked().filter((path) => path === "de.srt")).toHaveLength(3);
  });

  it("keeps eight bounded lines of a cue that has no end", async () => {
    const { text } = await make("hostile-subtitles", { subtitles: { language: "tlh", as: "txt" } });
    expect(text.length).toBeLessThan(600);
    expect(text.split("\n").slice(1)).toEqual([...Array<string>(7).fill("line"), ""]);
  });

  it.each<[string, PageName, ConversionChoices, string]>([
    ["the video has none", "rain", {}, EXACT_SENTENCES.no_subtitles_at_all],
    ["there are none in the language", "subtitles", { subtitles: { language: "fr" } }, SENTENCES.no_subtitles],
    ["the file has no text", "subtitles", { subtitles: { language: "tlh" } }, SENTENCES.no_subtitles],
    ["the file is no text", "hostile-subtitles", { subtitles: { language: "en" } }, SENTENCES.no_subtitles],
    ["the file has no end", "endless-subtitles", { subtitles: { language: "de" } }, SENTENCES.no_subtitles],
    [
      "nothing is said in the part",
      "subtitles",
      { part: { startSeconds: 10, endSeconds: 25 } },
      EXACT_SENTENCES.no_text_in_part,
    ],
  ])("fails for good when %s", async (_, page, choices, message) => {
    await expect(make(page, choices)).rejects.toMatchObject({ code: "no_subtitles", message, isTransient: false });
    expect(await readdir(sample.folder)).toEqual([]);
  });

  it.each([
    ["an old encoding", "ru", "1\n00:00:01,000 --> 00:00:02,000\nПривет\n"],
    ["segments", "en", "1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:07,000 --> 00:00:08,000\nI <3 you\n"],
    ["XML", "de", "1\n00:00:01,000 --> 00:00:02,000\nHallo\nWelt\n"],
  ])("is made of subtitles in %s", async (_, language, text) => {
    expect((await make("odd-subtitles", { subtitles: { language } })).text).toBe(text);
  });

  it("asks once more for an empty file, and says that the site did not give it", async () => {
    const made = make("hostile-subtitles", { subtitles: { language: "de" } });
    const message = EXACT_SENTENCES.subtitles_not_given;
    await expect(made).rejects.toMatchObject({ code: "site_blocked", message, isTransient: false });
    expect(pathsAsked().filter((path) => path === "de.srt")).toHaveLength(2);
    expect(await readdir(sample.folder)).toEqual([]);
  });

  it("has the length limit of the plan, also for a video whose site states no length", async () => {
    // The last text ends after two minutes.
    const limits = (maxDurationSeconds: number): TierLimits => ({ ...TIERS.free, maxDurationSeconds });
    await expect(make("subtitles", {}, limits(119))).rejects.toMatchObject({ code: "too_long" });
    expect((await make("subtitles", {}, limits(120))).languages).toEqual(["en"]);
  });

  it("has the size limit of the plan", async () => {
    const choices = { subtitles: { language: "de", as: "txt" } } as const;
    const sizeBytes = Buffer.byteLength("Es regnet über Malmö\n");
    const limits = (maxFileBytes: number): TierLimits => ({ ...TIERS.free, maxFileBytes });
    expect((await make("subtitles", choices, limits(sizeBytes))).sizeBytes).toBe(sizeBytes);
    await expect(make("subtitles", choices, limits(sizeBytes - 1))).rejects.toMatchObject({ code: "too_large" });
  });
});

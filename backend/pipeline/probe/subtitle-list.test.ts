import { describe, expect, it } from "vitest";
import { MAX_SUBTITLES } from "../../../common/preview-details.ts";
import { parseInfo } from "./info.ts";
import { chosenSubtitles, type SubtitleSource } from "./subtitle-list.ts";

const file = (ext: string, url = `https://a.example/${ext}`, more: object = {}) => ({ ext, url, ...more });
const source = (language: string, isAutomatic: boolean, url = "https://a.example/vtt"): SubtitleSource => ({
  language,
  isAutomatic,
  url,
});

function listOf(subtitles: unknown, automatic?: unknown): readonly SubtitleSource[] | undefined {
  const formats = [{ format_id: "1", url: "https://a.example/a.mp4" }];
  return parseInfo(JSON.stringify({ title: "t", formats, subtitles, automatic_captions: automatic })).subtitles;
}

describe("the subtitles of a site", () => {
  it("are those that somebody has written, then automatic ones in other languages", () => {
    const written = { de: [file("json3"), file("srt"), file("vtt")], "pt-BR": [file("srt")] };
    const automatic = {
      "en-orig": [file("vtt")],
      en: [file("vtt")],
      de: [file("vtt")],
      fr: [file("vtt", "https://a.example/vtt?lang=en&tlang=fr")],
    };
    expect(listOf(written, automatic)).toEqual([
      source("de", false),
      source("pt-BR", false, "https://a.example/srt"),
      source("en", true),
    ]);
  });

  it.each<[string, unknown]>([
    ["no lists", undefined],
    ["texts", "en"],
    ["a list", ["en"]],
    ["no addresses", { en: [{ ext: "vtt", data: "WEBVTT" }], de: null, fr: [null, 7] }],
    ["files of this machine", { en: [file("vtt", "file:///etc/passwd")] }],
    ["long addresses", { en: [file("vtt", `https://a.example/${"a".repeat(4_000)}`)] }],
    ["segments of DASH", { en: [file("vtt", undefined, { protocol: "http_dash_segments" })] }],
    ["names that are no language", { live_chat: [file("vtt")], "English (auto)": [file("vtt")], "": [file("vtt")] }],
    ["forms that cannot be read", { en: [file("png"), file("stl")] }],
  ])("are none with %s", (_, subtitles) => {
    expect(listOf(subtitles, subtitles)).toBeUndefined();
  });

  it("are in the form that is read best, and in any other that can be read", () => {
    const hls = file("vtt", "https://a.example/list.m3u8", { protocol: "m3u8_native" });
    const languages = { en: [hls, file("ttml")], de: [file("ttml"), file("json3")], fr: [file("json3")], es: [hls] };
    expect(listOf(languages)?.map(({ language, url }) => [language, url])).toEqual([
      ["en", "https://a.example/list.m3u8"],
      ["de", "https://a.example/ttml"],
      ["fr", "https://a.example/json3"],
      ["es", "https://a.example/list.m3u8"],
    ]);
    expect(listOf({ en: [hls, file("vtt")] })?.[0]?.url).toBe("https://a.example/vtt");
  });

  it.each<[string, string | undefined, string | undefined]>([
    ["en-ehkg1hFWq8A", "English - Default", "Default"],
    ["en-eEY6OEpapPo", undefined, undefined],
    ["en-US-UHrYkJt0gGM", "English (United States) - CC &amp; more", "CC & more"],
    ["de.CcQ45jRV4-E", "German - für Hörgeschädigte - neu", "für Hörgeschädigte - neu"],
    ["zh-Hant-__________1", "Chinese (Traditional) - \u202eA", "A"],
    ["en", "English - Default", undefined],
  ])("of the track %j with the name %j are offered as %j", (language, name, trackName) => {
    expect(listOf({ [language]: [file("vtt", undefined, { name })] })).toEqual([
      { ...source(language, false), trackName },
    ]);
  });

  it("are bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (__, index) => [`en-x${index}`, [file("vtt")]]));
    expect(listOf(many)).toHaveLength(MAX_SUBTITLES);
  });
});

it("chooses the language, and refuses one that is not there", () => {
  const sources = [source("en", false), source("de", true)];
  const offered = { subtitles: sources };
  expect(chosenSubtitles(offered, { subtitles: { language: "de" } })).toBe(sources[1]);
  expect(chosenSubtitles(offered, {})).toBeUndefined();
  expect(() => chosenSubtitles(offered, { subtitles: { language: "fr" } })).toThrow("no subtitles in that language");
  expect(() => chosenSubtitles({}, { subtitles: { language: "en" } })).toThrow("no subtitles in that language");
  const withheld = { ...offered, withholdsSubtitles: true };
  expect(chosenSubtitles(withheld, { subtitles: { language: "en" } })).toBe(sources[0]);
  expect(() => chosenSubtitles(withheld, { subtitles: { language: "fr" } })).toThrow("did not give us the subtitles");
});

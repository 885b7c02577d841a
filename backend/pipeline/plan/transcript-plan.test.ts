import { expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { testInfo } from "../../dev/testing/test-info.ts";
import type { SubtitleSource } from "../probe/subtitle-list.ts";
import { planTranscript } from "./transcript-plan.ts";

/** @param lists languages; those with a star are automatic */
const subtitlesIn = (...languages: readonly string[]): SubtitleSource[] =>
  languages.map((name) => {
    const language = name.replace("*", "");
    return { language, isAutomatic: name.endsWith("*"), url: `https://a.example/${language}` };
  });

it.each<[string, string | undefined, readonly string[], string]>([
  ["what somebody has written before what a machine has", "en", ["de", "en-GB", "en*"], "en-GB"],
  ["the exact language before one like it", "en", ["en-GB", "en", "de"], "en"],
  ["the spoken language of a machine before another one that somebody has written", "en", ["de", "en*"], "en"],
  ["what somebody has written where nothing is in the spoken language", "it", ["fr*", "de", "es"], "de"],
  ["a named track in the spoken language", "en", ["de", "en-ehkg1hFWq8A"], "en-ehkg1hFWq8A"],
  ["a track without a name before a named one", "en", ["en-ehkg1hFWq8A", "en"], "en"],
  ["the first automatic one where there is nothing else", "it", ["fr*", "de*"], "fr"],
  ["the language that the only machine has heard", undefined, ["de", "en*"], "en"],
  ["the first that somebody has written where machines heard several", undefined, ["fr*", "en*", "de"], "de"],
])("takes %s", (_, language, languages, taken) => {
  const info = {
    ...testInfo(60, { hasAudio: true, ...(language === undefined ? {} : { language }) }),
    subtitles: subtitlesIn(...languages),
  };
  expect(planTranscript(info, TIERS.free).source.language).toBe(taken);
});

it("takes the language of the original sound, not of a dub", () => {
  const dubbed = testInfo(60, { language: "de", languagePreference: -1 }, { language: "fr", languagePreference: 10 });
  const subtitles = subtitlesIn("de", "fr", "en");
  expect(planTranscript({ ...dubbed, subtitles }, TIERS.free).source.language).toBe("fr");
});

it("does not say that a video has no subtitles when its site withholds them", () => {
  const info = { ...testInfo(60), withholdsSubtitles: true };
  expect(() => planTranscript(info, TIERS.free)).toThrow("did not give us the subtitles");
  expect(() => planTranscript(testInfo(60), TIERS.free)).toThrow("This video has no subtitles");
  const automatic = { ...info, subtitles: subtitlesIn("en*") };
  expect(planTranscript(automatic, TIERS.free).source.language).toBe("en");
});

it("limits the part, not the video it is taken from", () => {
  const info = { ...testInfo(3 * 3_600), subtitles: subtitlesIn("en") };
  expect(() => planTranscript(info, TIERS.free)).toThrow(expect.objectContaining({ code: "too_long" }));
  const part = { startSeconds: 3_600, endSeconds: 3_600 + 20 * 60 };
  expect(planTranscript(info, TIERS.free, { part })).toMatchObject({ part, durationSeconds: 1_200, kind: "srt" });
  const longer = { ...part, endSeconds: part.endSeconds + 1 };
  expect(() => planTranscript(info, TIERS.free, { part: longer })).toThrow(
    expect.objectContaining({ code: "too_long" }),
  );
});

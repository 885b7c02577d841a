import { expect, it } from "vitest";
import { testInfo } from "../../dev/testing/test-info.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { inSoundLanguage, soundLanguagesOf } from "./sound-language.ts";

const rendition = (id: string, about: Partial<Rendition>): Rendition =>
  testRendition({ id, hasVideo: false, ...about });
const infoOf = (...renditions: Rendition[]): VideoInfo => testInfo(undefined, ...renditions);

const picture = rendition("picture", { hasVideo: true, hasAudio: false });
const french = rendition("fr", { language: "fr", languagePreference: 10 });
const german = rendition("de", { language: "de" });
const unknown = rendition("unknown", {});

it("names the languages, the original one first", () => {
  expect(soundLanguagesOf(infoOf(german, picture, french))).toEqual(["fr", "de"]);
});

it.each([
  ["one language", [picture, french, french]],
  ["no language stated", [picture, unknown]],
  ["no sound", [picture]],
])("names none where there is no choice: %s", (_, renditions) => {
  expect(soundLanguagesOf(infoOf(...renditions))).toEqual([]);
});

it("does not name a language whose sound would cost the picture", () => {
  const whole = rendition("whole", { hasVideo: true, language: "fr", languagePreference: 10 });
  expect(soundLanguagesOf(infoOf(whole, german))).toEqual([]);
  expect(() => inSoundLanguage(infoOf(whole, german), "de")).toThrow(/no sound in that language/);
});

it("leaves out sound of other languages, and keeps the picture", () => {
  const { renditions } = inSoundLanguage(infoOf(german, french, unknown, picture), "de");
  expect(renditions).toEqual([german, picture]);
});

it("changes nothing where no language is chosen", () => {
  const info = infoOf(german, french);
  expect(inSoundLanguage(info, undefined)).toBe(info);
});

it("refuses a language that the video does not have", () => {
  expect(() => inSoundLanguage(infoOf(german, french), "it")).toThrow(expect.objectContaining({ code: "unavailable" }));
});

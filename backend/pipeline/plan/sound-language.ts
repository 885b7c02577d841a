/** The languages of a video's sound, and the video with one of them alone. Pure. */
import { ConversionError, exactly } from "../../../common/errors.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";

/** @returns the renditions without sound in other languages; undefined when a picture would be lost with that sound */
function renditionsIn(language: string, { renditions }: VideoInfo): readonly Rendition[] | undefined {
  const kept = renditions.filter((rendition) => !rendition.hasAudio || rendition.language === language);
  const hasPicture = (list: readonly Rendition[]): boolean => list.some(({ hasVideo }) => hasVideo);
  const hasSound = kept.some(({ hasAudio }) => hasAudio);
  return hasSound && hasPicture(kept) === hasPicture(renditions) ? kept : undefined;
}

/** @returns the languages that can be chosen, the original one first; empty when there is no choice */
export function soundLanguagesOf(info: VideoInfo): string[] {
  const bestFirst = info.renditions
    .filter(({ hasAudio }) => hasAudio)
    .toSorted((a, b) => b.languagePreference - a.languagePreference);
  const languages = [...new Set(bestFirst.flatMap(({ language }) => language ?? []))];
  const usable = languages.filter((language) => renditionsIn(language, info) !== undefined);
  return usable.length > 1 ? usable : [];
}

/**
 * @param language absent: the original one, as the plans choose it
 * @returns the video as if it had sound in this language only
 * @throws ConversionError "unavailable" when it has none in this language
 */
export function inSoundLanguage(info: VideoInfo, language: string | undefined): VideoInfo {
  if (language === undefined) return info;
  const renditions = renditionsIn(language, info);
  if (!renditions) throw new ConversionError("unavailable", exactly("no_such_sound"));
  return { ...info, renditions };
}

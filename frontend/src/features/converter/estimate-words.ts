/** What the preview says of a format: what the file will be, and how large. */
import type { Estimate } from "../../../../common/api.ts";
import { languageOfSubtitles, type ConversionChoices } from "../../../../common/choices.ts";
import type { Format } from "../../../../common/tiers.ts";
import type { Texts } from "../../texts/en.ts";
import type { Formats } from "../../texts/format.ts";
import { wordShortfall } from "../../texts/reason-words.ts";
import { sentenceOf } from "../../texts/store.ts";

/** @returns for example "about 3.1 MB", or why the video cannot be converted to this format */
export function estimateText(
  format: Format,
  { sizeBytes, fits, error }: Estimate,
  texts: Texts["converter"]["preview"],
  formats: Formats,
): string {
  if (!fits) return error ? sentenceOf(error) : texts.doesNotFit;
  // Nobody waits for a text because of its size.
  if (format === "transcript") return "";
  return sizeBytes === null ? texts.sizeUnknown : texts.about(formats.fileSize(sizeBytes));
}

/** @returns "MP3 · 128 kbps", or "MP4 · 360p to fit 50 MB" where the tier's quality would be too large */
export function formatText(
  format: Format,
  { quality, shortfall }: Estimate,
  subtitles: ConversionChoices["subtitles"],
  texts: Texts,
  formats: Formats,
): string {
  const subtitleLanguage = subtitles?.language === undefined ? undefined : languageOfSubtitles(subtitles.language);
  if (!shortfall) return formats.kind({ format, quality, subtitleLanguage, choices: { subtitles } });
  return `${format.toUpperCase()} · ${wordShortfall(shortfall, texts, formats)}`;
}

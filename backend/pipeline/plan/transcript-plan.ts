/** Plans which subtitles a transcript is made of. Pure. */
import { transcriptKindOf, type ConversionChoices, type Part, type TranscriptKind } from "../../../common/choices.ts";
import { ConversionError, exactly } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { partOf, partSeconds } from "../part/part.ts";
import { wantedPart } from "../probe/clip.ts";
import type { VideoInfo } from "../probe/info.ts";
import { chosenSubtitles, notGiven, type SubtitleSource } from "../probe/subtitle-list.ts";
import { checkDuration } from "./plan-bounds.ts";

export interface TranscriptPlan {
  readonly source: SubtitleSource;
  readonly kind: TranscriptKind;
  /** Cut to the end of the video. Absent: the whole video. */
  readonly part?: Part | undefined;
  /** Length of the result; absent when the site does not state it. */
  readonly durationSeconds?: number | undefined;
}

const primaryOf = (language: string): string => language.toLowerCase().split(/[-.]/)[0] ?? "";

/**
 * @param sources not empty
 * @returns the language that is spoken; undefined when it is not known
 */
function spokenLanguage({ renditions }: VideoInfo, sources: readonly SubtitleSource[]): string | undefined {
  const [original] = renditions
    .filter(({ hasAudio, language }) => hasAudio && language !== undefined)
    .toSorted((a, b) => b.languagePreference - a.languagePreference);
  if (original) return original.language;
  // A machine writes down what it hears; the list has none that are translated.
  const automatic = sources.filter(({ isAutomatic }) => isAutomatic);
  return automatic.length === 1 ? automatic[0]?.language : undefined;
}

/**
 * Prefers the language that is spoken, then subtitles that somebody has written, then the exact language to one like it:
 * "en" to "en-GB".
 */
function ownSubtitles(info: VideoInfo, sources: readonly SubtitleSource[]): SubtitleSource | undefined {
  const spoken = spokenLanguage(info, sources);
  const rank = ({ language, isAutomatic }: SubtitleSource): number =>
    (spoken !== undefined && primaryOf(language) === primaryOf(spoken) ? 4 : 0) +
    (isAutomatic ? 0 : 2) +
    (language === spoken ? 1 : 0);
  return sources.toSorted((a, b) => rank(b) - rank(a))[0];
}

/**
 * @param limits hold for the part, whatever the length of the video
 * @throws ConversionError "no_subtitles", "site_blocked" when the site withholds them, "too_long", "part_outside"
 */
export function planTranscript(info: VideoInfo, limits: TierLimits, choices: ConversionChoices = {}): TranscriptPlan {
  const part = partOf(wantedPart(info, choices), info.durationSeconds);
  const durationSeconds = part ? partSeconds(part) : info.durationSeconds;
  checkDuration(durationSeconds, limits);
  const { subtitles: sources = [] } = info;
  const source = chosenSubtitles(info, choices) ?? ownSubtitles(info, sources);
  if (!source && info.withholdsSubtitles) throw notGiven("all languages");
  if (!source) throw new ConversionError("no_subtitles", exactly("no_subtitles_at_all"));
  return { source, kind: transcriptKindOf(choices), part, durationSeconds };
}

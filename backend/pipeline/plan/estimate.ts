/** Estimates the result of a conversion from the metadata alone. Pure. */
import type { Estimate } from "../../../common/api.ts";
import type { ConversionChoices, Part } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import { describeShortfall } from "../../../common/shortfall.ts";
import { CHAPTER_FILES_FOR_PRO, formatForProSentence } from "../../../common/reason-sentences.ts";
import { qualityFor, tierConvertsTo, TIERS, type Format, type MediaFormat, type Tier } from "../../../common/tiers.ts";
import { renditionOfPart } from "../part/info-of-part.ts";
import { partOf, partSeconds } from "../part/part.ts";
import { wantedPart } from "../probe/clip.ts";
import { chosenSubtitles } from "../probe/subtitle-list.ts";
import { planChoices } from "./fetch-plan.ts";
import type { VideoInfo } from "../probe/info.ts";
import { resultTooLarge } from "../errors/wording.ts";
import { planTranscript } from "./transcript-plan.ts";
import { likelySoundBytes, type SoundFormat } from "./sound-bytes.ts";

/** @returns length of the result; undefined when it is unknown, or the part is outside of the video */
function secondsOf({ durationSeconds }: VideoInfo, part: Part | undefined): number | undefined {
  try {
    const cut = partOf(part, durationSeconds);
    return cut ? partSeconds(cut) : durationSeconds;
  } catch (error) {
    // The plan finds the same error and puts it into the estimate.
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}

/**
 * @param maxSourceFactor a source may be this many times as large as the tier's largest file
 * @param choices of the visitor; absent: none
 * @param sponsored spans of the video, for a visitor who wants them left out
 * @returns the estimate; for a conversion that would fail, with `fits` false and the reason in `note`
 */
export function estimate(
  info: VideoInfo,
  format: Format,
  tier: Tier,
  maxSourceFactor: number,
  choices: ConversionChoices = {},
  sponsored: readonly Part[] = [],
): Estimate {
  if (format === "transcript") return estimateTranscript(info, tier, choices);
  const { chapterFiles, ...others } = choices;
  if (!chapterFiles || TIERS[tier].hasChapterFiles)
    return estimateAllowed(info, format, tier, maxSourceFactor, choices, sponsored);
  const withOne = estimateAllowed(info, format, tier, maxSourceFactor, others, sponsored);
  if (!withOne.fits) return withOne;
  const error = {
    code: "pro_required",
    message: CHAPTER_FILES_FOR_PRO,
    reason: { name: "chapter_files_for_pro" },
  } as const;
  return { ...withOne, fits: false, note: error.message, error };
}

/** For choices that the tier has. */
function estimateAllowed(
  info: VideoInfo,
  format: MediaFormat,
  tier: Tier,
  maxSourceFactor: number,
  choices: ConversionChoices,
  sponsored: readonly Part[],
): Estimate {
  if (format !== "mp3" && format !== "mp4")
    return estimateSound(info, format, tier, maxSourceFactor, choices, sponsored);
  const limits = TIERS[tier];
  const quality = qualityFor(tier, format);
  // An MP3 has a constant bit rate, so its size follows from its length.
  const mp3BytesOf = (durationSeconds: number | undefined): number | null =>
    durationSeconds === undefined ? null : Math.round((durationSeconds * limits.mp3BitrateKbps * 1_000) / 8);
  const wholeBytes = mp3BytesOf(secondsOf(info, wantedPart(info, choices)));
  try {
    const plan = planChoices(info, format, limits, limits.maxFileBytes * maxSourceFactor, choices, sponsored);
    if (format === "mp4") chosenSubtitles(info, choices);
    if (format === "mp4")
      return {
        quality,
        sizeBytes: plan.isEncodedAnew ? null : roundOrNull(plan.expectedBytes),
        fits: true,
        note: plan.shortfall ? describeShortfall(plan.shortfall) : null,
        shortfall: plan.shortfall,
      };
    const mp3Bytes = mp3BytesOf(plan.durationSeconds);
    const fits = mp3Bytes === null || mp3Bytes <= limits.maxFileBytes;
    if (fits) return { quality, sizeBytes: mp3Bytes, fits, note: null };
    throw new ConversionError("too_large", resultTooLarge(mp3Bytes, limits));
  } catch (error) {
    const sizeBytes = format === "mp3" ? wholeBytes : null;
    return refused(quality, sizeBytes, error);
  }
}

/** @throws what is not a failure of a conversion */
function refused(quality: Estimate["quality"], sizeBytes: number | null, error: unknown): Estimate {
  if (!(error instanceof ConversionError)) throw error;
  const { code, message, reason } = error;
  return {
    quality,
    sizeBytes: code === "unavailable" ? null : sizeBytes,
    fits: false,
    note: message,
    error: { code, message, reason },
  };
}

/** A format that the tier lacks is estimated for Pro: where it fits there, that Pro is needed is what stands against it. */
function estimateSound(
  info: VideoInfo,
  format: SoundFormat,
  tier: Tier,
  maxSourceFactor: number,
  choices: ConversionChoices,
  sponsored: readonly Part[],
): Estimate {
  const isInTier = tierConvertsTo(tier, format);
  const limits = TIERS[isInTier ? tier : "pro"];
  const quality = qualityFor(tier, format);
  try {
    const plan = planChoices(info, format, limits, limits.maxFileBytes * maxSourceFactor, choices, sponsored);
    const [whole] = plan.renditions;
    const rendition = whole && plan.part ? renditionOfPart(whole, plan.part, info.durationSeconds) : whole;
    const likelyBytes = rendition && likelySoundBytes(format, rendition, plan.durationSeconds);
    // The site has not stated enough to be sure that the file is too large.
    const sizeBytes = likelyBytes !== undefined && likelyBytes <= limits.maxFileBytes ? Math.round(likelyBytes) : null;
    if (isInTier) return { quality, sizeBytes, fits: true, note: null };
    const message = formatForProSentence(format.toUpperCase());
    const error = { code: "pro_required", message, reason: { name: "format_for_pro", format } } as const;
    return { quality, sizeBytes, fits: false, note: message, error };
  } catch (error) {
    return refused(quality, null, error);
  }
}

/** Nobody knows beforehand how much is said. */
function estimateTranscript(info: VideoInfo, tier: Tier, choices: ConversionChoices): Estimate {
  const quality = qualityFor(tier, "transcript");
  try {
    planTranscript(info, TIERS[tier], choices);
    return { quality, sizeBytes: null, fits: true, note: null };
  } catch (error) {
    return refused(quality, null, error);
  }
}

function roundOrNull(bytes: number | undefined): number | null {
  return bytes === undefined ? null : Math.round(bytes);
}

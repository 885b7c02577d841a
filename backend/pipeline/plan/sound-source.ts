/** Chooses the rendition that is fetched for the original sound, FLAC and WAV. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import { TIERS, type TierLimits } from "../../../common/tiers.ts";
import { fileTooLarge } from "../errors/wording.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { chooseForMp3 } from "./mp3-source.ts";
import { estimateBytes } from "./rendition-sizes.ts";
import { leastSoundBytes, type SoundFormat } from "./sound-bytes.ts";

/**
 * The best sound among the renditions that may be fetched, or of all when none may.
 * @throws ConversionError "unavailable" when there is no sound; "too_large" with both sizes when the file cannot fit
 */
export function chooseSound(
  format: SoundFormat,
  info: VideoInfo,
  limits: TierLimits,
  maxSourceBytes: number,
): Rendition {
  const { durationSeconds } = info;
  const small = info.renditions.filter(
    (rendition) => rendition.hasAudio && (estimateBytes(rendition, durationSeconds) ?? 0) <= maxSourceBytes,
  );
  // The MP3 with the highest bit rate is made of the best sound, too.
  const rendition = chooseForMp3(small.length > 0 ? { ...info, renditions: small } : info, TIERS.pro);
  const neededBytes = leastSoundBytes(format, rendition, durationSeconds);
  if (neededBytes > limits.maxFileBytes) throw new ConversionError("too_large", fileTooLarge(neededBytes, limits));
  return rendition;
}

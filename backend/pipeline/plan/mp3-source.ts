/** Chooses the rendition that is fetched for an MP3. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import { TIERS, type TierLimits } from "../../../common/tiers.ts";
import { NO_SOUND } from "../errors/wording.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { bestAudio, isCompressed } from "./best-audio.ts";
import { estimateBytes } from "./rendition-sizes.ts";

/** The highest bit rate of all tiers. */
const MAX_MP3_KBPS = TIERS.pro.mp3BitrateKbps;
/** Sites round bit rates and leave out the container, so a source this much below the wanted rate is good enough. */
const ENOUGH_SOUND = 0.93;
/** When only the bit rate of picture and sound together is known, this multiple of the wanted rate is enough. */
const ROOM_FOR_PICTURE = 2;

/**
 * Whether a source with a higher bit rate would not improve an MP3.
 * @param kbps bit rate of the MP3
 * @param isAlike all renditions on offer have the same sound codec and language
 */
function isSoundEnough(
  { audioBitrateKbps, bitrateKbps, hasVideo }: Rendition,
  kbps: number,
  isAlike: boolean,
): boolean {
  if (audioBitrateKbps !== undefined) return audioBitrateKbps >= kbps * ENOUGH_SOUND;
  if (!hasVideo) return bitrateKbps !== undefined && bitrateKbps >= kbps * ENOUGH_SOUND;
  return isAlike && (bitrateKbps ?? Infinity) >= kbps * ROOM_FOR_PICTURE;
}

/** The rendition with the fewest bytes; of equals the one with the lowest picture, then uncompressed loudness. */
function cheapest(renditions: readonly Rendition[], durationSeconds: number | undefined): Rendition | undefined {
  const costOf = (rendition: Rendition): number => estimateBytes(rendition, durationSeconds) ?? Infinity;
  // Infinity minus Infinity is not a number.
  const difference = (a: number, b: number): number => (a === b ? 0 : a - b);
  return renditions.toSorted(
    (a, b) =>
      difference(costOf(a), costOf(b)) ||
      difference(a.heightLines ?? Infinity, b.heightLines ?? Infinity) ||
      Number(isCompressed(a)) - Number(isCompressed(b)),
  )[0];
}

/**
 * The rendition with the higher stated bit rate of sound. When none is stated, the taller picture likely has the better
 * sound. When both are equal, the lower picture takes fewer bytes.
 */
function betterSound(best: Rendition, other: Rendition): Rendition {
  const gain = (other.audioBitrateKbps ?? 0) - (best.audioBitrateKbps ?? 0);
  if (gain !== 0) return gain > 0 ? other : best;
  const isLower = (other.heightLines ?? 0) < (best.heightLines ?? 0);
  return isLower === (other.audioBitrateKbps !== undefined) ? other : best;
}

/**
 * Takes the best sound for the top bit rate, and the cheapest source that is good enough for the others. Prefers
 * renditions without a picture.
 * @throws ConversionError "unavailable" when there is no sound
 */
export function chooseForMp3({ renditions, durationSeconds }: VideoInfo, { mp3BitrateKbps }: TierLimits): Rendition {
  const audible = renditions.filter(({ hasAudio }) => hasAudio);
  const isCheapestWanted = mp3BitrateKbps < MAX_MP3_KBPS;
  const soundOnly = audible.filter(({ hasVideo }) => !hasVideo);
  const best = bestAudio(soundOnly);
  if (best) {
    const sameLanguage = soundOnly.filter(({ languagePreference }) => languagePreference === best.languagePreference);
    const enough = isCheapestWanted ? sameLanguage.filter((sound) => isSoundEnough(sound, mp3BitrateKbps, false)) : [];
    return cheapest(enough, durationSeconds) ?? best;
  }
  const [first, ...others] = audible;
  if (!first) throw new ConversionError("unavailable", NO_SOUND);
  const isAlike = others.every(
    ({ audioCodec, languagePreference }) =>
      audioCodec === first.audioCodec && languagePreference === first.languagePreference,
  );
  const enough = isCheapestWanted
    ? audible.filter((rendition) => isSoundEnough(rendition, mp3BitrateKbps, isAlike))
    : [];
  return cheapest(enough, durationSeconds) ?? others.reduce(betterSound, first);
}

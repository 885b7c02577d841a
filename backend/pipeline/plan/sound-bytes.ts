/** Sizes of sound files before they are made. Pure. */
import type { MediaFormat } from "../../../common/tiers.ts";
import type { Rendition } from "../probe/info.ts";
import { estimateBytes } from "./rendition-sizes.ts";

export type SoundFormat = Exclude<MediaFormat, "mp3" | "mp4">;

export interface PcmShape {
  readonly sampleRateHz: number;
  readonly channelCount: number;
  readonly sampleBits: 16 | 24;
}

/** Most sound that sites have. */
const USUAL: PcmShape = { sampleRateHz: 44_100, channelCount: 2, sampleBits: 16 };
/** FLAC of music takes about this share of its WAV; noise takes all of it, silence nearly nothing. */
const USUAL_FLAC_SHARE = 0.6;

/** @returns size of the samples; tags and header take less than a kilobyte */
export function wavBytes(durationSeconds: number, { sampleRateHz, channelCount, sampleBits }: PcmShape): number {
  return Math.ceil(durationSeconds * sampleRateHz) * channelCount * (sampleBits / 8);
}

/**
 * @returns the size that the file has at least, where the site states enough; what it does not state of the samples
 *   counts as the smallest that is usual: mono
 */
export function leastSoundBytes(
  format: SoundFormat,
  rendition: Rendition,
  durationSeconds: number | undefined,
): number {
  if (format === "original") return rendition.hasVideo ? 0 : (estimateBytes(rendition, durationSeconds) ?? 0);
  if (format === "flac" || durationSeconds === undefined) return 0;
  const { sampleRateHz = USUAL.sampleRateHz, channelCount = 1 } = rendition;
  return wavBytes(durationSeconds, { ...USUAL, sampleRateHz, channelCount });
}

/** @returns the size that the file probably has; undefined when the site states too little */
export function likelySoundBytes(
  format: SoundFormat,
  rendition: Rendition,
  durationSeconds: number | undefined,
): number | undefined {
  if (format === "original") return originalBytes(rendition, durationSeconds);
  if (durationSeconds === undefined) return undefined;
  const { sampleRateHz = USUAL.sampleRateHz, channelCount = USUAL.channelCount } = rendition;
  const bytes = wavBytes(durationSeconds, { ...USUAL, sampleRateHz, channelCount });
  return format === "wav" ? bytes : bytes * USUAL_FLAC_SHARE;
}

/** Of a rendition with a picture only the sound is kept, whose bit rate few sites state. */
function originalBytes(rendition: Rendition, durationSeconds: number | undefined): number | undefined {
  if (!rendition.hasVideo) return estimateBytes(rendition, durationSeconds);
  const { audioBitrateKbps } = rendition;
  if (audioBitrateKbps === undefined || durationSeconds === undefined) return undefined;
  return (durationSeconds * audioBitrateKbps * 1_000) / 8;
}

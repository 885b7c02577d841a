/** Plans how songs become one file, from what a probe found in them. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { SAMPLE_RATES_HZ, type SampleRateHz } from "../aac/sample-rates.ts";
import { fileTooLarge } from "../errors/wording.ts";
import { checkDuration } from "../plan/plan-bounds.ts";
import type { MediaFile } from "../probe/media-file.ts";

/** What a tape is made of songs of: an M4A of original sounds, which may be of several kinds. */
export type TapeFormat = "mp3" | "original";

export interface TapePlan {
  readonly format: TapeFormat;
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  readonly bitrateKbps: number;
}

/** Of an M4A: more than sites have, so that hardly anything is lost again. */
const AAC_KBPS = 256;

/**
 * Checks what is known before anything is read.
 * @param durationSeconds of all songs together
 * @throws ConversionError "too_long", "too_large"
 */
export function checkTape(format: TapeFormat, durationSeconds: number, limits: TierLimits): void {
  checkDuration(durationSeconds, limits);
  const neededBytes = tapeBytes(format, durationSeconds, limits);
  if (neededBytes > limits.maxFileBytes) throw new ConversionError("too_large", fileTooLarge(neededBytes, limits));
}

/** @returns the size of the sound of a tape */
export function tapeBytes(format: TapeFormat, durationSeconds: number, limits: TierLimits): number {
  return Math.ceil((durationSeconds * bitrateOf(format, limits) * 1_000) / 8);
}

function bitrateOf(format: TapeFormat, { mp3BitrateKbps }: TierLimits): number {
  return format === "mp3" ? mp3BitrateKbps : AAC_KBPS;
}

/** The highest rate of the songs, if the format has it, and stereo unless all of them are mono: no song loses anything. */
export function planTape(format: TapeFormat, songs: readonly MediaFile[], limits: TierLimits): TapePlan {
  const streams = songs.flatMap(({ audio }) => audio ?? []);
  const rates = new Set(streams.map(({ sampleRateHz }) => sampleRateHz));
  const highest = Math.max(...SAMPLE_RATES_HZ.filter((rate) => rates.has(rate)));
  return {
    format,
    sampleRateHz: SAMPLE_RATES_HZ.find((rate) => rate === highest) ?? SAMPLE_RATES_HZ[0],
    channelCount: streams.every(({ channelCount }) => channelCount === 1) ? 1 : 2,
    bitrateKbps: bitrateOf(format, limits),
  };
}

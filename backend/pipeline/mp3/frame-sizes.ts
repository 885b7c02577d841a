/** Sizes of an MP3 of a constant bit rate, as LAME chooses them, so that they are known before it is encoded. Pure. */
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";

/** Samples that LAME puts before the sound, not counting the delay that every decoder adds. */
export const ENCODER_DELAY_SAMPLES = 576;

/** @returns number of frames that LAME makes; it adds at least as many samples at the end as at the beginning */
export function encodedFrames(sampleCount: number): number {
  return Math.ceil((sampleCount + 2 * ENCODER_DELAY_SAMPLES) / SAMPLES_PER_FRAME);
}

/**
 * Where the bit rate gives no whole number of bytes for a frame, as at 44.1 kHz, some frames have one byte more. LAME
 * adds it to each frame but the first before which all frames together would be too small by a part of a byte.
 */
export class FrameSizes {
  readonly #unpaddedBytes: number;
  /** What an unpadded frame lacks, in bytes. */
  readonly #missing: { readonly numerator: number; readonly denominator: number };

  constructor(bitrateKbps: number, sampleRateHz: number) {
    const bytes = 144_000 * bitrateKbps;
    this.#unpaddedBytes = Math.floor(bytes / sampleRateHz);
    this.#missing = { numerator: bytes % sampleRateHz, denominator: sampleRateHz };
  }

  /** @returns bytes of the first frames of an encoder */
  bytesOf(frameCount: number): number {
    const { numerator, denominator } = this.#missing;
    const paddedCount = Math.ceil((Math.max(0, frameCount - 1) * numerator) / denominator);
    return frameCount * this.#unpaddedBytes + paddedCount;
  }
}

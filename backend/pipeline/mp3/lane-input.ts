/** The forms in which sound is given to encoder lanes: decoded samples, AAC frames in ADTS, or packets of Opus. */
import { AacSplitter, FRAMES_PER_GROUP, SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { FRAMES_PER_GROUP as FRAMES_PER_OPUS_GROUP, type OpusGroup } from "../opus/opus-group.ts";
import { GRID_FRAMES } from "./joined-frames.ts";

/** Consecutive sound in the form that a lane reads. */
export interface SoundChunk {
  readonly bytes: Buffer;
  /** Samples of one channel. Not always a whole number for decoded sound, because a chunk may end within a sample. */
  readonly sampleCount: number;
}

export interface LaneInput {
  /** Samples that the source's own encoder put before the sound. */
  readonly primingSamples: number;
  /** With their warm-up, pieces begin at multiples of so many MP3 frames. */
  readonly stepFrames: number;
  /** @returns samples at the beginning of a lane's input that its encoder leaves out */
  skippedSamples(lane: number): number;
  /**
   * Cuts out the part of a chunk between two of its samples, as exactly as this form can be cut.
   * @param from first sample, counted from the beginning of the chunk
   * @param to exclusive; may lie beyond the chunk
   */
  slice(chunk: SoundChunk, from: number, to?: number): SoundChunk;
}

const SAMPLE_BYTES = 4;

/** Interleaved 32-bit float samples; can be cut anywhere. */
export class DecodedInput implements LaneInput {
  readonly primingSamples = 0;
  readonly stepFrames = GRID_FRAMES;
  readonly #bytesPerSample: number;

  constructor(channelCount: number) {
    this.#bytesPerSample = channelCount * SAMPLE_BYTES;
  }

  skippedSamples(): number {
    return 0;
  }

  /** Splits the decoder's output into chunks of known length. */
  async *splitIntoChunks(source: AsyncIterable<Buffer>): AsyncGenerator<SoundChunk> {
    for await (const bytes of source) yield this.#chunkOf(bytes);
  }

  slice({ bytes }: SoundChunk, from: number, to = Infinity): SoundChunk {
    const end = Math.min(bytes.length, to * this.#bytesPerSample);
    return this.#chunkOf(bytes.subarray(from * this.#bytesPerSample, end));
  }

  #chunkOf(bytes: Buffer): SoundChunk {
    return { bytes, sampleCount: bytes.length / this.#bytesPerSample };
  }
}

/** Groups of AAC frames. They end where pieces may begin, so they are never cut further. */
export class AacInput implements LaneInput {
  readonly primingSamples: number;
  readonly stepFrames = GRID_FRAMES;

  /** @param primingSamples a multiple of {@link SAMPLES_PER_AAC_FRAME} */
  constructor(primingSamples: number) {
    this.primingSamples = primingSamples;
  }

  /** The first lane gets the beginning of the source. */
  skippedSamples(lane: number): number {
    return lane === 0 ? this.primingSamples : 0;
  }

  /**
   * Splits ADTS into chunks of known length.
   * @throws NotPlainAac when the source turns out to be something else
   */
  async *splitIntoChunks(source: AsyncIterable<Buffer>): AsyncGenerator<SoundChunk> {
    const splitter = new AacSplitter(FRAMES_PER_GROUP + this.primingSamples / SAMPLES_PER_AAC_FRAME);
    for await (const input of source)
      for (const { bytes, frameCount } of splitter.push(input))
        yield { bytes, sampleCount: frameCount * SAMPLES_PER_AAC_FRAME };
  }

  slice(chunk: SoundChunk): SoundChunk {
    return chunk;
  }
}

/**
 * Groups of Opus packets, which are never cut further. Each decoder leaves out as many samples at its beginning as the
 * source has before its sound, so each piece begins so much before its first MP3 frame, and ends as much before the
 * beginning of a frame: whatever follows it in a lane is in step.
 */
export class OpusInput implements LaneInput {
  readonly primingSamples: number;
  readonly stepFrames = FRAMES_PER_OPUS_GROUP;

  constructor(primingSamples: number) {
    this.primingSamples = primingSamples;
  }

  skippedSamples(): number {
    return this.primingSamples;
  }

  slice(group: OpusGroup): SoundChunk {
    return group;
  }
}

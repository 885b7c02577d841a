/** The two forms in which sound is given to encoder lanes: decoded samples, or AAC frames in ADTS. */
import { AacSplitter, FRAMES_PER_RUN, SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";

/** Consecutive sound in the form that a lane reads. */
export interface SoundChunk {
  readonly bytes: Buffer;
  /** Samples of one channel. Not always a whole number for decoded sound, because a chunk may end within a sample. */
  readonly sampleCount: number;
}

export interface LaneInput {
  /** Samples that the source's own encoder put before the sound. */
  readonly primingSamples: number;
  /** Splits the source's bytes into chunks of known length. */
  splitIntoChunks(source: AsyncIterable<Buffer>): AsyncGenerator<SoundChunk>;
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
  readonly #bytesPerSample: number;

  constructor(channelCount: number) {
    this.#bytesPerSample = channelCount * SAMPLE_BYTES;
  }

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

/** Runs of AAC frames. They end where pieces may begin, so they are never cut further. */
export class AacInput implements LaneInput {
  readonly primingSamples: number;

  /** @param primingSamples a multiple of {@link SAMPLES_PER_AAC_FRAME} */
  constructor(primingSamples: number) {
    this.primingSamples = primingSamples;
  }

  /** @throws NotPlainAac when the source turns out to be something else */
  async *splitIntoChunks(source: AsyncIterable<Buffer>): AsyncGenerator<SoundChunk> {
    const splitter = new AacSplitter(FRAMES_PER_RUN + this.primingSamples / SAMPLES_PER_AAC_FRAME);
    for await (const input of source)
      for (const { bytes, frameCount } of splitter.push(input))
        yield { bytes, sampleCount: frameCount * SAMPLES_PER_AAC_FRAME };
  }

  slice(chunk: SoundChunk): SoundChunk {
    return chunk;
  }
}

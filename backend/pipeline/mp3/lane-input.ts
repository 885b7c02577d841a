/** The two forms in which sound is given to encoder lanes: decoded samples, or AAC frames in ADTS. */
import { AacSplitter, FRAMES_PER_RUN, SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";

/** A stretch of sound. */
export interface Stretch {
  readonly bytes: Buffer;
  /** Of one channel. Of decoded sound not always whole: a chunk may end within a sample. */
  readonly sampleCount: number;
}

export interface LaneInput {
  /** How many samples the source's own encoder put before the sound. */
  readonly primingSamples: number;
  /** Splits the source's bytes into stretches of known length. */
  stretchesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Stretch>;
  /**
   * The part of a stretch between two of its samples, as far as this form can be cut.
   * @param from first sample, counted from the beginning of the stretch
   * @param to behind the last sample; may lie beyond the stretch
   */
  slice(stretch: Stretch, from: number, to?: number): Stretch;
}

const SAMPLE_BYTES = 4;

/** Interleaved 32-bit float samples; can be cut anywhere. */
export class DecodedInput implements LaneInput {
  readonly primingSamples = 0;
  readonly #bytesPerSample: number;

  constructor(channelCount: number) {
    this.#bytesPerSample = channelCount * SAMPLE_BYTES;
  }

  async *stretchesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Stretch> {
    for await (const bytes of source) yield this.#stretch(bytes);
  }

  slice({ bytes }: Stretch, from: number, to = Infinity): Stretch {
    const end = Math.min(bytes.length, to * this.#bytesPerSample);
    return this.#stretch(bytes.subarray(from * this.#bytesPerSample, end));
  }

  #stretch(bytes: Buffer): Stretch {
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
  async *stretchesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Stretch> {
    const splitter = new AacSplitter(FRAMES_PER_RUN + this.primingSamples / SAMPLES_PER_AAC_FRAME);
    for await (const chunk of source)
      for (const { bytes, frameCount } of splitter.push(chunk))
        yield { bytes, sampleCount: frameCount * SAMPLES_PER_AAC_FRAME };
  }

  slice(stretch: Stretch): Stretch {
    return stretch;
  }
}

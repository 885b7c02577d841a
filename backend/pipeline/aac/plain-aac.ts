/** Describes AAC sound that can be taken out of its container without a tool. */
import type { SampleRateHz } from "./sample-rates.ts";
import type { SourceBytes } from "./source-bytes.ts";

export interface PlainAac {
  /** As ffmpeg names it. */
  readonly container: string;
  /** Index among all streams of the container. */
  readonly streamIndex: number;
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  /** Samples at the beginning that the encoder added (encoder delay); a multiple of a frame. */
  readonly primingSamples: number;
  /** Samples without priming; absent when no index states them. */
  readonly sampleCount?: number;
  /** All frames, with those of the priming; absent when no index states their number. */
  readonly frameCount?: number;
  /**
   * Reads all frames as ADTS.
   * @throws NotPlainAac when the stream changes after its beginning
   */
  read(bytes: SourceBytes): AsyncGenerator<Buffer>;
}

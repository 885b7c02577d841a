/** Describes Opus sound that lanes get undecoded. */
import type { SourceBytes } from "../aac/source-bytes.ts";
import type { OpusGroup } from "./opus-group.ts";

/** The stream is not what its beginning shows, so its packets cannot be distributed to several lanes. */
export class NotPlainOpus extends Error {}

/** Opus is always decoded at this rate (RFC 6716, 2). */
export const OPUS_RATE_HZ = 48_000;
export const SAMPLES_PER_PACKET = 960;

export interface PlainOpus {
  /** As ffmpeg names it. */
  readonly container: string;
  readonly streamIndex: number;
  readonly channelCount: 1 | 2;
  /** Samples at the beginning that every decoder of the stream leaves out, wherever it begins to decode. */
  readonly skippedSamples: number;
  /** By the container. */
  readonly durationSeconds: number | undefined;
  /** What a decoder has to read before packets. */
  readonly description: Buffer;
  /**
   * Reads all packets.
   * @throws NotPlainOpus
   */
  read(bytes: SourceBytes): AsyncGenerator<OpusGroup>;
}

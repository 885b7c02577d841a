/** Finds AAC sound that can be taken out of its container without a tool. */
import type { SourceBytes } from "./source-bytes.ts";
import { findMp4Aac } from "./mp4-aac.ts";
import type { SampleRateHz } from "./sample-rates.ts";
import { findTsAac } from "./ts-aac.ts";

export interface PlainAac {
  /** By ffmpeg's name. */
  readonly container: string;
  /** Index among all streams of the container. */
  readonly streamIndex: number;
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  /** How many samples its encoder put before the sound; a multiple of a frame. */
  readonly primingSamples: number;
  /** Length of the sound without priming, where an index states it. */
  readonly sampleCount?: number;
  /**
   * Reads all of it from the beginning, as ADTS.
   * @throws NotPlainAac where the stream changes after its beginning
   */
  read(bytes: SourceBytes): AsyncGenerator<Buffer>;
}

/** @returns undefined for any other sound, and for unusual files; ffmpeg reads those */
export async function findPlainAac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  return (await findMp4Aac(bytes)) ?? (await findTsAac(bytes));
}

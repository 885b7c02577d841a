/** Sound that is AAC already and lies in its container so plainly that it can be taken out without a tool. */
import type { SourceBytes } from "./source-bytes.ts";
import { findMp4Aac } from "./mp4-aac.ts";
import type { SampleRateHz } from "./mp3-frame.ts";
import { findTsAac } from "./ts-aac.ts";

export interface PlainAac {
  /** As ffmpeg names it. */
  readonly container: string;
  /** Among all streams of the container. */
  readonly streamIndex: number;
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  /** What its encoder put before the sound; a multiple of a frame. */
  readonly primingSamples: number;
  /** Of the sound alone, where an index says so. */
  readonly sampleCount?: number;
  /** All of it from the beginning, in ADTS. Throws NotPlainAac where it is not what its beginning was. */
  read(bytes: SourceBytes): AsyncGenerator<Buffer>;
}

/** Undefined when it is anything else, or anything that is out of the ordinary: for that there are tools. */
export async function findPlainAac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  return (await findMp4Aac(bytes)) ?? (await findTsAac(bytes));
}

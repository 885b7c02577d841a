/** MP4s that are still being fetched, and the work of making another one meanwhile. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TIERS } from "../../../common/tiers.ts";
import type { StreamedMp4Work } from "../../pipeline/encode/stream-mp4.ts";
import { GrowingFile } from "../../pipeline/fetch/growing-file.ts";
import type { GrowingRendition } from "../../pipeline/fetch/rendition-download.ts";
import { shiftedForSpace } from "../../pipeline/fetch/spare-space.ts";
import { boxesIn } from "../../pipeline/mp4/boxes.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { testRendition } from "./test-rendition.ts";
import { ffmpegIn, words } from "./ffmpeg.ts";
import { openTestPipeline, type TestPipeline } from "./test-pipeline.ts";

export const CLIP_SECONDS = 4;

export const PICTURE_INPUT = words(`-f lavfi -i testsrc2=size=320x240:rate=25:duration=${CLIP_SECONDS}`);
export const SOUND_INPUT = words(`-f lavfi -i sine=frequency=440:sample_rate=44100:duration=${CLIP_SECONDS}`);

type Growing = GrowingRendition & { readonly written: Promise<void> };

/** Has "whole.mp4" with its index in front, and its streams in fragments as "picture.mp4" and "sound.mp4". */
export class GrowingMp4s {
  readonly #own: TestPipeline;

  private constructor(own: TestPipeline) {
    this.#own = own;
  }

  static async open(): Promise<GrowingMp4s> {
    const clips = new GrowingMp4s(await openTestPipeline());
    // With B-frames: frames are stored in another order than shown, as on most sites.
    const h264 = words("-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -b:v 3M -minrate 3M -bufsize 3M");
    const constantRate = words("-x264-params nal-hrd=cbr");
    const mp4 = words("-c:a aac -movflags +faststart -map_metadata -1 whole.mp4");
    await clips.ffmpeg(...PICTURE_INPUT, ...SOUND_INPUT, ...h264, ...constantRate, ...mp4);
    const fragmented = words("-c copy -movflags +frag_keyframe+empty_moov+default_base_moof");
    const pictureOnly = ["-map", "0:v", ...fragmented, "picture.mp4"];
    const soundOnly = ["-map", "0:a", ...fragmented, "-frag_duration", "1000000", "sound.mp4"];
    await clips.ffmpeg("-i", "whole.mp4", ...pictureOnly, ...soundOnly);
    return clips;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own[Symbol.asyncDispose]();
  }

  get pipeline(): Pipeline {
    return this.#own.pipeline;
  }

  get folder(): string {
    return this.#own.folder;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  ffmpeg(...args: readonly string[]): Promise<{ readonly stdout: string }> {
    return ffmpegIn(this.folder, ...args);
  }

  /** @returns a rendition of which `share` arrives at first, and the rest when `rest` resolves */
  async growing(name: string, share: number, rest: Promise<void>): Promise<Growing> {
    const bytes = await readFile(this.at(name));
    const file = await GrowingFile.create(this.at(`growing-${name}`));
    file.expectedBytes = bytes.length;
    const first = Math.floor(bytes.length * share);
    const write = async (): Promise<void> => {
      await file.write(bytes.subarray(0, first), 0);
      if (first < bytes.length) {
        await rest;
        await file.write(bytes.subarray(first), first);
      }
      await file.complete();
    };
    return { file, rendition: testRendition(), durationSeconds: CLIP_SECONDS, written: write() };
  }

  /** @returns work for the free tier whose listeners do nothing */
  workFor(renditions: readonly GrowingRendition[], outputName: string, siteSeconds?: number): StreamedMp4Work {
    return {
      pipeline: this.pipeline,
      signal: new AbortController().signal,
      growing: renditions,
      siteSeconds,
      limits: TIERS.free,
      tags: { title: "" },
      coverPath: Promise.resolve(undefined),
      outputPath: this.at(outputName),
      onPlanned: () => undefined,
      onStart: () => undefined,
      onFraction: () => undefined,
    };
  }

  /** Waits until the renditions have arrived, and closes their files. */
  async close(renditions: readonly Growing[]): Promise<void> {
    for (const { file, written } of renditions) {
      await written;
      await file[Symbol.asyncDispose]();
    }
  }
}

/** @returns the MP4, which has its index in front, with free space behind the index */
export function withSpareSpace(bytes: Buffer, space: Buffer): Buffer {
  const index = [...boxesIn(bytes)].find(({ type }) => type === "moov");
  const shifted = shiftedForSpace(bytes, space.length, bytes.length);
  if (!index || !shifted) throw new TypeError("no index in front");
  return Buffer.concat([shifted.subarray(0, index.end), space, shifted.subarray(index.end)]);
}

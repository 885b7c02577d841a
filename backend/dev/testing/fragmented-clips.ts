/** Picture and sound in fragmented MP4s, for tests of what puts them together. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mergeFragmented } from "../../pipeline/encode/merge-fragmented.ts";
import { GrowingFile } from "../../pipeline/fetch/growing-file.ts";
import { boxesIn, type Box } from "../../pipeline/mp4/boxes.ts";
import { ffmpegIn } from "./ffmpeg.ts";
import { openTestPipeline, type TestPipeline } from "./test-pipeline.ts";
import { TEST_TAGS } from "./test-tags.ts";

export const FRAGMENTED_SECONDS = 4;
export const RESERVED_BYTES = 40_000;
export const FRAGMENTS = "+frag_keyframe+empty_moov+default_base_moof";

type Output = readonly [name: string, stream: string, flags: string];

interface Merged {
  readonly isMade: boolean;
  readonly path: string;
}

/** Has "whole.mp4", and its streams in fragments as "picture.mp4" and "sound.mp4". */
export class FragmentedClips {
  readonly #own: TestPipeline;

  private constructor(own: TestPipeline) {
    this.#own = own;
  }

  static async open(): Promise<FragmentedClips> {
    const clips = new FragmentedClips(await openTestPipeline());
    const picture = `-f lavfi -i testsrc2=size=160x120:rate=25:duration=${FRAGMENTED_SECONDS}`;
    const sound = `-f lavfi -i sine=frequency=440:sample_rate=44100:duration=${FRAGMENTED_SECONDS}`;
    // With B-frames: frames are stored in another order than shown.
    const codecs = "-c:v libx264 -preset veryfast -bf 2 -g 25 -pix_fmt yuv420p -c:a aac whole.mp4";
    await clips.ffmpeg(picture, sound, codecs);
    await clips.split(["picture.mp4", "0:v", FRAGMENTS], ["sound.mp4", "0:a", `${FRAGMENTS} -frag_duration 700000`]);
    return clips;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own[Symbol.asyncDispose]();
  }

  get folder(): string {
    return this.#own.folder;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  async ffmpeg(...lines: readonly string[]): Promise<void> {
    await ffmpegIn(this.folder, ...lines.flatMap((line) => line.split(" ")));
  }

  /** Writes streams of the whole video into files of their own. */
  async split(...outputs: readonly Output[]): Promise<void> {
    const copies = outputs.map(([name, stream, flags]) => `-map ${stream} -c copy -movflags ${flags} ${name}`);
    await this.ffmpeg("-i whole.mp4", ...copies);
  }

  async merge(output: string, names: readonly string[], reservedBytes = RESERVED_BYTES): Promise<Merged> {
    await using files = new AsyncDisposableStack();
    const growing = [];
    for (const name of names) {
      const file = files.use(await GrowingFile.create(this.at(`growing-${name}`)));
      await file.write(await readFile(this.at(name)), 0);
      await file.complete();
      growing.push({ path: file.path, growth: file });
    }
    const work = {
      files: growing,
      tags: TEST_TAGS,
      cover: undefined,
      outputPath: this.at(output),
      reservedBytes,
      maxFileBytes: 50_000_000,
      onBytes: () => undefined,
    };
    return { isMade: await mergeFragmented(work, new AbortController().signal), path: this.at(output) };
  }

  /** Changes a file: `change` gets its bytes and its outermost boxes. @returns the name */
  async altered(name: string, from: string, change: (bytes: Buffer, boxes: readonly Box[]) => Buffer): Promise<string> {
    const bytes = await readFile(this.at(from));
    await writeFile(this.at(name), change(bytes, [...boxesIn(bytes)]));
    return name;
  }
}

/** @returns offset of the n-th field of a name in the file, from 0 on */
export function placeOf(bytes: Buffer, type: string, count: number): number {
  let found = -1;
  for (let index = 0; index <= count; index += 1) found = bytes.indexOf(type, found + 1);
  if (found < 0) throw new TypeError(`there is no ${type}`);
  return found + 4;
}

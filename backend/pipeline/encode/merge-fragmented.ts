/**
 * Puts the fragmented picture and sound of a video into one MP4 while they are fetched. No tool is started, and the
 * media is only copied. The index comes into bytes that are reserved in front of the media.
 *
 * ffmpeg does the same through pipes. For ten minutes of 1080p it took 0.9 s of CPU time, and this process, which filled
 * the pipes, about as much.
 */
import type { FileHandle } from "node:fs/promises";
import { createFile, readFile, removeFile } from "../../tool-files/tool-files.ts";
import { SourceBytes, type Growth } from "../aac/source-bytes.ts";
import { writeAt } from "../mp3/write-at.ts";
import { BOX_HEADER_BYTES, MAX_INDEX_BYTES, type Box } from "../mp4/boxes.ts";
import { CopiedTrack } from "../mp4/copied-track.ts";
import { readFragment, readFragmentedTrack, type Fragment, type FragmentedTrack } from "../mp4/fragments.ts";
import { withTags } from "../mp4/movie-tags.ts";
import { allBoxes, readContent } from "../mp4/outer-boxes.ts";
import { box } from "../mp4/write-box.ts";
import { FILE_TYPE, u32, writeIndex } from "../mp4/write-index.ts";
import type { Cover } from "./cover.ts";
import { BackgroundFlush } from "./background-flush.ts";
import type { FileTags } from "./encode.ts";
import { CHUNK_SECONDS } from "./index-size.ts";
import { MAX_COVER_BYTES } from "./picture.ts";

const COPY_BYTES = 1_048_576;
/** Fragments of a minute have less. */
const MAX_FRAGMENT_INDEX_BYTES = 1_048_576;
/** Boxes of a source. Three hours in fragments of one second have a quarter of this number. */
const MAX_BOXES = 200_000;
/** Before its first fragment a file has three boxes: type, free space and the index of the track. */
const BOXES_BEFORE_FRAGMENTS = 8;
const MOVIE_UNITS_PER_SECOND = 1_000;
/** Of a frame's size in the index. */
const SIZE_FIELD_BYTES = 4;
/** Above, an MP4 needs longer fields. */
const MAX_FILE_BYTES = 0xffff_ffff;

/** A file, and how it grows while it is still fetched. */
export interface MergeSource {
  readonly path: string;
  readonly growth?: Growth;
}

/** A source that has to be read by ffmpeg. */
class UnusualSource extends Error {
  override readonly name = "UnusualSource";
}

/** A fragment whose frames are being copied. */
interface Copying {
  readonly fragment: Fragment;
  /** The first frame that is not copied yet, and where it is in the source. */
  frame: number;
  position: number;
  /** When it is decoded, in units of the track. */
  time: number;
}

interface ReadBounds {
  /** For which the index has space. */
  readonly maxFrames: number;
  /** For bytes on their way; all readers may share one. */
  readonly buffer: Buffer;
}

/** Reads the frames of one source in their order. */
class SourceReader {
  readonly #file: SourceBytes;
  readonly track: CopiedTrack;
  readonly #maxFrames: number;
  readonly #buffer: Buffer;
  /** Those after the index of the track. */
  readonly #boxes: AsyncGenerator<Box, undefined>;
  #copying: Copying | undefined;

  private constructor(
    file: SourceBytes,
    source: FragmentedTrack,
    boxes: AsyncGenerator<Box, undefined>,
    { maxFrames, buffer }: ReadBounds,
  ) {
    this.#file = file;
    this.track = new CopiedTrack(source);
    this.#boxes = boxes;
    this.#maxFrames = maxFrames;
    this.#buffer = buffer;
  }

  /** @throws UnusualSource unless the file begins with the index of one fragmented track */
  static async open(file: SourceBytes, bounds: ReadBounds): Promise<SourceReader> {
    const boxes = allBoxes(file.read, 0, MAX_BOXES);
    for (let count = 0; count < BOXES_BEFORE_FRAGMENTS; count += 1) {
      const { value: next } = await boxes.next();
      if (!next || next.type === "moof" || next.type === "mdat") break;
      if (next.type !== "moov") continue;
      const movie = await readContent(file.read, next, MAX_INDEX_BYTES);
      const source = readFragmentedTrack(movie);
      if (source) return new SourceReader(file, source, boxes, bounds);
    }
    throw new UnusualSource("no index of one fragmented track");
  }

  /** @returns when the next frame is decoded, in seconds; Infinity at the end */
  async nextSeconds(): Promise<number> {
    if (!this.#copying) await this.#startFragment();
    return this.#copying ? this.#copying.time / this.track.source.unitsPerSecond : Infinity;
  }

  /**
   * Copies the frames that are decoded before a time.
   * @returns their bytes
   */
  async copyUntil(seconds: number, output: FileHandle, outputPosition: number): Promise<number> {
    let copiedBytes = 0;
    const countBefore = this.track.frameCount;
    while ((await this.nextSeconds()) < seconds && this.#copying) {
      const from = this.#copying.position;
      this.#takeFrames(this.#copying, seconds);
      // Frames without bytes and time of their own would never reach the time, and fill the memory.
      if (this.track.frameCount > this.#maxFrames) throw new UnusualSource("too many frames");
      await this.#copy(from, this.#copying.position, output, outputPosition + copiedBytes);
      copiedBytes += this.#copying.position - from;
      if (this.#copying.frame === this.#copying.fragment.sizes.length) this.#copying = undefined;
    }
    const frameCount = this.track.frameCount - countBefore;
    if (frameCount > 0) this.track.addChunk({ position: outputPosition, frameCount });
    return copiedBytes;
  }

  #takeFrames(copying: Copying, untilSeconds: number): void {
    const { fragment } = copying;
    const until = untilSeconds * this.track.source.unitsPerSecond;
    while (copying.frame < fragment.sizes.length && copying.time < until) {
      this.track.addFrame(fragment, copying.frame);
      copying.time += fragment.durations[copying.frame] ?? 0;
      copying.position += fragment.sizes[copying.frame] ?? 0;
      copying.frame += 1;
    }
  }

  async #copy(from: number, to: number, output: FileHandle, outputPosition: number): Promise<void> {
    for (let position = from; position < to;) {
      const wanted = this.#buffer.subarray(0, Math.min(this.#buffer.length, to - position));
      const bytes = await this.#file.fill(wanted, position, wanted.length);
      if (bytes.length < wanted.length) throw new UnusualSource("cut off within a fragment");
      await writeAt(output, bytes, outputPosition + position - from);
      position += bytes.length;
    }
  }

  /** Reads up to the media of the next fragment. */
  async #startFragment(): Promise<void> {
    for (;;) {
      const { value: found } = await this.#boxes.next();
      if (!found) return;
      if (found.type === "moov" || found.type === "mdat") throw new UnusualSource(`"${found.type}" without a fragment`);
      if (found.type !== "moof") continue;
      const fragment = readFragment(
        await readContent(this.#file.read, found, MAX_FRAGMENT_INDEX_BYTES),
        this.track.source,
      );
      const { value: media } = await this.#boxes.next();
      const mediaStart = found.start + (fragment?.mediaOffset ?? 0);
      const mediaEnd = mediaStart + (fragment?.sizes.reduce((sum, size) => sum + size, 0) ?? 0);
      const isPlain = media?.type === "mdat" && mediaStart >= media.contentStart && mediaEnd <= media.end;
      if (!fragment || !isPlain || !this.track.startFragment(fragment)) throw new UnusualSource("an unusual fragment");
      this.#copying = { fragment, frame: 0, position: mediaStart, time: fragment.decodedAt };
      return;
    }
  }
}

export interface Merge {
  /** One with a picture and at most one with sound. */
  readonly files: readonly MergeSource[];
  readonly tags: FileTags;
  readonly cover: Cover | undefined;
  readonly outputPath: string;
  /** For the index with tags and cover. */
  readonly reservedBytes: number;
  readonly maxFileBytes: number;
  /** Called with the bytes of media that are written. */
  readonly onBytes: (count: number) => void;
}

/**
 * Writes `outputPath`.
 * @returns false when ffmpeg has to make the file; nothing is left then
 * @throws the error of a source's writer; `signal.reason` when aborted
 */
export async function mergeFragmented(work: Merge, signal: AbortSignal): Promise<boolean> {
  try {
    await using opened = new AsyncDisposableStack();
    const sources = [];
    for (const { path, growth } of work.files) sources.push(opened.use(await SourceBytes.open(path, signal, growth)));
    await using flush = new BackgroundFlush(work.outputPath);
    await using output = await createFile(work.outputPath);
    await merge(work, sources, output, () => flush.start());
    await flush.finish();
    return true;
  } catch (error) {
    await removeFile(work.outputPath);
    // Reading a box beyond its end throws a RangeError, and so does a number that does not fit into its field.
    if (error instanceof UnusualSource || error instanceof RangeError) return false;
    throw error;
  }
}

async function merge(
  work: Merge,
  sources: readonly SourceBytes[],
  output: FileHandle,
  onWritten: () => void,
): Promise<void> {
  const { reservedBytes, maxFileBytes, onBytes } = work;
  // The index has at least the size of each frame.
  const maxFrames = Math.floor(reservedBytes / SIZE_FIELD_BYTES);
  const bounds = { maxFrames, buffer: Buffer.allocUnsafeSlow(COPY_BYTES) };
  const readers = await Promise.all(sources.map((source) => SourceReader.open(source, bounds)));
  const kinds = readers.map(({ track }) => track.source.kind);
  if (kinds.filter((kind) => kind === "picture").length !== 1 || kinds.length > 2)
    throw new UnusualSource(`streams: ${kinds.join(" ")}`);
  const mediaStart = FILE_TYPE.length + reservedBytes + BOX_HEADER_BYTES;
  let position = mediaStart;
  for (let until = 0; ; onWritten()) {
    const times = [];
    for (const reader of readers) times.push(await reader.nextSeconds());
    const next = Math.min(...times);
    if (next === Infinity) break;
    until = Math.max(until, next) + CHUNK_SECONDS;
    for (const reader of readers) position += await reader.copyUntil(until, output, position);
    const frameCount = readers.reduce((sum, { track }) => sum + track.frameCount, 0);
    if (position > Math.min(maxFileBytes, MAX_FILE_BYTES) || frameCount > maxFrames)
      throw new UnusualSource("too large");
    onBytes(position - mediaStart);
  }
  await writeFront(work, readers, output, position - mediaStart);
}

/** Writes what comes before the media. @throws UnusualSource when the index does not fit into its place */
async function writeFront(
  { tags, cover, reservedBytes }: Merge,
  readers: readonly SourceReader[],
  output: FileHandle,
  mediaBytes: number,
): Promise<void> {
  if (readers.some(({ track }) => track.frameCount === 0)) throw new UnusualSource("a stream without frames");
  const tracks = readers.map(({ track }) => track);
  const ordered = tracks.toSorted((a, b) => Number(a.source.kind === "sound") - Number(b.source.kind === "sound"));
  const index = writeIndex(
    ordered.map((track, position) => track.finish(position + 1)),
    MOVIE_UNITS_PER_SECOND,
  );
  const { link, ...others } = tags;
  const tagged = withTags(index, {
    ...others,
    comment: link,
    cover: cover && (await readFile(cover.path, MAX_COVER_BYTES)),
  });
  const spare = reservedBytes - tagged.length;
  if (spare < BOX_HEADER_BYTES) throw new UnusualSource("the index is larger than its place");
  const free = box("free", Buffer.alloc(spare - BOX_HEADER_BYTES));
  const mediaHeader = Buffer.concat([u32(mediaBytes + BOX_HEADER_BYTES), Buffer.from("mdat")]);
  await writeAt(output, Buffer.concat([FILE_TYPE, tagged, free, mediaHeader]), 0);
}

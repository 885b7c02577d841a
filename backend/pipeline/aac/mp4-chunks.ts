/** Finds the AAC frames of an MP4 by its sample table or by its fragments (ISO/IEC 14496-12, 8.7 and 8.8). */
import { MAX_INDEX_BYTES } from "../mp4/boxes.ts";
import { readTrackFragments } from "../mp4/fragment-tables.ts";
import { allBoxes, readContent } from "../mp4/outer-boxes.ts";
import { FramePlaces } from "../mp4/sample-tables.ts";
import { NotPlainAac } from "./aac-frames.ts";
import type { SourceBytes } from "./source-bytes.ts";

/** Frames that follow each other in the file without a gap. */
export interface AacChunk {
  /** Offset in the file of the first frame. */
  readonly position: number;
  readonly frameCount: number;
  /**
   * @param frame counted from the beginning of the chunk
   * @returns bytes of the frame. Read only when needed, because a table of a few bytes can state billions of frames.
   */
  readonly sizeOf: (frame: number) => number;
}

/** Most frames of a sound: six hours at 48 kHz. */
export const MAX_FRAMES = 1_000_000;
/** Most boxes after the index, because each takes a read. Three hours in fragments of 200 ms have 162,000. */
const MAX_BOXES = 200_000;
/** Most boxes in a row that are neither the index nor the media of a fragment. */
const MAX_OTHER_BOXES = 64;

/**
 * Yields the chunks of a file that is not fragmented.
 * @param sampleTable content of "stbl"
 * @throws NotPlainAac when its tables do not fit together, RangeError when one is missing or cut off
 */
export function* indexedChunks(sampleTable: Buffer): Generator<AacChunk> {
  const places = new FramePlaces(sampleTable);
  const { frameCount } = places;
  while (places.endFrame < frameCount && places.nextChunk()) {
    const { position, firstFrame } = places;
    const count = Math.min(frameCount, places.endFrame) - firstFrame;
    yield {
      position,
      frameCount: count,
      sizeOf: (frame) => places.bytesOf(firstFrame + frame, firstFrame + frame + 1),
    };
  }
  if (places.endFrame < frameCount) throw new NotPlainAac(`the chunks have ${places.endFrame} of ${frameCount} frames`);
}

/** A frame without a size of its own is then refused as one of 0 bytes. */
const NO_DEFAULTS = { duration: 0, sizeBytes: 0, flags: 0 };

/** @param start offset in the file at which the fragment begins */
function* chunksOfFragment(fragment: Buffer, start: number, wantedId: number): Generator<AacChunk> {
  for (const { trackId, hasBase, isFromFragment, runs } of readTrackFragments(fragment, NO_DEFAULTS)) {
    if (trackId !== wantedId) continue;
    if (hasBase || !isFromFragment)
      throw new NotPlainAac("the positions of a fragment do not count from its beginning");
    for (const { frameCount, mediaOffset, sizeOf } of runs) {
      if (mediaOffset === undefined) throw new NotPlainAac("a track run has no position");
      if (frameCount > MAX_FRAMES) throw new NotPlainAac("a track run has too many frames");
      yield { position: start + mediaOffset, frameCount, sizeOf };
    }
  }
}

/**
 * Yields the chunks of all fragments, while the file may still be fetched.
 * @param from offset in the file after the index
 * @throws NotPlainAac for an unusual fragment, RangeError when a table is cut off
 */
export async function* fragmentedChunks(bytes: SourceBytes, from: number, trackId: number): AsyncGenerator<AacChunk> {
  let otherBoxes = 0;
  for await (const box of allBoxes(bytes.read, from, MAX_BOXES)) {
    if (box.type === "moof") {
      const fragment = await readContent(bytes.read, box, MAX_INDEX_BYTES);
      yield* chunksOfFragment(fragment, box.start, trackId);
    }
    otherBoxes = box.type === "moof" || box.type === "mdat" ? 0 : otherBoxes + 1;
    if (otherBoxes > MAX_OTHER_BOXES) throw new NotPlainAac("too many boxes follow the index");
  }
}

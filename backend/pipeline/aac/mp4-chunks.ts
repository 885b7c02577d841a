/** Finds the AAC frames of an MP4 by its sample table or by its fragments (ISO/IEC 14496-12, 8.7 and 8.8). */
import { BOX_HEADER_BYTES, findBox, MAX_INDEX_BYTES, tableLength, wholeBoxesIn } from "../mp4/boxes.ts";
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
/** Most parts of a fragment. */
const MAX_PARTS = 64;
/** Most boxes after the index, because each takes a read. Three hours in fragments of 200 ms have 162,000. */
const MAX_BOXES = 200_000;
/** Most boxes in a row that are neither the index nor the media of a fragment. */
const MAX_OTHER_BOXES = 64;

/** @returns number of frames that have a size in "stsz", but not more than fit into it */
export function countSizes(sizeTable: Buffer): number {
  return sizeTable.readUInt32BE(4) > 0 ? sizeTable.readUInt32BE(8) : tableLength(sizeTable, 8, 4);
}

/**
 * Yields the chunks of a file that is not fragmented.
 * @param sampleTable content of "stbl"
 * @throws NotPlainAac when its tables do not fit together, RangeError when one is cut off
 */
export function* indexedChunks(sampleTable: Buffer): Generator<AacChunk> {
  const chunkTable = findBox(sampleTable, "stsc");
  const sizeTable = findBox(sampleTable, "stsz");
  const shortOffsets = findBox(sampleTable, "stco");
  const longOffsets = shortOffsets ? undefined : findBox(sampleTable, "co64");
  const offsets = shortOffsets ?? longOffsets;
  if (!chunkTable || !sizeTable || !offsets || sizeTable.length < 12)
    throw new NotPlainAac("the index lacks one of its tables");
  const positionOf = (chunk: number): number =>
    longOffsets ? Number(longOffsets.readBigUInt64BE(8 + chunk * 8)) : offsets.readUInt32BE(8 + chunk * 4);
  const commonSize = sizeTable.readUInt32BE(4);
  const frameCount = countSizes(sizeTable);
  const chunkCount = tableLength(offsets, 4, longOffsets ? 8 : 4);
  // "stsc" has an entry for each chunk from which on the number of frames per chunk changes.
  const changeCount = tableLength(chunkTable, 4, 12);
  let frame = 0;
  let change = 0;
  let framesPerChunk = 0;
  for (let chunk = 0; chunk < chunkCount && frame < frameCount; chunk += 1) {
    if (change < changeCount && chunkTable.readUInt32BE(8 + change * 12) === chunk + 1) {
      framesPerChunk = chunkTable.readUInt32BE(12 + change * 12);
      change += 1;
    }
    if (framesPerChunk === 0) throw new NotPlainAac("a chunk has no frames");
    const first = frame;
    frame = Math.min(frameCount, first + framesPerChunk);
    yield {
      position: positionOf(chunk),
      frameCount: frame - first,
      sizeOf: (index) => (commonSize > 0 ? commonSize : sizeTable.readUInt32BE(12 + (first + index) * 4)),
    };
  }
  if (frame < frameCount) throw new NotPlainAac(`the chunks have ${frame} of ${frameCount} frames`);
}

/** Flags of "tfhd" (8.8.7): which optional fields it has, and from where positions count. */
const TRACK_FLAGS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, baseIsFragment: 0x2_0000 } as const;
/** Flags of "trun" (8.8.8): which optional fields it has. */
const RUN_FLAGS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, time: 0x800 } as const;

/** @param start offset in the file at which the fragment begins */
function* chunksOfFragment(fragment: Buffer, start: number, trackId: number): Generator<AacChunk> {
  let parts = 0;
  for (const { type, body } of wholeBoxesIn(fragment)) {
    parts += 1;
    if (parts > MAX_PARTS) throw new NotPlainAac("a fragment has too many parts");
    const header = type === "traf" ? findBox(body, "tfhd") : undefined;
    if (!header || header.readUInt32BE(4) !== trackId) continue;
    const flags = header.readUIntBE(1, 3);
    if ((flags & TRACK_FLAGS.base) !== 0 || (flags & TRACK_FLAGS.baseIsFragment) === 0)
      throw new NotPlainAac("the positions of a fragment do not count from its beginning");
    const sizeOffset =
      8 + ((flags & TRACK_FLAGS.description) === 0 ? 0 : 4) + ((flags & TRACK_FLAGS.duration) === 0 ? 0 : 4);
    const commonSize = (flags & TRACK_FLAGS.size) === 0 ? undefined : header.readUInt32BE(sizeOffset);
    for (const table of wholeBoxesIn(body))
      if (table.type === "trun") yield readTrackRun(table.body, start, commonSize);
  }
}

/**
 * @param run content of "trun"
 * @param commonSize size of frames that have none of their own
 */
function readTrackRun(run: Buffer, fragmentStart: number, commonSize: number | undefined): AacChunk {
  const flags = run.readUIntBE(1, 3);
  const width = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
  if (width(RUN_FLAGS.offset) === 0) throw new NotPlainAac("a track run has no position");
  const entryBytes = width(RUN_FLAGS.duration) + width(RUN_FLAGS.size) + width(RUN_FLAGS.flags) + width(RUN_FLAGS.time);
  const entriesOffset = 8 + width(RUN_FLAGS.offset) + width(RUN_FLAGS.firstFlags);
  const frameCount = run.readUInt32BE(4);
  if (frameCount > MAX_FRAMES || entriesOffset + frameCount * entryBytes > run.length)
    throw new NotPlainAac("a track run is cut off");
  const position = fragmentStart + run.readInt32BE(8);
  if (width(RUN_FLAGS.size) > 0) {
    const sizesOffset = entriesOffset + width(RUN_FLAGS.duration);
    return { position, frameCount, sizeOf: (frame) => run.readUInt32BE(sizesOffset + frame * entryBytes) };
  }
  if (commonSize === undefined) throw new NotPlainAac("a track run has no frame sizes");
  return { position, frameCount, sizeOf: () => commonSize };
}

/**
 * Yields the chunks of all fragments, while the file may still be fetched.
 * @param from offset in the file after the index
 * @throws NotPlainAac for an unusual fragment, RangeError when a table is cut off
 */
export async function* fragmentedChunks(bytes: SourceBytes, from: number, trackId: number): AsyncGenerator<AacChunk> {
  let position = from;
  let otherBoxes = 0;
  for (let boxes = 0; boxes < MAX_BOXES; boxes += 1) {
    const header = await bytes.take(position, BOX_HEADER_BYTES);
    if (!header) return;
    const size = header.readUInt32BE(0);
    const type = header.toString("latin1", 4);
    if (size < BOX_HEADER_BYTES || (type === "moof" && size > MAX_INDEX_BYTES))
      throw new NotPlainAac("the size of a fragment is not valid");
    if (type === "moof") {
      const fragment = await bytes.take(position + BOX_HEADER_BYTES, size - BOX_HEADER_BYTES);
      if (!fragment) throw new NotPlainAac("a fragment is cut off");
      yield* chunksOfFragment(fragment, position, trackId);
    }
    otherBoxes = type === "moof" || type === "mdat" ? 0 : otherBoxes + 1;
    if (otherBoxes > MAX_OTHER_BOXES) break;
    position += size;
  }
  throw new NotPlainAac("too many boxes follow the index");
}

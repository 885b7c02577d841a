/** Reads position, number and duration of a track's frames from an index (ISO/IEC 14496-12, 8.6 and 8.7). Pure. */
import { findBox, tableLength } from "./boxes.ts";

export interface TrackFrames {
  readonly frameCount: number;
  /** Duration of all frames, in the time scale of the track. */
  readonly units: number;
  /** Offset in the file of the first byte of media. */
  readonly from: number;
  /** Offset after the last byte of media. */
  readonly to: number;
}

/** @returns number of entries of a table; undefined when it is empty or shorter than it states */
function entriesOf(table: Buffer, countOffset: number, entryBytes: number): number | undefined {
  const count = tableLength(table, countOffset, entryBytes);
  return count > 0 && count === table.readUInt32BE(countOffset) ? count : undefined;
}

/** Sums up "stts": each entry has a number of frames and the duration of one of them. */
function readDurations(durations: Buffer): { frameCount: number; units: number } | undefined {
  const entries = entriesOf(durations, 4, 8);
  if (entries === undefined) return undefined;
  let frameCount = 0;
  let units = 0;
  for (let entry = 0; entry < entries; entry += 1) {
    const count = durations.readUInt32BE(8 + entry * 8);
    frameCount += count;
    units += count * durations.readUInt32BE(12 + entry * 8);
  }
  return { frameCount, units };
}

/** @returns bytes of `count` consecutive frames */
type SizeOf = (firstFrame: number, count: number) => number;

/** Reads "stsz", which has one size for all frames or one for each. */
function readSizes(sizes: Buffer): { frameCount: number; sizeOf: SizeOf } | undefined {
  const commonSize = sizes.readUInt32BE(4);
  const frameCount = sizes.readUInt32BE(8);
  if (commonSize > 0) return { frameCount, sizeOf: (_, count) => commonSize * count };
  if (entriesOf(sizes, 8, 4) === undefined) return undefined;
  const sizeOf: SizeOf = (firstFrame, count) => {
    let sum = 0;
    for (let at = 12 + firstFrame * 4, end = at + count * 4; at < end; at += 4) sum += sizes.readUInt32BE(at);
    return sum;
  };
  return { frameCount, sizeOf };
}

/**
 * Walks through the chunks of a track. "stco" has the position of each chunk. "stsc" has an entry for each chunk from
 * which on the number of frames per chunk changes.
 * @returns undefined when the tables do not fit together
 */
function readChunks(
  positions: Buffer,
  chunkSizes: Buffer,
  frameCount: number,
  sizeOf: SizeOf,
): Pick<TrackFrames, "from" | "to"> | undefined {
  const chunkCount = entriesOf(positions, 4, 4);
  const changeCount = entriesOf(chunkSizes, 4, 12);
  if (chunkCount === undefined || changeCount === undefined) return undefined;
  let frame = 0;
  let change = 0;
  let framesPerChunk = 0;
  let from = Infinity;
  let to = 0;
  for (let chunk = 0; chunk < chunkCount; chunk += 1) {
    if (change < changeCount && chunkSizes.readUInt32BE(8 + change * 12) === chunk + 1) {
      framesPerChunk = chunkSizes.readUInt32BE(12 + change * 12);
      change += 1;
    }
    if (framesPerChunk === 0 || frame + framesPerChunk > frameCount) return undefined;
    const position = positions.readUInt32BE(8 + chunk * 4);
    from = Math.min(from, position);
    to = Math.max(to, position + sizeOf(frame, framesPerChunk));
    frame += framesPerChunk;
  }
  // Entries of "stsc" that are not in order, or for chunks that do not exist, were not reached.
  return frame === frameCount && change === changeCount ? { from, to } : undefined;
}

/**
 * Reads the sample table of a track. The time it takes depends on the size of the table, not on the counts it states.
 * @param table content of "stbl"
 * @returns undefined when its parts state different numbers of frames, or have a form that is unusual below 4 GB
 * @throws RangeError when a part is cut off
 */
export function readTrackFrames(table: Buffer): TrackFrames | undefined {
  const durations = findBox(table, "stts");
  const sizes = findBox(table, "stsz");
  const chunkSizes = findBox(table, "stsc");
  const positions = findBox(table, "stco");
  const timed = durations && readDurations(durations);
  const sized = sizes && readSizes(sizes);
  if (!timed || !sized || timed.frameCount !== sized.frameCount || !chunkSizes || !positions) return undefined;
  const media = readChunks(positions, chunkSizes, timed.frameCount, sized.sizeOf);
  return media && { ...timed, ...media };
}

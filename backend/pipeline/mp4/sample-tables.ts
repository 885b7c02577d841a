/**
 * Where an MP4's index says a track's frames lie, how many there are and how long they last (ISO/IEC 14496-12, 8.6 and
 * 8.7).
 */
import { findBox, tableLength } from "./boxes.ts";

export interface TrackFrames {
  readonly frameCount: number;
  /** In the track's own units. */
  readonly units: number;
  /** The first byte of the media, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

/** Of a table that is there with all the entries it says it has. */
function entriesOf(table: Buffer, countOffset: number, entryBytes: number): number | undefined {
  const count = tableLength(table, countOffset, entryBytes);
  return count > 0 && count === table.readUInt32BE(countOffset) ? count : undefined;
}

/** How many frames have a duration, and all of these. */
function readDurations(durations: Buffer): { frameCount: number; units: number } | undefined {
  const entries = entriesOf(durations, 4, 8);
  if (entries === undefined) return undefined;
  let [frameCount, units] = [0, 0];
  for (let entry = 0; entry < entries; entry += 1) {
    const count = durations.readUInt32BE(8 + entry * 8);
    frameCount += count;
    units += count * durations.readUInt32BE(12 + entry * 8);
  }
  return { frameCount, units };
}

/** Bytes of some frames one behind the other: of a size for each, or of one for all. */
type SizeOf = (first: number, count: number) => number;

function readSizes(sizes: Buffer): { frameCount: number; sizeOf: SizeOf } | undefined {
  const [oneSize, frameCount] = [sizes.readUInt32BE(4), sizes.readUInt32BE(8)];
  if (oneSize > 0) return { frameCount, sizeOf: (_, count) => oneSize * count };
  if (entriesOf(sizes, 8, 4) === undefined) return undefined;
  const sizeOf: SizeOf = (first, count) => {
    let sum = 0;
    for (let at = 12 + first * 4, end = at + count * 4; at < end; at += 4) sum += sizes.readUInt32BE(at);
    return sum;
  };
  return { frameCount, sizeOf };
}

/**
 * From a table of a track ("stbl"). Undefined where its parts do not tell of as many frames as each other, or it is
 * written in another way than most of less than 4 GB; throws RangeError where it is cut off. Takes no longer than the
 * table is, whatever it claims.
 */
export function readTrackFrames(table: Buffer): TrackFrames | undefined {
  const [durations, sizes, rules, positions] = ["stts", "stsz", "stsc", "stco"].map((type) => findBox(table, type));
  const timed = durations && readDurations(durations);
  const sized = sizes && readSizes(sizes);
  if (!timed || !sized || timed.frameCount !== sized.frameCount || !rules || !positions) return undefined;
  const [stretches, ruleCount] = [entriesOf(positions, 4, 4), entriesOf(rules, 4, 12)];
  if (stretches === undefined || ruleCount === undefined) return undefined;
  let [frame, rule, perStretch, from, to] = [0, 0, 0, Infinity, 0];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    if (rule < ruleCount && rules.readUInt32BE(8 + rule * 12) === stretch + 1) {
      perStretch = rules.readUInt32BE(12 + rule * 12);
      rule += 1;
    }
    if (perStretch === 0 || frame + perStretch > timed.frameCount) return undefined;
    const position = positions.readUInt32BE(8 + stretch * 4);
    from = Math.min(from, position);
    to = Math.max(to, position + sized.sizeOf(frame, perStretch));
    frame += perStretch;
  }
  // Rules that are not in order, or for stretches that are not there, were never come to.
  return frame === timed.frameCount && rule === ruleCount ? { ...timed, from, to } : undefined;
}

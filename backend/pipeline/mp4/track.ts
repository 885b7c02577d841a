/** Reads what the index of an MP4 says about a track (ISO/IEC 14496-12, 8.2 to 8.6). Pure. */
import { findBox } from "./boxes.ts";

/** Version 1 of a header has times of eight bytes. */
const isLong = (box: Buffer): boolean => box.readUInt8(0) === 1;

/** @returns type of a track, such as "vide" and "soun" */
export function handlerOf(track: Buffer): string | undefined {
  return findBox(track, "mdia", "hdlr")?.toString("latin1", 8, 12);
}

/** @returns content of "stbl", the sample tables of a track */
export function sampleTablesOf(track: Buffer): Buffer | undefined {
  return findBox(track, "mdia", "minf", "stbl");
}

export interface MediaTimes {
  readonly unitsPerSecond: number;
  /** Duration; 0 when only fragments state it. */
  readonly units: number;
}

/**
 * Reads the header of a movie ("mvhd") or of a track's media ("mdhd").
 * @throws RangeError when it is cut off
 */
export function readTimes(header: Buffer): MediaTimes {
  return isLong(header)
    ? { unitsPerSecond: header.readUInt32BE(20), units: Number(header.readBigUInt64BE(24)) }
    : { unitsPerSecond: header.readUInt32BE(12), units: header.readUInt32BE(16) };
}

/**
 * @returns as {@link readTimes}; undefined when a number is 0
 * @throws RangeError when the header is cut off
 */
export function readDuration(header: Buffer): MediaTimes | undefined {
  const times = readTimes(header);
  return times.units > 0 && times.unitsPerSecond > 0 ? times : undefined;
}

/** @param header content of "mdhd" @returns as it is packed there. @throws RangeError when it is cut off */
export function readLanguage(header: Buffer): number {
  return header.readUInt16BE(isLong(header) ? 32 : 20);
}

/** @param header content of "tkhd" @throws RangeError when it is cut off */
export function readTrackId(header: Buffer): number {
  return header.readUInt32BE(isLong(header) ? 20 : 12);
}

/** @param header content of "tkhd" @returns what comes after the times: layer, volume, matrix, width and height */
export function readShape(header: Buffer): Buffer {
  const start = isLong(header) ? 36 : 24;
  return header.subarray(start, start + 60);
}

/** An entry of an edit list. */
export interface Edit {
  /** In the time scale of the movie. */
  readonly duration: number;
  /** Time of the media at which playing begins, in the time scale of the track; negative: nothing is played. */
  readonly mediaStart: number;
  readonly isUsualSpeed: boolean;
}

/** A delay, and what is played then. Other lists are for players that cut. */
const MAX_EDITS = 2;
const USUAL_SPEED = 0x1_0000;

/**
 * Reads the edit list of a track.
 * @returns no entry for a track without a list; undefined for a list with more than two, or of an unknown version
 * @throws RangeError when it is cut off
 */
export function readEdits(track: Buffer): readonly Edit[] | undefined {
  const list = findBox(track, "edts", "elst");
  if (!list) return [];
  const count = list.readUInt32BE(4);
  if (count > MAX_EDITS || list.readUInt8(0) > 1) return undefined;
  const fieldBytes = isLong(list) ? 8 : 4;
  return Array.from({ length: count }, (_, entry) => {
    const at = 8 + entry * (2 * fieldBytes + 4);
    const duration = isLong(list) ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const start = at + fieldBytes;
    const mediaStart = isLong(list) ? Number(list.readBigInt64BE(start)) : list.readInt32BE(start);
    return { duration, mediaStart, isUsualSpeed: list.readUInt32BE(start + fieldBytes) === USUAL_SPEED };
  });
}

/** Writes the index ("moov") of an MP4 that is not fragmented (ISO/IEC 14496-12, 8.2 to 8.7). Pure. */
import { BOX_HEADER_BYTES, wholeBoxesIn, type WholeBox } from "./boxes.ts";
import { LIST_BYTES } from "./track-codec.ts";
import { box } from "./write-box.ts";

/**
 * Takes a list, because a call with more than 125,000 arguments fails: the tables of a long video have more entries.
 * @returns the values as 32 bits each, the greatest byte first
 * @throws RangeError for one that does not fit
 */
function u32List(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** @returns the values as 32 bits each, the greatest byte first. @throws RangeError for one that does not fit */
export function u32(...values: readonly number[]): Buffer {
  return u32List(values);
}

/** @returns a box with version and flags 0, a count, and entries */
function table(type: string, count: number, values: readonly number[]): Buffer {
  return box(type, u32(0, count), u32List(values));
}

/**
 * @param descriptions content of a "stsd" with one entry
 * @param entryBytes length of that entry without the boxes at its end
 * @param rewrite what comes in place of such a box
 * @returns the box "stsd"
 * @throws RangeError when the entry is cut off
 */
export function rewriteDescription(
  descriptions: Buffer,
  entryBytes: number,
  rewrite: (part: WholeBox) => readonly Buffer[],
): Buffer {
  const entry = descriptions.subarray(LIST_BYTES, LIST_BYTES + descriptions.readUInt32BE(LIST_BYTES));
  const parts = [...wholeBoxesIn(entry.subarray(entryBytes))].flatMap(rewrite);
  const head = entry.subarray(BOX_HEADER_BYTES, entryBytes);
  return box("stsd", u32(0, 1), box(entry.toString("latin1", 4, BOX_HEADER_BYTES), head, ...parts));
}

/** How often a value follows itself. */
export type Run = [count: number, value: number];

/** Adds a value to runs of equal values. */
export function addToRuns(runs: Run[], value: number): void {
  const last = runs.at(-1);
  if (last?.[1] === value) last[0] += 1;
  else runs.push([1, value]);
}

/** Times are in units of the track. */
export interface SampleTables {
  /** The box "stsd". */
  readonly description: Buffer;
  /** From the decoding of a frame to that of the next one. */
  readonly durations: readonly Run[];
  /** From the decoding of a frame to when it is shown; undefined: each is shown when it is decoded. */
  readonly delays: readonly Run[] | undefined;
  readonly sizes: readonly number[];
  /** Numbers of the key frames, counted from 1; undefined: all are. */
  readonly keys: readonly number[] | undefined;
  /** Frames that are stored one after the other: where in the file, and how many. */
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly position: number;
  readonly frameCount: number;
}

/** @returns for each chunk with another number of frames than the one before: its number, the frames, the description */
function chunkSizes(chunks: readonly Chunk[]): number[] {
  return chunks.flatMap(({ frameCount }, index) =>
    frameCount === chunks[index - 1]?.frameCount ? [] : [index + 1, frameCount, 1],
  );
}

function sampleTable({ description, durations, delays, sizes, keys, chunks }: SampleTables): Buffer {
  const changed = chunkSizes(chunks);
  return box(
    "stbl",
    description,
    table("stts", durations.length, durations.flat()),
    ...(delays ? [table("ctts", delays.length, delays.flat())] : []),
    ...(keys ? [table("stss", keys.length, keys)] : []),
    table("stsc", changed.length / 3, changed),
    // No size that all have in common.
    box("stsz", u32(0, 0, sizes.length), u32List(sizes)),
    table(
      "stco",
      chunks.length,
      chunks.map(({ position }) => position),
    ),
  );
}

export interface WrittenTrack extends SampleTables {
  readonly trackId: number;
  readonly unitsPerSecond: number;
  /** Three letters, packed as in "mdhd" (8.4.2.3). */
  readonly language: number;
  /** Content of "tkhd" after the times: layer, volume, matrix, width and height. */
  readonly shape: Buffer;
  /** Box "hdlr", and "vmhd" or "smhd". */
  readonly handler: Buffer;
  readonly mediaHeader: Buffer;
  /** Of all frames. */
  readonly duration: number;
  /** Time of the media at which playing begins. */
  readonly firstShown: number;
  /** How long it is played from then on. */
  readonly played: number;
}

/** "und" */
export const UNKNOWN_LANGUAGE = 0x55c4;
const MAX_U32 = 0xffff_ffff;

/** "mdhd", whose long form is for durations above 32 bits: 7 minutes in units of 100 ns. */
function mediaTimes({ unitsPerSecond, duration, language }: WrittenTrack): Buffer {
  if (duration <= MAX_U32) return box("mdhd", u32(0, 0, 0, unitsPerSecond, duration, language * 0x1_0000));
  const long = Buffer.alloc(36);
  long.writeUInt8(1);
  long.writeUInt32BE(unitsPerSecond, 20);
  long.writeBigUInt64BE(BigInt(duration), 24);
  return box("mdhd", long, u32(language * 0x1_0000));
}

function toMovieUnits({ played, unitsPerSecond }: WrittenTrack, movieUnits: number): number {
  return Math.round((played * movieUnits) / unitsPerSecond);
}

function trackBox(track: WrittenTrack, movieUnits: number): Buffer {
  const { trackId, shape, handler, mediaHeader, firstShown } = track;
  const played = toMovieUnits(track, movieUnits);
  const dataReference = box("dinf", box("dref", u32(0, 1), box("url ", u32(1))));
  const media = box("mdia", mediaTimes(track), handler, box("minf", mediaHeader, dataReference, sampleTable(track)));
  const edits = box("edts", table("elst", 1, [played, firstShown, 0x1_0000]));
  return box("trak", box("tkhd", u32(3, 0, 0, trackId, 0, played), shape), edits, media);
}

/** Unity, as "mvhd" has it. */
const MATRIX = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

/**
 * @param movieUnits units per second of the movie's header; durations of tracks are rounded to them
 * @returns the box "moov"
 * @throws RangeError when a number does not fit into its field
 */
export function writeIndex(tracks: readonly WrittenTrack[], movieUnits: number): Buffer {
  const duration = Math.max(...tracks.map((track) => toMovieUnits(track, movieUnits)));
  const times = u32(0, 0, 0, movieUnits, duration, 0x1_0000, 0x100_0000, 0, 0);
  const nextTrackId = Math.max(...tracks.map(({ trackId }) => trackId)) + 1;
  const header = box("mvhd", times, MATRIX, u32(0, 0, 0, 0, 0, 0, nextTrackId));
  return box("moov", header, ...tracks.map((track) => trackBox(track, movieUnits)));
}

/** The box "ftyp" of such a file. */
export const FILE_TYPE = box("ftyp", Buffer.from("isom"), u32(0x200), Buffer.from("isomiso2avc1mp41"));

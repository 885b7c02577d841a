/** Writes the index of an MP4 with one picture track, whose frames come from several files. Pure. */
import { freeParameterId } from "./avc-settings.ts";
import { findBox, wholeBoxesIn } from "./boxes.ts";
import type { CopiedSpan } from "./copied-span.ts";
import { readAvcSettings, VIDEO_ENTRY_BYTES } from "./track-codec.ts";
import { handlerOf, readShape, readTimes, sampleTablesOf } from "./track.ts";
import { box } from "./write-box.ts";
import {
  addToRuns,
  FILE_TYPE,
  rewriteDescription,
  u32,
  UNKNOWN_LANGUAGE,
  writeIndex,
  type Run,
  type WrittenTrack,
} from "./write-index.ts";

/** What a picture track says about all its frames. */
export interface TrackDescription {
  readonly unitsPerSecond: number;
  /** Content of "tkhd": size and rotation. */
  readonly trackHeader: Buffer;
  /** Content of "hdlr" and "vmhd". */
  readonly handler: Buffer;
  readonly videoHeader: Buffer;
  /** Content of "stsd". */
  readonly descriptions: Buffer;
  /** Content of "avcC" in it. */
  readonly settings: Buffer;
}

/**
 * @param movie content of "moov"
 * @returns undefined for a file that has not exactly one picture track, or one of another kind than plain H.264
 * @throws RangeError when a box is cut off
 */
export function readTrackDescription(movie: Buffer): TrackDescription | undefined {
  const tracks = [...wholeBoxesIn(movie)].filter(({ type, body }) => type === "trak" && handlerOf(body) === "vide");
  const [track] = tracks;
  if (!track || tracks.length > 1) return undefined;
  const media = findBox(track.body, "mdia");
  const mediaHeader = media && findBox(media, "mdhd");
  const handler = media && findBox(media, "hdlr");
  const videoHeader = media && findBox(media, "minf", "vmhd");
  const tables = sampleTablesOf(track.body);
  const descriptions = tables && findBox(tables, "stsd");
  const trackHeader = findBox(track.body, "tkhd");
  if (!mediaHeader || !handler || !videoHeader || !descriptions || !trackHeader) return undefined;
  const settings = readAvcSettings(descriptions);
  if (!settings || freeParameterId(settings) === undefined) return undefined;
  const { unitsPerSecond } = readTimes(mediaHeader);
  return { unitsPerSecond, trackHeader, handler, videoHeader, descriptions, settings };
}

/** How a part of a picture is put together. Times are in units of the track. */
export interface PartJoin {
  readonly description: TrackDescription;
  readonly span: CopiedSpan;
  /** Of the part, as are times of frames. */
  readonly start: number;
}

/** A frame, in the order in which frames are stored. */
export interface JoinedFrame {
  /** When it is shown, in units of the track. */
  readonly time: number;
  readonly sizeBytes: number;
  readonly isKey: boolean;
}

/** Frames are decoded in the order of their times, so much earlier that each is decoded before it is shown. */
function decodeTimes(frames: readonly JoinedFrame[]): { readonly times: readonly number[]; readonly delay: number } {
  const times = frames.map(({ time }) => time).toSorted((a, b) => a - b);
  let delay = 0;
  for (const [index, { time }] of frames.entries()) delay = Math.max(delay, (times[index] ?? time) - time);
  return { times, delay };
}

interface JoinedTrack {
  readonly description: TrackDescription;
  readonly settings: Buffer;
  readonly frames: readonly JoinedFrame[];
  /** When the last frame ends. */
  readonly duration: number;
}

function runsOf(values: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const value of values) addToRuns(runs, value);
  return runs;
}

function trackOf({ description, settings, frames, duration }: JoinedTrack, mediaStart: number): WrittenTrack {
  const { times, delay } = decodeTimes(frames);
  return {
    trackId: 1,
    unitsPerSecond: description.unitsPerSecond,
    language: UNKNOWN_LANGUAGE,
    shape: readShape(description.trackHeader),
    handler: box("hdlr", description.handler),
    mediaHeader: box("vmhd", description.videoHeader),
    duration,
    firstShown: delay,
    played: duration,
    description: rewriteDescription(description.descriptions, VIDEO_ENTRY_BYTES, ({ type, body }) => [
      box(type, type === "avcC" ? settings : body),
    ]),
    durations: runsOf(times.map((time, index) => (times[index + 1] ?? duration) - time)),
    delays: runsOf(frames.map(({ time }, index) => time + delay - (times[index] ?? 0))),
    sizes: frames.map(({ sizeBytes }) => sizeBytes),
    keys: frames.flatMap(({ isKey }, index) => (isKey ? [index + 1] : [])),
    // All frames are one chunk.
    chunks: [{ position: mediaStart, frameCount: frames.length }],
  };
}

/**
 * @returns all that comes before the frames, which follow in their order
 * @throws RangeError when the description of the source is cut off, or a number does not fit into its field
 */
export function frontOfJoinedTrack(joined: JoinedTrack): Buffer {
  const mediaBytes = joined.frames.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const mediaHeader = Buffer.concat([u32(mediaBytes + 8), Buffer.from("mdat")]);
  const indexAt = (mediaStart: number): Buffer =>
    writeIndex([trackOf(joined, mediaStart)], joined.description.unitsPerSecond);
  const index = indexAt(FILE_TYPE.length + indexAt(0).length + mediaHeader.length);
  return Buffer.concat([FILE_TYPE, index, mediaHeader]);
}

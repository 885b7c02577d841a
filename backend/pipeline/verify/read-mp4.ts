/**
 * Reads an MP4 that is not fragmented, and compares what its index states with its tracks and with the bytes of the
 * file. This is faster than starting ffprobe.
 */
import { open } from "node:fs/promises";
import { findBox, MAX_INDEX_BYTES, wholeBoxesIn, type Box } from "../mp4/boxes.ts";
import { readDuration, readLayout } from "../mp4/layout.ts";
import { readTrackFrames, type TrackFrames } from "../mp4/sample-tables.ts";
import { readAudioCodec, readVideoCodec, type Mp4Audio, type Mp4Video } from "../mp4/track-codec.ts";

export interface PlainMp4 {
  readonly sizeBytes: number;
  /** As the index states it; the tracks have the same duration. */
  readonly durationSeconds: number;
  readonly video: Mp4Video & { readonly frameCount: number };
  readonly audio?: Mp4Audio;
  /** False when the file ends before the media that its index names. */
  readonly isWhole: boolean;
}

/** Boxes that may be there beside type, index and media. */
const EMPTY_BOXES: ReadonlySet<string> = new Set(["free", "skip", "wide"]);
const MAX_TRACKS = 2;
/** Entry of an edit list: duration, start in the media, speed. */
const EDIT_BYTES = 12;
/** An index rounds durations to its time scale, and some do not count the delay of the first frame. */
const DURATION_TOLERANCE_SECONDS = 0.1;

/** Handlers of tracks with chapters and with subtitles, whose length says nothing about that of the media. */
const TEXT_HANDLERS: ReadonlySet<string | undefined> = new Set(["text", "sbtl"]);

interface Track {
  readonly codec: Mp4Video | Mp4Audio;
  readonly frames: TrackFrames;
  /** Until the end of the last frame. */
  readonly seconds: number;
}

/** In the time scale of the movie. */
interface Edits {
  /** The track starts this much later than the movie. */
  readonly delayUnits: number;
  /** Duration of the part of the media that is played. */
  readonly playedUnits: number;
}

/** @returns undefined when the edit list does more than delay the track and cut its beginning and its end */
function readEdits(list: Buffer): Edits | undefined {
  const version = list.readUInt8(0);
  const count = list.readUInt32BE(4);
  if (version !== 0 || count < 1 || count > 2) return undefined;
  const durationOf = (entry: number): number => list.readUInt32BE(8 + entry * EDIT_BYTES);
  /** An entry with start -1 plays nothing. */
  const isDelay = (entry: number): boolean => list.readInt32BE(8 + entry * EDIT_BYTES + 4) < 0;
  if (isDelay(count - 1) || (count === 2 && !isDelay(0))) return undefined;
  return { delayUnits: count === 2 ? durationOf(0) : 0, playedUnits: durationOf(count - 1) };
}

function handlerOf(track: Buffer): string | undefined {
  return findBox(track, "mdia", "hdlr")?.toString("latin1", 8, 12);
}

function readTrack(track: Buffer, movieUnitsPerSecond: number): Track | undefined {
  const handler = handlerOf(track);
  const header = findBox(track, "mdia", "mdhd");
  const table = findBox(track, "mdia", "minf", "stbl");
  const descriptions = table && findBox(table, "stsd");
  const duration = header && readDuration(header);
  if (!descriptions || !duration || (handler !== "vide" && handler !== "soun")) return undefined;
  const codec = handler === "vide" ? readVideoCodec(descriptions) : readAudioCodec(descriptions);
  const frames = codec && readTrackFrames(table);
  if (!frames) return undefined;
  const mediaSeconds = frames.units / duration.unitsPerSecond;
  const list = findBox(track, "edts", "elst");
  if (!list) return { codec, frames, seconds: mediaSeconds };
  const edits = readEdits(list);
  if (!edits || edits.playedUnits / movieUnitsPerSecond > mediaSeconds + DURATION_TOLERANCE_SECONDS) return undefined;
  return { codec, frames, seconds: (edits.delayUnits + edits.playedUnits) / movieUnitsPerSecond };
}

/** @returns undefined when a track is unusual, or there are more than two */
function readTracks(movie: Buffer, movieUnitsPerSecond: number): readonly Track[] | undefined {
  const tracks: Track[] = [];
  for (const { type, body } of wholeBoxesIn(movie)) {
    if (type !== "trak" || TEXT_HANDLERS.has(handlerOf(body))) continue;
    const track = tracks.length < MAX_TRACKS ? readTrack(body, movieUnitsPerSecond) : undefined;
    if (!track) return undefined;
    tracks.push(track);
  }
  return tracks;
}

/**
 * @param movie content of "moov"
 * @throws RangeError when a table is cut off
 */
function readMovie(movie: Buffer, media: Box, sizeBytes: number): PlainMp4 | undefined {
  const header = findBox(movie, "mvhd");
  const duration = header && readDuration(header);
  // The index of a fragmented file describes only its beginning.
  if (!duration || findBox(movie, "mvex")) return undefined;
  const tracks = readTracks(movie, duration.unitsPerSecond) ?? [];
  const durationSeconds = duration.units / duration.unitsPerSecond;
  const trackSeconds = Math.max(0, ...tracks.map(({ seconds }) => seconds));
  const isSameDuration = Math.abs(durationSeconds - trackSeconds) <= DURATION_TOLERANCE_SECONDS;
  const isInMedia = tracks.every(({ frames: { from, to } }) => from >= media.contentStart && to <= media.end);
  const videos = tracks.flatMap(({ codec, frames: { frameCount } }) =>
    codec.codec === "h264" ? [{ ...codec, frameCount }] : [],
  );
  const audios = tracks.flatMap(({ codec }) => (codec.codec === "aac" ? [codec] : []));
  const video = videos[0];
  const audio = audios[0];
  if (!video || videos.length > 1 || !isSameDuration || !isInMedia) return undefined;
  return { sizeBytes, durationSeconds, video, audio, isWhole: media.end <= sizeBytes };
}

/**
 * Reads an MP4 with one H.264 track and at most one AAC track.
 * @returns undefined for any other file, and when its index and its tracks do not agree; ffprobe has to read it then
 */
export async function readMp4(path: string): Promise<PlainMp4 | undefined> {
  const boxes = await readLayout(path);
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  // The three are "ftyp", "moov" and "mdat", each once.
  const isPlain = boxes[0]?.type === "ftyp" && boxes.filter(({ type }) => !EMPTY_BOXES.has(type)).length === 3;
  if (!index || !media || !isPlain || index.end - index.contentStart > MAX_INDEX_BYTES) return undefined;
  await using file = await open(path);
  const { size } = await file.stat();
  if (index.end > size) return undefined;
  const movie = Buffer.alloc(index.end - index.contentStart);
  await file.read(movie, 0, movie.length, index.contentStart);
  try {
    return readMovie(movie, media, size);
  } catch (error) {
    // A table is shorter than it states.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

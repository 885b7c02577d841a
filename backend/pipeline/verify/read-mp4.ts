/** What an MP4 in one piece says of itself, held against the bytes that are there. */
import { open } from "node:fs/promises";
import { findBox, MAX_INDEX_BYTES, wholeBoxesIn, type Box } from "../mp4/boxes.ts";
import { readLayout, readTimes } from "../mp4/layout.ts";
import { readTrackFrames, type TrackFrames } from "../mp4/sample-tables.ts";
import { readAudioCodec, readVideoCodec, type Mp4Audio, type Mp4Video } from "../mp4/track-codec.ts";

export interface PlainMp4 {
  readonly sizeBytes: number;
  /** As the index says of all of it; its tracks bear it out. */
  readonly durationSeconds: number;
  readonly video: Mp4Video & { readonly frameCount: number };
  readonly audio?: Mp4Audio;
  /** False: it ends before what its index names. */
  readonly isWhole: boolean;
}

/** Besides the file's type, index and media. */
const EMPTY_BOXES: ReadonlySet<string> = new Set(["free", "skip", "wide"]);
const MAX_TRACKS = 2;
/** How long, from where, how fast. */
const EDIT_BYTES = 12;
/** An index rounds lengths to its clock, and some leave out what a first frame is shown late by. */
const LENGTH_TOLERANCE_SECONDS = 0.1;

interface Track {
  readonly codec: Mp4Video | Mp4Audio;
  readonly frames: TrackFrames;
  /** Until its last frame has been shown. */
  readonly seconds: number;
}

/** In the units of the film: how late a track begins, and how much of it is shown. */
interface Edits {
  readonly delayUnits: number;
  readonly shownUnits: number;
}

/** Undefined where more is cut out than a beginning and an end. */
function readEdits(edits: Buffer): Edits | undefined {
  const [version, count] = [edits.readUInt8(0), edits.readUInt32BE(4)];
  if (version !== 0 || count < 1 || count > 2) return undefined;
  /** Nothing is shown for so long. */
  const isEmpty = (entry: number): boolean => edits.readInt32BE(8 + entry * EDIT_BYTES + 4) < 0;
  const unitsOf = (entry: number): number => edits.readUInt32BE(8 + entry * EDIT_BYTES);
  if (isEmpty(count - 1) || (count === 2 && !isEmpty(0))) return undefined;
  return { delayUnits: count === 2 ? unitsOf(0) : 0, shownUnits: unitsOf(count - 1) };
}

function readTrack(track: Buffer, filmUnitsPerSecond: number): Track | undefined {
  const kind = findBox(track, "mdia", "hdlr")?.toString("latin1", 8, 12);
  const header = findBox(track, "mdia", "mdhd");
  const table = findBox(track, "mdia", "minf", "stbl");
  const descriptions = table && findBox(table, "stsd");
  const times = header && readTimes(header);
  if (!descriptions || !times || (kind !== "vide" && kind !== "soun")) return undefined;
  const codec = kind === "vide" ? readVideoCodec(descriptions) : readAudioCodec(descriptions);
  const frames = codec && readTrackFrames(table);
  if (!frames) return undefined;
  const mediaSeconds = frames.units / times.unitsPerSecond;
  const list = findBox(track, "edts", "elst");
  if (!list) return { codec, frames, seconds: mediaSeconds };
  const edits = readEdits(list);
  if (!edits || edits.shownUnits / filmUnitsPerSecond > mediaSeconds + LENGTH_TOLERANCE_SECONDS) return undefined;
  return { codec, frames, seconds: (edits.delayUnits + edits.shownUnits) / filmUnitsPerSecond };
}

/** Undefined when one of them is out of the ordinary, or there are too many. */
function readTracks(movie: Buffer, filmUnitsPerSecond: number): readonly Track[] | undefined {
  const tracks: Track[] = [];
  for (const { type, body } of wholeBoxesIn(movie)) {
    if (type !== "trak") continue;
    const track = tracks.length < MAX_TRACKS ? readTrack(body, filmUnitsPerSecond) : undefined;
    if (!track) return undefined;
    tracks.push(track);
  }
  return tracks;
}

function readMovie(movie: Buffer, media: Box, sizeBytes: number): PlainMp4 | undefined {
  const header = findBox(movie, "mvhd");
  const times = header && readTimes(header);
  // An index that goes on in fragments tells only of the beginning.
  if (!times || findBox(movie, "mvex")) return undefined;
  const tracks = readTracks(movie, times.unitsPerSecond) ?? [];
  const durationSeconds = times.units / times.unitsPerSecond;
  const isBorneOut =
    Math.abs(durationSeconds - Math.max(0, ...tracks.map(({ seconds }) => seconds))) <= LENGTH_TOLERANCE_SECONDS;
  const isElsewhere = tracks.some(({ frames: { from, to } }) => from < media.contentStart || to > media.end);
  const videos = tracks.flatMap(({ codec, frames: { frameCount } }) =>
    codec.codec === "h264" ? [{ ...codec, frameCount }] : [],
  );
  const audios = tracks.flatMap(({ codec }) => (codec.codec === "aac" ? [codec] : []));
  const [video, audio] = [videos[0], audios[0]];
  if (!video || videos.length > 1 || !isBorneOut || isElsewhere) return undefined;
  return { sizeBytes, durationSeconds, video, ...(audio ? { audio } : {}), isWhole: media.end <= sizeBytes };
}

/**
 * Undefined when it is not one picture in H.264 with one sound in AAC or none, its index and its tracks do not agree,
 * or anything in it is out of the ordinary: then it is for a tool to say what it is. Throws what reading throws.
 */
export async function readMp4(path: string): Promise<PlainMp4 | undefined> {
  const boxes = await readLayout(path);
  const [index, media] = ["moov", "mdat"].map((wanted) => boxes.find(({ type }) => type === wanted));
  // One of each, that is.
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
    // A table that ends before what it says it holds.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads an MP4 that is not fragmented, and compares what its index states with its tracks and with the bytes of the
 * file. This is faster than starting ffprobe.
 */
import { sizeOf } from "../../tool-files/tool-files.ts";
import { findBox, FREE_BOXES, unlessCutOff, wholeBoxesIn, type Box } from "../mp4/boxes.ts";
import { readIndex, readLayout } from "../mp4/layout.ts";
import { readTrackFrames, type TrackFrames } from "../mp4/sample-tables.ts";
import { handlerOf, readDuration, readEdits, sampleTablesOf, type Edit } from "../mp4/track.ts";
import { readAudioCodec, readVideoCodec, type Mp4Audio, type Mp4Video } from "../mp4/track-codec.ts";

export interface PlainMp4 {
  readonly sizeBytes: number;
  /** As the index states it; the tracks have the same duration. */
  readonly durationSeconds: number;
  readonly video: Mp4Video & { readonly frameCount: number };
  readonly audio?: Mp4Audio & { readonly endSeconds: number };
  /** False when the file ends before the media that its index names. */
  readonly isWhole: boolean;
}

const MAX_TRACKS = 2;
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

/** Whether edits do no more than delay the track and cut its beginning and its end. */
function onlyDelayAndCut(edits: readonly Edit[]): boolean {
  return edits.every(({ mediaStart }, entry) => mediaStart < 0 === entry < edits.length - 1);
}

function readTrack(track: Buffer, movieUnitsPerSecond: number): Track | undefined {
  const handler = handlerOf(track);
  const header = findBox(track, "mdia", "mdhd");
  const table = sampleTablesOf(track);
  const descriptions = table && findBox(table, "stsd");
  const duration = header && readDuration(header);
  if (!descriptions || !duration || (handler !== "vide" && handler !== "soun")) return undefined;
  const codec = handler === "vide" ? readVideoCodec(descriptions) : readAudioCodec(descriptions);
  const frames = codec && readTrackFrames(table);
  if (!frames) return undefined;
  const mediaSeconds = frames.units / duration.unitsPerSecond;
  const edits = readEdits(track);
  const played = edits?.at(-1);
  if (!edits || !onlyDelayAndCut(edits)) return undefined;
  if (!played) return { codec, frames, seconds: mediaSeconds };
  if (played.duration / movieUnitsPerSecond > mediaSeconds + DURATION_TOLERANCE_SECONDS) return undefined;
  const units = edits.reduce((sum, { duration }) => sum + duration, 0);
  return { codec, frames, seconds: units / movieUnitsPerSecond };
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
  const audios = tracks.flatMap(({ codec, seconds }) =>
    codec.codec === "aac" ? [{ ...codec, endSeconds: seconds }] : [],
  );
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
  const isPlain = boxes[0]?.type === "ftyp" && boxes.filter(({ type }) => !FREE_BOXES.has(type)).length === 3;
  if (!index || !media || !isPlain) return undefined;
  return await unlessCutOff(async () => readMovie(await readIndex(path, index), media, await sizeOf(path)));
}

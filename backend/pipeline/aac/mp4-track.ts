/** Reads the first audio track in the index of an MP4, if it is plain AAC (ISO/IEC 14496-12 and 14496-3). Pure. */
import { findBox, wholeBoxesIn } from "../mp4/boxes.ts";
import { durationRuns, FramePlaces } from "../mp4/sample-tables.ts";
import { handlerOf, readEdits, readTimes, readTrackId, sampleTablesOf } from "../mp4/track.ts";
import { readDecoderSettings } from "../mp4/track-codec.ts";
import { SAMPLES_PER_AAC_FRAME } from "./aac-frames.ts";
import { aacKind, type AacKind } from "./adts.ts";
import { MAX_FRAMES } from "./mp4-chunks.ts";

export interface Mp4AacTrack extends AacKind {
  readonly trackId: number;
  /** Index among all tracks. */
  readonly streamIndex: number;
  /** Samples at the beginning that the encoder added (encoder delay). */
  readonly primingSamples: number;
  /** Samples without priming; absent for a fragmented file. */
  readonly sampleCount?: number;
  /** Absent for a fragmented file. */
  readonly frameCount?: number;
  /** Content of "stbl". */
  readonly sampleTable: Buffer;
}

type TrackLength = Pick<Mp4AacTrack, "primingSamples" | "sampleCount">;

const MAX_TRACKS = 64;

/** @returns undefined for another profile than low complexity, frames of 960 samples, and extensions (SBR) */
function readKind(description: Buffer): AacKind | undefined {
  const settings = readDecoderSettings(description);
  if (!settings || settings.length < 2) return undefined;
  const word = settings.readUInt16BE(0);
  const isPlain = word >>> 11 === 2 && (word & 0x7) === 0;
  // The extension that may follow announces sound that a decoder of low complexity alone does not produce.
  const hasExtension =
    settings.length >= 5 && settings.readUInt16BE(2) >>> 5 === 0x2b7 && (settings.readUInt8(4) & 0x80) !== 0;
  return isPlain && !hasExtension ? aacKind((word >>> 7) & 0xf, (word >>> 3) & 0xf) : undefined;
}

/**
 * Reads the length of the sound from the edit list.
 * @param mediaSamples samples of all frames; undefined for a fragmented file
 * @returns undefined when the edit list cuts more than priming and the padding of the last frame
 */
function readLength(
  movie: Buffer,
  track: Buffer,
  sampleRateHz: number,
  mediaSamples: number | undefined,
): TrackLength | undefined {
  const edits = readEdits(track);
  const [edit] = edits ?? [];
  const header = findBox(movie, "mvhd");
  if (!edits || edits.length > 1 || edit?.isUsualSpeed === false) return undefined;
  if (!edit || !header) return { primingSamples: 0, sampleCount: mediaSamples };
  const { duration, mediaStart: primingSamples } = edit;
  if (primingSamples < 0 || primingSamples % SAMPLES_PER_AAC_FRAME !== 0) return undefined;
  if (mediaSamples === undefined) return { primingSamples };
  const samplesPerUnit = sampleRateHz / readTimes(header).unitsPerSecond;
  const availableSamples = mediaSamples - primingSamples;
  const playedSamples = duration * samplesPerUnit;
  if (playedSamples >= availableSamples - samplesPerUnit) return { primingSamples, sampleCount: availableSamples };
  // The last frame is padded. Only a time scale as fine as the sample rate states the padding exactly.
  if (playedSamples > availableSamples - SAMPLES_PER_AAC_FRAME && Number.isInteger(1 / samplesPerUnit))
    return { primingSamples, sampleCount: Math.floor(playedSamples) };
  return undefined;
}

/**
 * Counts the frames and their samples by "stts".
 * @returns undefined when a frame other than the last has not 1,024 samples, or "stsz" has another number of frames
 */
function countSamples(sampleTable: Buffer): { frames: number; samples: number } | undefined {
  const durations = findBox(sampleTable, "stts");
  const places = new FramePlaces(sampleTable);
  if (!durations) return undefined;
  let frames = 0;
  let samples = 0;
  let isShort = false;
  for (const { count, units } of durationRuns(durations)) {
    if (isShort || units > SAMPLES_PER_AAC_FRAME) return undefined;
    isShort = units < SAMPLES_PER_AAC_FRAME;
    if (isShort && count !== 1) return undefined;
    frames += count;
    samples += count * units;
  }
  return frames <= MAX_FRAMES && frames === places.frameCount ? { frames, samples } : undefined;
}

/**
 * Reads the audio track.
 * @param movie content of "moov"
 * @returns undefined when there is not exactly one, it is not plain AAC, or its index is unusual
 * @throws RangeError when a table is cut off
 */
export function readAacTrack(movie: Buffer): Mp4AacTrack | undefined {
  let found: { readonly body: Buffer; readonly streamIndex: number } | undefined;
  let streamIndex = -1;
  for (const { type, body } of wholeBoxesIn(movie)) {
    if (type !== "trak") continue;
    streamIndex += 1;
    if (streamIndex === MAX_TRACKS) return undefined;
    if (handlerOf(body) !== "soun") continue;
    // Which of several is the one to be heard is for ffprobe to say.
    if (found) return undefined;
    found = { body, streamIndex };
  }
  return found && readTrack(movie, found.body, found.streamIndex);
}

function readTrack(movie: Buffer, track: Buffer, streamIndex: number): Mp4AacTrack | undefined {
  const header = findBox(track, "tkhd");
  const mediaHeader = findBox(track, "mdia", "mdhd");
  const sampleTable = sampleTablesOf(track);
  const description = sampleTable && findBox(sampleTable, "stsd");
  const kind = description && readKind(description);
  if (!header || !mediaHeader || !sampleTable || !kind) return undefined;
  if (readTimes(mediaHeader).unitsPerSecond !== kind.sampleRateHz) return undefined;
  const isFragmented = findBox(movie, "mvex") !== undefined;
  const media = isFragmented ? undefined : countSamples(sampleTable);
  if (!isFragmented && media === undefined) return undefined;
  const length = readLength(movie, track, kind.sampleRateHz, media?.samples);
  const trackId = readTrackId(header);
  return length && { ...kind, ...length, frameCount: media?.frames, streamIndex, sampleTable, trackId };
}

/** Reads the first audio track in the index of an MP4, if it is plain AAC (ISO/IEC 14496-12 and 14496-3). Pure. */
import { findBox, tableLength, wholeBoxesIn } from "../mp4/boxes.ts";
import { readDecoderSettings } from "../mp4/track-codec.ts";
import { SAMPLES_PER_AAC_FRAME } from "./aac-frames.ts";
import { aacKind, type AacKind } from "./adts.ts";
import { countSizes, MAX_FRAMES } from "./mp4-chunks.ts";

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

/**
 * Reads a field after version and flags that has 8 bytes in version 1 of a box, else 4.
 * @param position number of such fields before it
 */
function readVersionedField(box: Buffer, position: number): number {
  const isLong = box.readUInt8(0) === 1;
  const offset = 4 + position * (isLong ? 8 : 4);
  return isLong ? Number(box.readBigUInt64BE(offset)) : box.readUInt32BE(offset);
}

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

interface Edit {
  /** In the time scale of the movie. */
  readonly durationUnits: number;
  /** First sample that is played. */
  readonly startSample: number;
}

/** @returns the entry of an edit list; undefined when there are several, or one with another speed than 1 */
function readEdit(list: Buffer): Edit | undefined {
  const isLong = list.readUInt8(0) === 1;
  if (list.readUInt32BE(4) !== 1 || list.length < 8 + (isLong ? 20 : 12)) return undefined;
  if (list.readUInt32BE(isLong ? 24 : 16) !== 0x1_0000) return undefined;
  return {
    durationUnits: isLong ? Number(list.readBigUInt64BE(8)) : list.readUInt32BE(8),
    startSample: isLong ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12),
  };
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
  const list = findBox(track, "edts", "elst");
  const header = findBox(movie, "mvhd");
  if (!list || !header) return { primingSamples: 0, sampleCount: mediaSamples };
  const edit = readEdit(list);
  if (!edit) return undefined;
  const { durationUnits, startSample: primingSamples } = edit;
  if (primingSamples < 0 || primingSamples % SAMPLES_PER_AAC_FRAME !== 0) return undefined;
  if (mediaSamples === undefined) return { primingSamples };
  const samplesPerUnit = sampleRateHz / readVersionedField(header, 2);
  const availableSamples = mediaSamples - primingSamples;
  const playedSamples = durationUnits * samplesPerUnit;
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
  const sizes = findBox(sampleTable, "stsz");
  if (!durations || !sizes) return undefined;
  let frames = 0;
  let samples = 0;
  const entries = tableLength(durations, 4, 8);
  for (let entry = 0; entry < entries; entry += 1) {
    const count = durations.readUInt32BE(8 + entry * 8);
    const frameSamples = durations.readUInt32BE(12 + entry * 8);
    const isLast = entry === entries - 1 && count === 1;
    if (frameSamples !== SAMPLES_PER_AAC_FRAME && !(isLast && frameSamples < SAMPLES_PER_AAC_FRAME)) return undefined;
    frames += count;
    samples += count * frameSamples;
  }
  return frames <= MAX_FRAMES && frames === countSizes(sizes) ? { frames, samples } : undefined;
}

/**
 * Reads the first audio track.
 * @param movie content of "moov"
 * @returns undefined when there is none, it is not plain AAC, or its index is unusual
 * @throws RangeError when a table is cut off
 */
export function readAacTrack(movie: Buffer): Mp4AacTrack | undefined {
  let streamIndex = -1;
  for (const { type, body } of wholeBoxesIn(movie)) {
    if (type !== "trak") continue;
    streamIndex += 1;
    if (streamIndex === MAX_TRACKS) return undefined;
    const isSound = findBox(body, "mdia", "hdlr")?.toString("latin1", 8, 12) === "soun";
    if (isSound) return readTrack(movie, body, streamIndex);
  }
  return undefined;
}

function readTrack(movie: Buffer, track: Buffer, streamIndex: number): Mp4AacTrack | undefined {
  const header = findBox(track, "tkhd");
  const mediaHeader = findBox(track, "mdia", "mdhd");
  const sampleTable = findBox(track, "mdia", "minf", "stbl");
  const description = sampleTable && findBox(sampleTable, "stsd");
  const kind = description && readKind(description);
  if (!header || !mediaHeader || !sampleTable || !kind) return undefined;
  if (readVersionedField(mediaHeader, 2) !== kind.sampleRateHz) return undefined;
  const isFragmented = findBox(movie, "mvex") !== undefined;
  const media = isFragmented ? undefined : countSamples(sampleTable);
  if (!isFragmented && media === undefined) return undefined;
  const length = readLength(movie, track, kind.sampleRateHz, media?.samples);
  const trackId = readVersionedField(header, 2);
  return length && { ...kind, ...length, frameCount: media?.frames, streamIndex, sampleTable, trackId };
}

/**
 * Finds the bytes of an MP4 that a decoder needs for a part, from its sample tables (ISO/IEC 14496-12, 8.6 and 8.7).
 * Pure.
 */
import { findBox, tableLength, wholeBoxesIn } from "./boxes.ts";
import { joinRanges, type ByteRange } from "./byte-ranges.ts";
import { readDuration } from "./layout.ts";

export interface MediaOfPart {
  readonly ranges: readonly ByteRange[];
  /** Length of the whole video. */
  readonly wholeSeconds: number;
}

/** In seconds of the media. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Frames are stored before they are shown, decoders need some sound before the part, and edit lists shift a little. */
const MARGIN_SECONDS = 0.5;
/** A probe reads these first frames to find out what a track is. */
const BEGINNING: Span = { from: 0, to: 0.4 };
/** A larger shift by an edit list would need the list to find the frames of a part. */
const MAX_SHIFT_SECONDS = 0.25;
/** A gap of this size is fetched: a request for the next range would take as long. */
const GAP_BYTES = 65_536;
const MAX_TRACKS = 64;
/** Ten hours at 130 frames per second have fewer. An index may state more without having a size for each. */
const MAX_SAMPLES = 5_000_000;
/** An hour at 55 frames per second, each in a chunk of its own. More take seconds to sort. */
const MAX_CHUNKS = 200_000;
/** Tracks that are stored apart need some ranges. With very many, fetching the whole is faster. */
const MAX_RANGES = 200;

interface Track {
  readonly table: Buffer;
  readonly unitsPerSecond: number;
  readonly isVideo: boolean;
}

/** Whether an edit list only delays the track by a little and cuts little from its beginning. */
function isSmallEdit(list: Buffer, mediaUnitsPerSecond: number, movieUnitsPerSecond: number): boolean {
  const isLong = list.readUInt8(0) === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = list.readUInt32BE(4);
  if (count > 2 || list.length < 8 + count * entryBytes) return false;
  for (let entry = 0; entry < count; entry += 1) {
    const at = 8 + entry * entryBytes;
    const units = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const start = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    const shift = start < 0 ? units / movieUnitsPerSecond : start / mediaUnitsPerSecond;
    if (shift > MAX_SHIFT_SECONDS || (start < 0 && entry > 0) || (start >= 0 && entry < count - 1)) return false;
  }
  return true;
}

/** @returns undefined for a track that is unusual; null for one without sound and picture */
function readTrack(track: Buffer, movieUnitsPerSecond: number): Track | null | undefined {
  const handler = findBox(track, "mdia", "hdlr")?.toString("latin1", 8, 12);
  if (handler !== "vide" && handler !== "soun") return null;
  const header = findBox(track, "mdia", "mdhd");
  const table = findBox(track, "mdia", "minf", "stbl");
  const duration = header && readDuration(header);
  const list = findBox(track, "edts", "elst");
  if (!table || !duration || (list && !isSmallEdit(list, duration.unitsPerSecond, movieUnitsPerSecond)))
    return undefined;
  return { table, unitsPerSecond: duration.unitsPerSecond, isVideo: handler === "vide" };
}

/** Samples by their number, counted from 0; `end` is exclusive. */
interface SampleRange {
  readonly first: number;
  readonly end: number;
}

interface SampleTimes {
  /** @returns the sample that is decoded at a time in seconds, or the nearest */
  sampleAt(seconds: number): number;
  /** @returns seconds at which a sample is decoded */
  timeOf(sample: number): number;
}

/** Reads "stts", which has runs of samples of the same duration. */
function readTimes(durations: Buffer, unitsPerSecond: number): SampleTimes {
  const runs: { readonly first: number; readonly startUnits: number; readonly units: number }[] = [];
  let count = 0;
  let startUnits = 0;
  for (let entry = 0, entries = tableLength(durations, 4, 8); entry < entries; entry += 1) {
    const units = durations.readUInt32BE(12 + entry * 8);
    runs.push({ first: count, startUnits, units });
    count += durations.readUInt32BE(8 + entry * 8);
    startUnits += units * durations.readUInt32BE(8 + entry * 8);
  }
  return {
    sampleAt: (seconds) => {
      const wanted = Math.max(0, seconds * unitsPerSecond);
      const run = runs.findLast((one) => one.startUnits <= wanted);
      if (!run) return 0;
      const after = run.units > 0 ? Math.floor((wanted - run.startUnits) / run.units) : 0;
      return Math.min(run.first + after, Math.max(0, count - 1));
    },
    timeOf: (sample) => {
      const run = runs.findLast(({ first }) => first <= sample);
      return run ? (run.startUnits + (sample - run.first) * run.units) / unitsPerSecond : 0;
    },
  };
}

/** @returns the last sample up to `sample` from which decoding can start; "stss" lists them, if not all are */
function syncBefore(table: Buffer, sample: number): number {
  const list = findBox(table, "stss");
  if (!list) return sample;
  let low = 0;
  let high = tableLength(list, 4, 4);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list.readUInt32BE(8 + middle * 4) - 1 <= sample) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : list.readUInt32BE(8 + (low - 1) * 4) - 1;
}

/** @returns where the samples are; undefined when the tables do not fit together */
function locate(table: Buffer, { first, end }: SampleRange): ByteRange[] | undefined {
  const sizes = findBox(table, "stsz");
  const chunks = findBox(table, "stsc");
  const long = findBox(table, "co64");
  const positions = long ?? findBox(table, "stco");
  if (!sizes || !chunks || !positions) return undefined;
  const commonSize = sizes.readUInt32BE(4);
  const sampleCount = commonSize > 0 ? sizes.readUInt32BE(8) : tableLength(sizes, 8, 4);
  if (sampleCount > MAX_SAMPLES) return undefined;
  const chunkCount = tableLength(positions, 4, long ? 8 : 4);
  const changeCount = tableLength(chunks, 4, 12);
  const ranges: ByteRange[] = [];
  let sample = 0;
  let change = 0;
  let perChunk = 0;
  for (let chunk = 0; chunk < chunkCount && sample < Math.min(end, sampleCount); chunk += 1) {
    if (change < changeCount && chunks.readUInt32BE(8 + change * 12) === chunk + 1) {
      perChunk = chunks.readUInt32BE(12 + change * 12);
      change += 1;
    }
    if (perChunk === 0) return undefined;
    let position = long ? Number(positions.readBigUInt64BE(8 + chunk * 8)) : positions.readUInt32BE(8 + chunk * 4);
    let start: number | undefined;
    for (const last = Math.min(sample + perChunk, sampleCount); sample < last; sample += 1) {
      if (sample >= end) break;
      if (sample >= first) start ??= position;
      position += commonSize > 0 ? commonSize : sizes.readUInt32BE(12 + sample * 4);
    }
    if (start !== undefined) ranges.push({ start, end: position });
    if (ranges.length > MAX_CHUNKS) return undefined;
  }
  return sample >= Math.min(end, sampleCount) ? ranges : undefined;
}

/** @returns undefined when one of the tables is missing */
function timesOf({ table, unitsPerSecond }: Track): SampleTimes | undefined {
  const durations = findBox(table, "stts");
  return durations && readTimes(durations, unitsPerSecond);
}

/** @returns the time from which all tracks are read: that of the key frame before the part */
function startOf(tracks: readonly Track[], from: number): number {
  const starts = tracks.map((track) => {
    const times = timesOf(track);
    return times && track.isVideo ? times.timeOf(syncBefore(track.table, times.sampleAt(from))) : from;
  });
  return Math.min(from, ...starts);
}

function rangesOf(track: Track, spans: readonly Span[]): ByteRange[] | undefined {
  const times = timesOf(track);
  if (!times) return undefined;
  const found = spans.map(({ from, to }) =>
    locate(track.table, { first: syncBefore(track.table, times.sampleAt(from)), end: times.sampleAt(to) + 1 }),
  );
  return found.includes(undefined) ? undefined : found.flatMap((ranges) => ranges ?? []);
}

/**
 * @param movie content of "moov" of a file that is not fragmented
 * @param part in seconds
 * @returns undefined when the index is unusual
 * @throws RangeError when a table is cut off
 */
export function samplesOfPart(
  movie: Buffer,
  part: { readonly startSeconds: number; readonly endSeconds: number },
): MediaOfPart | undefined {
  const header = findBox(movie, "mvhd");
  const duration = header && readDuration(header);
  if (!duration) return undefined;
  const boxes = [...wholeBoxesIn(movie)].filter(({ type }) => type === "trak");
  if (boxes.length > MAX_TRACKS) return undefined;
  const all = boxes.map(({ body }) => readTrack(body, duration.unitsPerSecond));
  if (all.includes(undefined)) return undefined;
  const tracks = all.flatMap((track) => track ?? []);
  const from = startOf(tracks, Math.max(0, part.startSeconds - MARGIN_SECONDS));
  const spans = [BEGINNING, { from, to: part.endSeconds + MARGIN_SECONDS }];
  const found = tracks.map((track) => rangesOf(track, spans));
  if (tracks.length === 0 || found.includes(undefined)) return undefined;
  const ranges = joinRanges(
    found.flatMap((ranges) => ranges ?? []),
    GAP_BYTES,
  );
  return ranges.length > MAX_RANGES ? undefined : { ranges, wholeSeconds: duration.units / duration.unitsPerSecond };
}

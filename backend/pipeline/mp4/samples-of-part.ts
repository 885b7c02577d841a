/**
 * Finds the bytes of an MP4 that a decoder needs for a part, from its sample tables (ISO/IEC 14496-12, 8.6 and 8.7).
 * Pure.
 */
import { findBox, tableLength, wholeBoxesIn } from "./boxes.ts";
import { joinRanges, type ByteRange } from "./byte-ranges.ts";
import type { TimeSpan } from "./copied-span.ts";
import { durationRuns, FramePlaces } from "./sample-tables.ts";
import { handlerOf, readDuration, readEdits, sampleTablesOf, type Edit } from "./track.ts";

export interface MediaOfPart {
  readonly ranges: readonly ByteRange[];
  /** Length of the whole video. */
  readonly wholeSeconds: number;
}

/** Frames are stored before they are shown, decoders need some sound before the part, and edit lists shift a little. */
const MARGIN_SECONDS = 0.5;
/** A probe reads these first frames to find out what a track is. In seconds of the media. */
const BEGINNING: TimeSpan = { from: 0, to: 0.4 };
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

/** Whether edits only delay the track by a little and cut little from its beginning. */
function areSmall(edits: readonly Edit[], mediaUnitsPerSecond: number, movieUnitsPerSecond: number): boolean {
  return edits.every(({ duration, mediaStart }, entry) => {
    const isDelay = mediaStart < 0;
    const shift = isDelay ? duration / movieUnitsPerSecond : mediaStart / mediaUnitsPerSecond;
    return shift <= MAX_SHIFT_SECONDS && (isDelay ? entry === 0 : entry === edits.length - 1);
  });
}

/** @returns undefined for a track that is unusual; null for one without sound and picture */
function readTrack(track: Buffer, movieUnitsPerSecond: number): Track | null | undefined {
  const handler = handlerOf(track);
  if (handler !== "vide" && handler !== "soun") return null;
  const header = findBox(track, "mdia", "mdhd");
  const table = sampleTablesOf(track);
  const duration = header && readDuration(header);
  const edits = readEdits(track);
  if (!table || !duration || !edits || !areSmall(edits, duration.unitsPerSecond, movieUnitsPerSecond)) return undefined;
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
  let sampleCount = 0;
  let startUnits = 0;
  for (const { count, units } of durationRuns(durations)) {
    runs.push({ first: sampleCount, startUnits, units });
    sampleCount += count;
    startUnits += units * count;
  }
  return {
    sampleAt: (seconds) => {
      const wanted = Math.max(0, seconds * unitsPerSecond);
      const run = runs.findLast((one) => one.startUnits <= wanted);
      if (!run) return 0;
      const after = run.units > 0 ? Math.floor((wanted - run.startUnits) / run.units) : 0;
      return Math.min(run.first + after, Math.max(0, sampleCount - 1));
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
  const places = new FramePlaces(table);
  if (places.frameCount > MAX_SAMPLES) return undefined;
  const wanted = Math.min(end, places.frameCount);
  const ranges: ByteRange[] = [];
  while (places.endFrame < wanted && places.nextChunk()) {
    const { position, firstFrame } = places;
    const from = Math.max(first, firstFrame);
    const to = Math.min(wanted, places.endFrame);
    if (from >= to) continue;
    const start = position + places.bytesOf(firstFrame, from);
    ranges.push({ start, end: start + places.bytesOf(from, to) });
    if (ranges.length > MAX_CHUNKS) return undefined;
  }
  return places.endFrame >= wanted ? ranges : undefined;
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

function rangesOf(track: Track, spans: readonly TimeSpan[]): ByteRange[] | undefined {
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
 * @throws RangeError when a table is missing or cut off
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

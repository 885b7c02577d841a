/** Reads an MP4 with one fragmented track (ISO/IEC 14496-12, 8.8), such as the streams of DASH. Pure. */
import { findBox, wholeBoxesIn } from "./boxes.ts";
import { readTrackFragments, type FrameDefaults } from "./fragment-tables.ts";
import { readEdits, readLanguage, readShape, readTimes, readTrackId, sampleTablesOf } from "./track.ts";
import { readAudioCodec, readVideoCodec } from "./track-codec.ts";

/** What a track says about all its frames. Times are in units of the track. */
export interface FragmentedTrack {
  readonly kind: "picture" | "sound";
  readonly trackId: number;
  readonly unitsPerSecond: number;
  /** As "mdhd" packs it. */
  readonly language: number;
  /** Content of "tkhd" after the times. */
  readonly shape: Buffer;
  /** Content of "stsd". */
  readonly descriptions: Buffer;
  /** When playing begins; undefined when the track does not say. */
  readonly firstShown: number | undefined;
  readonly defaults: FrameDefaults;
}

/** Of the frames of a fragment, one entry for each. */
export interface Fragment {
  /** When the first frame is decoded. */
  readonly decodedAt: number;
  readonly durations: readonly number[];
  /** From the decoding of a frame to when it is shown; may be negative. */
  readonly delays: readonly number[];
  readonly sizes: readonly number[];
  readonly areKeys: readonly boolean[];
  /** Where the first frame is, from the beginning of the fragment on. The others follow without a gap. */
  readonly mediaOffset: number;
}

/** More than a minute of any video; a fragment with fewer bytes may state more. */
const MAX_FRAMES = 20_000;

/**
 * @param movie content of "moov"
 * @returns undefined unless it has one fragmented track, of H.264 or AAC that all players support, and no frames itself
 * @throws RangeError when a box is cut off
 */
export function readFragmentedTrack(movie: Buffer): FragmentedTrack | undefined {
  const tracks = [...wholeBoxesIn(movie)].filter(({ type }) => type === "trak");
  const track = tracks.length === 1 ? tracks[0]?.body : undefined;
  const extension = findBox(movie, "mvex", "trex");
  const header = track && findBox(track, "tkhd");
  const mediaHeader = track && findBox(track, "mdia", "mdhd");
  const tables = track && sampleTablesOf(track);
  const descriptions = tables && findBox(tables, "stsd");
  if (!extension || !header || !mediaHeader || !descriptions) return undefined;
  const sizes = findBox(tables, "stsz");
  const edits = readEdits(track);
  const [edit] = edits ?? [];
  const isPicture = readVideoCodec(descriptions) !== undefined;
  // The list may only choose where playing begins.
  const isPlain = edits && (!edit || (edits.length === 1 && edit.mediaStart >= 0 && edit.isUsualSpeed));
  if (!isPlain || (!isPicture && !readAudioCodec(descriptions)) || (sizes && sizes.readUInt32BE(8) > 0))
    return undefined;
  const { unitsPerSecond } = readTimes(mediaHeader);
  const trackId = readTrackId(header);
  if (unitsPerSecond === 0 || extension.readUInt32BE(4) !== trackId) return undefined;
  return {
    kind: isPicture ? "picture" : "sound",
    trackId,
    unitsPerSecond,
    language: readLanguage(mediaHeader),
    shape: readShape(header),
    descriptions,
    firstShown: edit?.mediaStart,
    defaults: {
      duration: extension.readUInt32BE(12),
      sizeBytes: extension.readUInt32BE(16),
      flags: extension.readUInt32BE(20),
    },
  };
}

/**
 * @param fragment content of "moof"
 * @returns undefined for a fragment that is unusual
 * @throws RangeError when a box is cut off
 */
export function readFragment(fragment: Buffer, track: FragmentedTrack): Fragment | undefined {
  const [part, ...others] = readTrackFragments(fragment, track.defaults);
  if (part?.decodedAt === undefined || part.trackId !== track.trackId || others.length > 0) return undefined;
  const { decodedAt, hasBase, description, runs } = part;
  const mediaOffset = runs[0]?.mediaOffset;
  const durations: number[] = [];
  const delays: number[] = [];
  const sizes: number[] = [];
  const areKeys: boolean[] = [];
  if (hasBase || description !== 1 || mediaOffset === undefined) return undefined;
  let expectedOffset = mediaOffset;
  for (const run of runs) {
    if (sizes.length + run.frameCount > MAX_FRAMES || (run.mediaOffset ?? expectedOffset) !== expectedOffset)
      return undefined;
    for (let frame = 0; frame < run.frameCount; frame += 1) {
      const size = run.sizeOf(frame);
      durations.push(run.durationOf(frame));
      delays.push(run.delayOf(frame));
      sizes.push(size);
      areKeys.push(run.isKey(frame));
      expectedOffset += size;
    }
  }
  return sizes.length === 0 ? undefined : { decodedAt, durations, delays, sizes, areKeys, mediaOffset };
}

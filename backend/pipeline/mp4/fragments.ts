/** Reads an MP4 with one fragmented track (ISO/IEC 14496-12, 8.8), such as the streams of DASH. Pure. */
import { boxesIn, findBox, wholeBoxesIn } from "./boxes.ts";
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

interface FrameDefaults {
  readonly duration: number;
  readonly sizeBytes: number;
  readonly flags: number;
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
const IS_NOT_KEY = 0x1_0000;

/** Flags of "tfhd". */
const HEADER = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 } as const;
/** Flags of "trun". */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, delay: 0x800 } as const;

const flagsOf = (box: Buffer): number => box.readUIntBE(1, 3);

/** Reads 32 bits after 32 bits. */
class Fields {
  readonly #box: Buffer;
  #at: number;

  constructor(box: Buffer, at: number) {
    this.#box = box;
    this.#at = at;
  }

  /** @throws RangeError at the end of the box */
  next(isThere = true, otherwise = 0): number {
    if (!isThere) return otherwise;
    this.#at += 4;
    return this.#box.readUInt32BE(this.#at - 4);
  }
}

/** @returns undefined for a list that does more than choose where playing begins; null when there is none */
function readFirstShown(track: Buffer): number | null | undefined {
  const list = findBox(track, "edts", "elst");
  if (!list) return null;
  const isLong = list.readUInt8(0) === 1;
  const start = isLong ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12);
  const rate = list.readUInt32BE(isLong ? 24 : 16);
  return list.readUInt32BE(4) === 1 && start >= 0 && rate === 0x1_0000 ? start : undefined;
}

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
  const times = track && findBox(track, "mdia", "mdhd");
  const descriptions = track && findBox(track, "mdia", "minf", "stbl", "stsd");
  const sizes = track && findBox(track, "mdia", "minf", "stbl", "stsz");
  if (!track || !extension || !header || !times || !descriptions || (sizes && sizes.readUInt32BE(8) > 0))
    return undefined;
  const firstShown = readFirstShown(track);
  const isPicture = readVideoCodec(descriptions) !== undefined;
  if (firstShown === undefined || (!isPicture && !readAudioCodec(descriptions))) return undefined;
  const areTimesLong = times.readUInt8(0) === 1;
  const isHeaderLong = header.readUInt8(0) === 1;
  const unitsPerSecond = times.readUInt32BE(areTimesLong ? 20 : 12);
  const trackId = header.readUInt32BE(isHeaderLong ? 20 : 12);
  if (unitsPerSecond === 0 || extension.readUInt32BE(4) !== trackId) return undefined;
  return {
    kind: isPicture ? "picture" : "sound",
    trackId,
    unitsPerSecond,
    language: times.readUInt16BE(areTimesLong ? 32 : 20),
    shape: header.subarray(isHeaderLong ? 36 : 24, isHeaderLong ? 96 : 84),
    descriptions,
    firstShown: firstShown ?? undefined,
    defaults: {
      duration: extension.readUInt32BE(12),
      sizeBytes: extension.readUInt32BE(16),
      flags: extension.readUInt32BE(20),
    },
  };
}

/** @returns undefined for a fragment of another track, or one whose frames are described or placed in an unusual way */
function readDefaults(header: Buffer, track: FragmentedTrack): FrameDefaults | undefined {
  const flags = flagsOf(header);
  const fields = new Fields(header, 4);
  if (fields.next() !== track.trackId || (flags & HEADER.base) !== 0) return undefined;
  if (fields.next((flags & HEADER.description) !== 0, 1) !== 1) return undefined;
  return {
    duration: fields.next((flags & HEADER.duration) !== 0, track.defaults.duration),
    sizeBytes: fields.next((flags & HEADER.size) !== 0, track.defaults.sizeBytes),
    flags: fields.next((flags & HEADER.flags) !== 0, track.defaults.flags),
  };
}

class FragmentReader {
  readonly #defaults: FrameDefaults;
  readonly durations: number[] = [];
  readonly delays: number[] = [];
  readonly sizes: number[] = [];
  readonly areKeys: boolean[] = [];
  #mediaOffset: number | undefined;
  #mediaBytes = 0;

  constructor(defaults: FrameDefaults) {
    this.#defaults = defaults;
  }

  get mediaOffset(): number | undefined {
    return this.#mediaOffset;
  }

  /**
   * Reads the box "trun".
   * @returns false when its frames do not follow those before, or there are too many
   * @throws RangeError when it is cut off
   */
  add(run: Buffer): boolean {
    const flags = flagsOf(run);
    const has = (flag: number): boolean => (flags & flag) !== 0;
    const fields = new Fields(run, 4);
    const count = fields.next();
    // The offset is signed, but one before the fragment is not wanted anyway.
    const offset = has(RUN.offset) ? fields.next() : undefined;
    const expected = this.#mediaOffset === undefined ? undefined : this.#mediaOffset + this.#mediaBytes;
    if (this.sizes.length + count > MAX_FRAMES || (offset ?? expected) === undefined) return false;
    if (expected !== undefined && offset !== undefined && offset !== expected) return false;
    this.#mediaOffset ??= offset;
    let firstFlags = has(RUN.firstFlags) ? fields.next() : undefined;
    const { duration, sizeBytes, flags: usualFlags } = this.#defaults;
    for (let frame = 0; frame < count; frame += 1) {
      this.durations.push(fields.next(has(RUN.duration), duration));
      const size = fields.next(has(RUN.size), sizeBytes);
      const ownFlags = fields.next(has(RUN.flags), usualFlags);
      // Unsigned in version 0, where no delay is above 31 bits.
      this.delays.push(fields.next(has(RUN.delay), 0) | 0);
      this.sizes.push(size);
      this.areKeys.push(((firstFlags ?? ownFlags) & IS_NOT_KEY) === 0);
      this.#mediaBytes += size;
      firstFlags = undefined;
    }
    return true;
  }
}

/**
 * @param fragment content of "moof"
 * @returns undefined for a fragment that is unusual
 * @throws RangeError when a box is cut off
 */
export function readFragment(fragment: Buffer, track: FragmentedTrack): Fragment | undefined {
  const parts = [...wholeBoxesIn(fragment)].filter(({ type }) => type === "traf");
  const part = parts.length === 1 ? parts[0]?.body : undefined;
  const header = part && findBox(part, "tfhd");
  const time = part && findBox(part, "tfdt");
  const defaults = header && readDefaults(header, track);
  if (!part || !time || !defaults) return undefined;
  const reader = new FragmentReader(defaults);
  for (const { type, contentStart, end } of boxesIn(part))
    if (type === "trun" && !reader.add(part.subarray(contentStart, end))) return undefined;
  const { durations, delays, sizes, areKeys, mediaOffset } = reader;
  if (mediaOffset === undefined || sizes.length === 0) return undefined;
  const decodedAt = time.readUInt8(0) === 1 ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4);
  return { decodedAt, durations, delays, sizes, areKeys, mediaOffset };
}

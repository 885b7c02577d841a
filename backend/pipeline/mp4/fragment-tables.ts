/** Reads the tables of a fragment (ISO/IEC 14496-12, 8.8.6 to 8.8.12). Pure. */
import { boxesIn, findBox, wholeBoxesIn } from "./boxes.ts";

/** What frames have that state nothing else. */
export interface FrameDefaults {
  /** In the time scale of the track. */
  readonly duration: number;
  readonly sizeBytes: number;
  readonly flags: number;
}

/** Frames that follow each other in the file ("trun"). */
export interface TrackRun {
  readonly frameCount: number;
  /** Where the first frame is, from where positions of the fragment count; undefined: after the run before. */
  readonly mediaOffset: number | undefined;
  /**
   * Field of a frame, counted from 0. Read only when needed, because a table of a few bytes can state billions of frames.
   */
  readonly durationOf: (frame: number) => number;
  readonly sizeOf: (frame: number) => number;
  readonly isKey: (frame: number) => boolean;
  /** From the decoding of a frame to when it is shown; may be negative. */
  readonly delayOf: (frame: number) => number;
}

/** What a fragment has of one track. */
export interface TrackFragment {
  readonly trackId: number;
  /** Positions count from a place in the file, not from the fragment. */
  readonly hasBase: boolean;
  /** Positions count from the beginning of the fragment, also after another track. */
  readonly isFromFragment: boolean;
  /** Number in "stsd", counted from 1. */
  readonly description: number;
  /** When the first frame is decoded, in the time scale of the track; undefined when it is not stated. */
  readonly decodedAt: number | undefined;
  readonly runs: readonly TrackRun[];
}

/** Most boxes of a fragment. It has one for each track, and few others. */
const MAX_PARTS = 64;
const IS_NOT_KEY = 0x1_0000;

/** Flags of "tfhd": which optional fields it has, and from where positions count. */
const HEADER = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20, fromFragment: 0x2_0000 } as const;
/** Flags of "trun": which optional fields it and its entries have. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, delay: 0x800 } as const;

const flagsOf = (box: Buffer): number => box.readUIntBE(1, 3);

/** @returns offsets of the fields of 32 bits that flags announce, undefined for others, and the end of the last one */
function layOut(flags: number, fields: readonly number[], from: number) {
  let end = from;
  const places = fields.map((field) => {
    if ((flags & field) === 0) return undefined;
    end += 4;
    return end - 4;
  });
  return { places, end };
}

const fieldsAt = (box: Buffer, places: readonly (number | undefined)[]): readonly (number | undefined)[] =>
  places.map((place) => (place === undefined ? undefined : box.readUInt32BE(place)));

/** @param run content of "trun" */
function readRun(run: Buffer, defaults: FrameDefaults): TrackRun {
  const flags = flagsOf(run);
  const frameCount = run.readUInt32BE(4);
  const head = layOut(flags, [RUN.offset, RUN.firstFlags], 8);
  const [mediaOffset, firstFlags] = fieldsAt(run, head.places);
  const entry = layOut(flags, [RUN.duration, RUN.size, RUN.flags, RUN.delay], head.end);
  const [duration, size, ownFlags, delay] = entry.places;
  const entryBytes = entry.end - head.end;
  if (head.end + frameCount * entryBytes > run.length) throw new RangeError("a track run is cut off");
  const column = (place: number | undefined, usual: number): ((frame: number) => number) =>
    place === undefined ? () => usual : (frame) => run.readUInt32BE(place + frame * entryBytes);
  const flagsOfFrame = column(ownFlags, defaults.flags);
  const delayOf = column(delay, 0);
  return {
    frameCount,
    mediaOffset: mediaOffset === undefined ? undefined : mediaOffset | 0,
    durationOf: column(duration, defaults.duration),
    sizeOf: column(size, defaults.sizeBytes),
    isKey: (frame) => (((frame === 0 ? firstFlags : undefined) ?? flagsOfFrame(frame)) & IS_NOT_KEY) === 0,
    // Unsigned in version 0, where no delay is above 31 bits.
    delayOf: (frame) => delayOf(frame) | 0,
  };
}

/** Whether media is named by its place in the file. @param header content of "tfhd" */
export function hasBase(header: Buffer): boolean {
  return (flagsOf(header) & HEADER.base) !== 0;
}

/** @param part content of "traf" */
function readTrackFragment(part: Buffer, defaults: FrameDefaults): TrackFragment {
  const header = findBox(part, "tfhd");
  if (!header) throw new RangeError("a fragment lacks its header");
  const isBased = hasBase(header);
  const wanted = [HEADER.description, HEADER.duration, HEADER.size, HEADER.flags];
  const { places } = layOut(flagsOf(header), wanted, isBased ? 16 : 8);
  const [description = 1, duration = defaults.duration, sizeBytes = defaults.sizeBytes, flags = defaults.flags] =
    fieldsAt(header, places);
  const time = findBox(part, "tfdt");
  const isTimeLong = time?.readUInt8(0) === 1;
  const runs: TrackRun[] = [];
  for (const { type, contentStart, end } of boxesIn(part))
    if (type === "trun") runs.push(readRun(part.subarray(contentStart, end), { duration, sizeBytes, flags }));
  return {
    trackId: header.readUInt32BE(4),
    hasBase: isBased,
    isFromFragment: (flagsOf(header) & HEADER.fromFragment) !== 0,
    description,
    decodedAt: isTimeLong ? Number(time.readBigUInt64BE(4)) : time?.readUInt32BE(4),
    runs,
  };
}

/**
 * @param fragment content of "moof"
 * @param defaults of frames, from the index
 * @returns what it has of each track
 * @throws RangeError when a box is cut off or missing, or there are more than 64
 */
export function readTrackFragments(fragment: Buffer, defaults: FrameDefaults): readonly TrackFragment[] {
  const parts = [...wholeBoxesIn(fragment)];
  if (parts.length > MAX_PARTS) throw new RangeError("a fragment has too many parts");
  return parts.filter(({ type }) => type === "traf").map(({ body }) => readTrackFragment(body, defaults));
}

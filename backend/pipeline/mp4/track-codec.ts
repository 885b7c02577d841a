/** Reads the codec of a track from its sample description: the kinds of H.264 and AAC that all players support. */
import { findBox } from "./boxes.ts";

export interface Mp4Video {
  readonly codec: "h264";
  /** As ffmpeg names it. */
  readonly profile: string;
  /** Level of H.264 × 10. */
  readonly level: number;
  /** Width and height are those before a rotation. */
  readonly widthPixels: number;
  readonly heightLines: number;
}

export interface Mp4Audio {
  readonly codec: "aac";
  /** As ffmpeg names it. */
  readonly profile: string;
}

/** Version, flags and number of entries at the beginning of "stsd". */
export const LIST_BYTES = 8;
/** Length of an entry without the boxes at its end (ISO/IEC 14496-12, 12.1.3 and 12.2.3). */
export const VIDEO_ENTRY_BYTES = 86;
export const AUDIO_ENTRY_BYTES = 36;

/** By profile_idc (H.264, annex A). */
const VIDEO_PROFILES: ReadonlyMap<number, string> = new Map([
  [66, "Baseline"],
  [77, "Main"],
  [100, "High"],
]);
const IS_CONSTRAINED = 0x40;
/** By audioObjectType (ISO/IEC 14496-3, table 1.17). */
const AUDIO_PROFILES: ReadonlyMap<number, string> = new Map([
  [2, "LC"],
  [5, "HE-AAC"],
  [29, "HE-AACv2"],
]);

/** objectTypeIndication of MPEG-4 audio. */
const AUDIO_TYPE = 0x40;
/** Tags of descriptors. */
const TAGS = { stream: 0x03, decoder: 0x04, settings: 0x05 } as const;

/** @returns the boxes in the entry of "stsd"; undefined when it has several entries or one of another type */
function singleEntry(descriptions: Buffer, type: string, headBytes: number): Buffer | undefined {
  if (
    descriptions.length < LIST_BYTES + headBytes ||
    descriptions.readUInt32BE(4) !== 1 ||
    descriptions.toString("latin1", 12, 16) !== type
  )
    return undefined;
  return descriptions.subarray(LIST_BYTES + headBytes, LIST_BYTES + descriptions.readUInt32BE(LIST_BYTES));
}

/** @param descriptions content of "stsd" @returns content of "avcC"; undefined for another codec than H.264 */
export function readAvcSettings(descriptions: Buffer): Buffer | undefined {
  const entry = singleEntry(descriptions, "avc1", VIDEO_ENTRY_BYTES);
  return entry && findBox(entry, "avcC");
}

/**
 * @param descriptions content of "stsd"
 * @returns undefined for a codec or profile that not all players support
 * @throws RangeError when it is cut off
 */
export function readVideoCodec(descriptions: Buffer): Mp4Video | undefined {
  const settings = readAvcSettings(descriptions);
  if (!settings) return undefined;
  const profile = VIDEO_PROFILES.get(settings.readUInt8(1));
  const isConstrained = profile === "Baseline" && (settings.readUInt8(2) & IS_CONSTRAINED) !== 0;
  const widthPixels = descriptions.readUInt16BE(LIST_BYTES + 32);
  const heightLines = descriptions.readUInt16BE(LIST_BYTES + 34);
  const hasParameters = (settings.readUInt8(5) & 0x1f) > 0;
  if (settings.readUInt8(0) !== 1 || profile === undefined || !hasParameters || widthPixels === 0 || heightLines === 0)
    return undefined;
  return {
    codec: "h264",
    profile: isConstrained ? "Constrained Baseline" : profile,
    level: settings.readUInt8(3),
    widthPixels,
    heightLines,
  };
}

/** @returns content of the descriptor at `offset` (ISO/IEC 14496-1, 8.3.3); undefined when it has another tag */
function readDescriptor(bytes: Buffer, offset: number, tag: number): Buffer | undefined {
  if (bytes.readUInt8(offset) !== tag) return undefined;
  let length = 0;
  // The length has at most four bytes, with seven bits in each.
  for (let at = offset + 1; at <= offset + 4; at += 1) {
    const byte = bytes.readUInt8(at);
    length = length * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0)
      return at + 1 + length <= bytes.length ? bytes.subarray(at + 1, at + 1 + length) : undefined;
  }
  return undefined;
}

/**
 * @param descriptions content of "stsd"
 * @returns the AudioSpecificConfig of MPEG-4 audio (ISO/IEC 14496-3, 1.6.2.1); undefined for other audio
 * @throws RangeError when it is cut off
 */
export function readDecoderSettings(descriptions: Buffer): Buffer | undefined {
  const entry = singleEntry(descriptions, "mp4a", AUDIO_ENTRY_BYTES);
  // Entries of other versions (QuickTime) have more fields before the boxes.
  if (!entry || descriptions.readUInt16BE(LIST_BYTES + 16) !== 0) return undefined;
  const field = findBox(entry, "esds");
  const stream = field && readDescriptor(field, 4, TAGS.stream);
  // These flags announce optional fields, which would come before the next descriptor.
  const decoder = stream && (stream.readUInt8(2) & 0xe0) === 0 ? readDescriptor(stream, 3, TAGS.decoder) : undefined;
  return decoder?.readUInt8(0) === AUDIO_TYPE ? readDescriptor(decoder, 13, TAGS.settings) : undefined;
}

/**
 * @param descriptions content of "stsd"
 * @returns undefined for a codec or profile that not all players support
 * @throws RangeError when it is cut off
 */
export function readAudioCodec(descriptions: Buffer): Mp4Audio | undefined {
  const settings = readDecoderSettings(descriptions);
  const profile = settings && AUDIO_PROFILES.get(settings.readUInt8(0) >>> 3);
  return profile === undefined ? undefined : { codec: "aac", profile };
}

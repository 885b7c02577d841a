/** The layout of an MPEG-1 Layer III frame, as far as cutting and joining needs it (ISO/IEC 11172-3, 2.4.1). Pure. */
import { SAMPLE_RATES_HZ, type SampleRateHz } from "../aac/sample-rates.ts";

export const SAMPLES_PER_FRAME = 1_152;

const HEADER_BYTES = 4;
/** Bytes of a frame that {@link readFrameHeader} needs: header, optional checksum, and where the main data begins. */
export const FRAME_INFO_BYTES = HEADER_BYTES + 4;
export const BITRATES_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;

export interface FrameHeader {
  readonly bitrateKbps: number;
  readonly sampleRateHz: SampleRateHz;
  readonly isMono: boolean;
  /** The whole frame, header included. */
  readonly sizeBytes: number;
  /** Byte offset of the main data within the frame: after header, checksum and side information. */
  readonly mainDataOffset: number;
  /** Bytes of this frame's main data that lie in earlier frames: the bit reservoir it draws on. */
  readonly reservoirBytes: number;
}

/** @returns undefined when no frame begins at `offset`, or fewer than {@link FRAME_INFO_BYTES} follow */
export function readFrameHeader(bytes: Buffer, offset = 0): FrameHeader | undefined {
  if (bytes.length < offset + FRAME_INFO_BYTES) return undefined;
  const word = bytes.readUInt32BE(offset);
  // Sync, MPEG-1, Layer III.
  if (word >>> 17 !== 0b111_1111_1111_1101) return undefined;
  const bitrateKbps = BITRATES_KBPS[(word >>> 12) & 0xf];
  const sampleRateHz = SAMPLE_RATES_HZ[(word >>> 10) & 0x3];
  if (!bitrateKbps || sampleRateHz === undefined) return undefined;
  const isMono = ((word >>> 6) & 0x3) === 0x3;
  const hasChecksum = ((word >>> 16) & 0x1) === 0;
  const sideInfoOffset = HEADER_BYTES + (hasChecksum ? 2 : 0);
  return {
    bitrateKbps,
    sampleRateHz,
    isMono,
    sizeBytes: Math.floor((144_000 * bitrateKbps) / sampleRateHz) + ((word >>> 9) & 0x1),
    mainDataOffset: sideInfoOffset + (isMono ? 17 : 32),
    reservoirBytes: bytes.readUInt16BE(offset + sideInfoOffset) >>> 7,
  };
}

/**
 * Bits of the side information: before the granules (`mono`, `stereo`), of one granule of one channel (`granule`), and
 * of the length field at the start of a granule (`length`).
 */
const SIDE_BITS = { mono: 18, stereo: 20, granule: 59, length: 12 } as const;

function readBits(bytes: Buffer, bitOffset: number, bitCount: number): number {
  const first = bitOffset >>> 3;
  return ((bytes.readUIntBE(first, 3) << (bitOffset & 7)) & 0xff_ffff) >>> (24 - bitCount);
}

/** @returns bytes of main data that belong to the frame, including those that lie in earlier frames */
export function mainDataBytes({ bytes, isMono, mainDataOffset }: Frame): number {
  const sideOffset = mainDataOffset - (isMono ? 17 : 32);
  let bits = 0;
  for (let granule = 0; granule < (isMono ? 2 : 4); granule += 1)
    bits += readBits(
      bytes,
      sideOffset * 8 + (isMono ? SIDE_BITS.mono : SIDE_BITS.stereo) + granule * SIDE_BITS.granule,
      SIDE_BITS.length,
    );
  return Math.ceil(bits / 8);
}

/** One frame of a stream with its parsed header. */
export interface Frame extends FrameHeader {
  readonly bytes: Buffer;
}

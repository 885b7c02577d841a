/**
 * The header frame of an MP3 file. A decoder plays it as silence; a player reads from it the length, where to seek, and
 * how many samples at both ends the encoder added (so that an album plays without gaps).
 * Layout: Xing header with LAME's extension, as players read it. Pure.
 */
import { ENCODER_DELAY_SAMPLES, encodedFrames, FrameSizes } from "./frame-sizes.ts";
import { SAMPLES_PER_FRAME, type Frame } from "./mp3-frame.ts";

const HAS_FRAMES_BYTES_TOC_QUALITY = 0xf;
const XING_BYTES = 4 + 4 + 4 + 4 + 100 + 4;
const CBR = 1;
/** Revision 0 of the extension in the upper half. */
const METHOD_CBR = 0x00 | CBR;
const MAX_12_BITS = 0xfff;

/** Effect of a byte on the checksum, in eight tables: for 0 to 7 bytes that follow it in the same step. */
const CRC_TABLES = Uint16Array.from({ length: 8 * 256 }, (_, index) => {
  let crc = index & 0xff;
  for (let bit = 0; bit < 8 * ((index >>> 8) + 1); bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});
const crcOf = (following: number, byte: number): number => CRC_TABLES[following * 256 + (byte & 0xff)] as number;

/**
 * CRC-16 of LAME's extension (polynomial 0x8005, reflected). It reads every byte of every file, so it takes eight
 * bytes in a step: 0.7 ns a byte, where four take 1.0 and one takes three times that. `node:zlib` has CRC-32 only.
 * @param crc result of the bytes before these
 */
export function crc16(bytes: Uint8Array, crc = 0): number {
  let value = crc;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8)
    value =
      crcOf(7, value ^ (bytes[at] as number)) ^
      crcOf(6, (value >>> 8) ^ (bytes[at + 1] as number)) ^
      crcOf(5, bytes[at + 2] as number) ^
      crcOf(4, bytes[at + 3] as number) ^
      crcOf(3, bytes[at + 4] as number) ^
      crcOf(2, bytes[at + 5] as number) ^
      crcOf(1, bytes[at + 6] as number) ^
      crcOf(0, bytes[at + 7] as number);
  for (; at < bytes.length; at += 1) value = (value >>> 8) ^ crcOf(0, value ^ (bytes[at] as number));
  return value;
}

export interface StreamSummary {
  /** Any frame of the stream: rate, channels and bit rate are the same throughout. */
  readonly frame: Frame;
  /** Without the header frame. */
  readonly frameCount: number;
  readonly frameBytes: number;
  /** Samples of one channel that went into the encoder. */
  readonly sampleCount: number;
  /** Checksum of all frames after the header frame. */
  readonly crc: number;
}

/** @returns a frame of silence that holds the header; its size does not depend on the figures in it */
export function infoFrame({ frame, frameCount, frameBytes, sampleCount, crc }: StreamSummary): Buffer {
  const unpadded = Math.floor((144_000 * frame.bitrateKbps) / frame.sampleRateHz);
  const bytes = Buffer.alloc(unpadded);
  frame.bytes.copy(bytes, 0, 0, 4);
  // The header frame has no checksum and no padding, even if the copied frame has.
  bytes.writeUInt8(bytes.readUInt8(1) | 0x01, 1);
  bytes.writeUInt8(bytes.readUInt8(2) & ~0x02, 2);
  const start = 4 + (frame.isMono ? 17 : 32);
  const totalBytes = bytes.length + frameBytes;
  bytes.write("Info", start, "latin1");
  bytes.writeUInt32BE(HAS_FRAMES_BYTES_TOC_QUALITY, start + 4);
  bytes.writeUInt32BE(frameCount, start + 8);
  bytes.writeUInt32BE(totalBytes, start + 12);
  // The seek table is linear, because the bit rate is constant.
  for (let percent = 0; percent < 100; percent += 1)
    bytes.writeUInt8(Math.floor((percent * 256) / 100), start + 16 + percent);

  const lame = start + XING_BYTES;
  bytes.write("LAME3.100", lame, "latin1");
  bytes.writeUInt8(METHOD_CBR, lame + 9);
  bytes.writeUInt8(Math.min(255, frame.bitrateKbps), lame + 20);
  const endPadding = Math.min(
    MAX_12_BITS,
    Math.max(0, frameCount * SAMPLES_PER_FRAME - sampleCount - ENCODER_DELAY_SAMPLES),
  );
  bytes.writeUIntBE((ENCODER_DELAY_SAMPLES << 12) | endPadding, lame + 21, 3);
  bytes.writeUInt32BE(totalBytes, lame + 28);
  bytes.writeUInt16BE(crc, lame + 32);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, lame + 34)), lame + 34);
  return bytes;
}

/** What is known of a sound before it is encoded. */
export interface ExpectedSound {
  readonly sampleCount: number;
  /** Whether it comes from the source's own index, and is no estimate. */
  readonly isExact: boolean;
  /** Number of frames without the header frame; absent where it is not sure. */
  readonly frameCount?: number | undefined;
}

/**
 * @returns a header frame for readers who get the file before it is complete. It has the size of the final one, the
 *   expected length, and no checksum. Of an estimate it does not say where the sound ends within the last frame, because
 *   players leave out what comes after that.
 */
export function standInFrame(frame: Frame, { sampleCount, isExact, ...expected }: ExpectedSound): Buffer {
  const frameCount = expected.frameCount ?? encodedFrames(sampleCount);
  return infoFrame({
    frame,
    frameCount,
    frameBytes: new FrameSizes(frame.bitrateKbps, frame.sampleRateHz).bytesOf(frameCount),
    sampleCount: isExact ? sampleCount : frameCount * SAMPLES_PER_FRAME,
    crc: 0,
  });
}
